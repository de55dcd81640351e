package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/demo/orderdesk"
	"showhow/internal/canary"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// patience is how long one thing may take before the demo gives up.
const patience = 40 * time.Second

func (r *run) startPerson(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, r.Self, "demo", "drive")
	cmd.Env = r.environ()
	cmd.Dir = r.home
	p, err := startPerson(cmd)
	if err != nil {
		return err
	}
	r.person = p
	ready, err := p.next(ctx, patience)
	if err != nil {
		return err
	}
	r.session.Scope.Shells = []string{ready.TTY}
	r.say.line("process %d, bash on %s", cmd.Process.Pid, ready.TTY)
	return nil
}

// Drive is the person, for the hidden command that the demo starts.
func Drive(ctx context.Context, in io.Reader, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return driver.Run(ctx, in, out, driver.Config{Home: os.Getenv("HOME"), Showhow: self})
}

func (r *run) arm(ctx context.Context) error {
	scope := client.Scope{Sites: []string{r.site}, Shells: r.session.Scope.Shells, Apps: []string{}, Folders: []string{r.downloads()},
		Devices: []string{}}
	created, err := r.c.CreateSession(ctx, client.CreateRequest{
		EntryMode: "demonstrating_skill", ObservationMode: "outside_agent", Scope: &scope,
		Goal: "Change an order at the order desk and export it",
	})
	if err != nil {
		return err
	}
	started, err := r.c.StartSession(ctx, created.Session.LearnSessionID)
	if err != nil {
		return err
	}
	r.session = started.Session
	r.shown = indicate(ctx, r.c)
	if r.listen != nil {
		r.listen(ctx, r.c, r.session.LearnSessionID)
	}
	r.say.line("only http://%s, %s and what changes in Downloads; everything else is withheld", r.site, strings.Join(scope.Shells, ", "))
	r.say.line("watching with %s", strings.Join(started.AdaptersArmed, " and "))
	return nil
}

// indicate claims during the demonstration that this terminal indicates capture, until the returned function is
// called.
func indicate(ctx context.Context, c *client.Client) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			_, _ = c.RenewIndicator(ctx, "terminal") // a lease that runs out pauses the capture, which the demo notices
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

func (r *run) demonstrate(ctx context.Context) error {
	opened, err := r.c.OpenBrowser(ctx, r.deskURL)
	if err != nil {
		return err
	}
	r.say.line("%s shows the desk", opened.Product)
	if err := r.person.order(driver.Order{Order: "perform", DebugURL: opened.DebugURL, Plan: r.plan}); err != nil {
		return err
	}
	for {
		rep, err := r.person.next(ctx, patience)
		if err != nil {
			return err
		}
		if rep.Report == "done" {
			if !rep.Watched {
				return fmt.Errorf("the prompt never showed that the shell is watched")
			}
			return nil
		}
		s, err := r.c.ObservationScope(ctx, r.session.LearnSessionID)
		if err != nil {
			return err
		}
		if s.CaptureState != "capturing" {
			return fmt.Errorf("capture is %s (%s)", s.CaptureState, s.PauseReason)
		}
		r.say.line("%-34s %3d kept", rep.Step, s.EventsKept)
	}
}

func (r *run) stop(ctx context.Context) error {
	r.shown()
	stopped, err := r.c.StopSession(ctx, r.session.LearnSessionID)
	if err != nil {
		return err
	}
	r.session = stopped.Session
	r.result.Kept, r.result.Withheld = stopped.CapturedEventCount, r.session.EventsWithheld
	if stopped.CapturedEventCount == 0 {
		return fmt.Errorf("nothing was kept")
	}
	r.say.line("%d observations kept, %d withheld", r.result.Kept, r.result.Withheld)
	for _, w := range r.session.Withheld {
		r.say.line("  %d withheld by %s: %s", w.Count, w.Adapter, w.Reason)
	}
	list, err := r.c.Observations(ctx, r.session.LearnSessionID, client.PageQuery{Page: 1, PageSize: 100})
	if err != nil {
		return err
	}
	for _, o := range list.Observations {
		r.say.line("  %s", o.Event.ActionLabel)
	}
	return nil
}

func (r *run) propose(ctx context.Context) error {
	start := time.Now()
	g, err := r.c.GenerateProposal(ctx, r.session.LearnSessionID)
	if err != nil {
		return err
	}
	took := time.Since(start)
	if r.proposal, err = r.c.Proposal(ctx, g.ProposalID); err != nil {
		return err
	}
	d := r.proposal
	r.say.line("%q, drafted in %d ms", d.Proposal.Title, took.Milliseconds())
	if d.Verdict != nil {
		r.say.line("verdict: %s %s", strings.ReplaceAll(d.Verdict.Result, "_", " "), d.Verdict.Reason)
	}
	if d.Interpretation == nil || len(d.Interpretation.Checkpoints) == 0 {
		return fmt.Errorf("no checkpoint was found")
	}
	for _, in := range d.Interpretation.Inputs {
		r.say.line("  input       %s (%s)", in.Name, in.Kind)
	}
	for _, cp := range d.Interpretation.Checkpoints {
		r.say.line("  checkpoint  %s", cp.SuccessCondition)
	}
	for _, l := range d.LeftOut {
		r.say.line("  left out    %s", l)
	}
	return nil
}

// answer answers each question with its suggestion, and with "input" if a value has none.
func (r *run) answer(ctx context.Context) error {
	r.result.Questions = len(r.proposal.Questions)
	for _, q := range r.proposal.Questions {
		if q.Answered {
			continue
		}
		a := q.Suggested
		if a == "" && slices.Contains(q.Choices, "input") {
			a = "input"
		}
		if a == "" && len(q.Choices) > 0 {
			a = q.Choices[0]
		}
		if a == "" {
			a = "Only for orders of this desk, and not for orders that were cancelled."
		}
		r.say.line("? %s\n      > %s", q.QuestionText, a)
		r.answers = append(r.answers, client.AnswerItem{QuestionID: q.QuestionID, AnswerText: a})
	}
	if len(r.answers) == 0 {
		r.say.line("none")
		return nil
	}
	if _, err := r.c.AnswerQuestions(ctx, r.session.LearnSessionID, client.AnswerQuestionsRequest{Answers: r.answers}); err != nil {
		return err
	}
	var err error
	r.proposal, err = r.c.Proposal(ctx, r.proposal.Proposal.ProposalID)
	return err
}

// validate runs every kind of validation, with the values of another order than the demonstrated one.
func (r *run) validate(ctx context.Context) error {
	id := r.proposal.Proposal.ProposalID
	if l := r.proposal.CheckpointLintReport; l == nil || !l.Passed {
		return fmt.Errorf("the checkpoint lint did not pass: %+v", l)
	}
	run, steps, err := r.examine(ctx, client.ValidateRequest{Parameters: r.otherValues(), SchemaVersion: 1})
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, s := range steps {
		count[s.Result]++
		if s.Result == "failed" {
			r.say.line("  failed: %s %s", s.Label, s.Details)
		}
	}
	r.say.line("%s: %d checks passed, %d failed, %d skipped", run.OverallResult, count["passed"], count["failed"], count["skipped"])
	if run.OverallResult != "passed" {
		return fmt.Errorf("the validation ended %s", run.OverallResult)
	}
	r.proposal, err = r.c.Proposal(ctx, id)
	return err
}

// rehearse performs the draft on another order, in a separate browser and sandbox, and asks the desk whether it
// happened.
func (r *run) rehearse(ctx context.Context) error {
	if r.canaries != nil && r.canaries.Token != "" {
		r.say.line("left out: one of the commands holds a secret, which nobody keeps and so nobody can repeat")
		return nil
	}
	allowed, values := false, r.otherValues()
	other := r.otherOrder()
	run, steps, err := r.examine(ctx, client.ValidateRequest{RunKinds: []client.RunKind{"rehearsal"}, Parameters: values, SchemaVersion: 1,
		TestPolicy: &client.TestPolicy{PolicyID: clock.NewID(), Mode: "controlled_live_test", ForbidDestructiveWrites: &allowed,
			ForbidExternalSend: &allowed,
			SafeTargets:        []client.SafeTarget{{TargetKind: "temp_folder", Ref: "scratch"}}, SchemaVersion: 1}})
	if fault.Is(err, fault.TestPolicyViolation) { // no sandbox for commands can be made here
		r.say.line("not performed here: %s", fault.From(err).Message)
		return nil
	}
	if err != nil {
		return err
	}
	for _, s := range steps {
		if s.Result != "passed" || strings.Contains(s.TestCaseID, ".step.") || strings.Contains(s.TestCaseID, ".effect.") {
			r.say.line("  %-7s %s", s.Result, strings.TrimSpace(s.Label+"  "+s.Details))
		}
	}
	now, _ := r.desk.Order(other.ID)
	switch {
	case run.OverallResult != "passed":
		return fmt.Errorf("the rehearsal ended %s: %s", run.OverallResult, run.Reason)
	case now.Note != r.planFor(other).Note:
		return fmt.Errorf("the rehearsal passed, and the order %s is as it was", other.ID)
	}
	r.say.line("%s: the order %s is changed, by the desk's own record", run.OverallResult, other.ID)
	return nil
}

// examine starts a validation run and waits for its end.
func (r *run) examine(ctx context.Context, q client.ValidateRequest) (client.ValidationRun, []client.ValidationStepResult, error) {
	id := r.proposal.Proposal.ProposalID
	run, err := r.c.Validate(ctx, id, q)
	if err != nil {
		return run, nil, err
	}
	return r.c.ValidationEnded(ctx, id, run.ValidationRunID)
}

// otherOrder is an order other than the demonstrated one.
func (r *run) otherOrder() orderdesk.Order {
	orders := r.desk.Orders()
	return orders[(len(orders)/2+3)%len(orders)]
}

func (r *run) planFor(o orderdesk.Order) driver.Plan {
	return driver.PlanFor(o, r.deskURL, r.downloads())
}

// otherValues returns a value for every input: of an order other than the demonstrated one, as a later user would
// have.
func (r *run) otherValues() map[string]string {
	other := r.otherOrder()
	p := r.planFor(other)
	out := map[string]string{}
	for _, in := range r.proposal.Interpretation.Inputs {
		switch {
		case len(in.Options) > 0:
			out[in.Name] = in.Options[len(in.Options)-1]
		case in.Kind == "date":
			out[in.Name] = p.Delivery
		case in.Kind == "number":
			out[in.Name] = "2"
		case in.Kind == "id":
			out[in.Name] = other.ID
		default:
			out[in.Name] = p.Note
		}
	}
	return out
}

func (r *run) install(ctx context.Context) error {
	p := r.proposal.Proposal
	installed, err := r.c.Install(ctx, p.ProposalID, client.InstallRequest{
		InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	if err != nil {
		return err
	}
	if r.ability, err = r.c.Ability(ctx, installed.AbilityID); err != nil {
		return err
	}
	if !r.ability.UsableNow {
		return fmt.Errorf("it is installed and not usable: %s", r.ability.ReasonUnusable)
	}
	r.result.AbilityID = r.ability.AbilityID
	for _, t := range []string{".openclaw/workspace/skills", ".claude/skills", ".agents/skills"} {
		dir := filepath.Join(r.home, t, r.ability.SkillSlug)
		if _, err := os.Stat(filepath.Join(dir, "SKILL.md")); err != nil {
			return fmt.Errorf("the skill is not in %s", t)
		}
		r.result.Targets = append(r.result.Targets, dir)
	}
	r.result.SkillDir = r.result.Targets[0]
	r.say.line("%s, private, usable now, content %s", r.ability.SkillSlug, short(r.ability.ContentHash))
	r.say.line("projected into %s", "OpenClaw's, Claude's and the common skill folder")
	return nil
}

// agent is a client with an agent's token, issued by the demo's person.
func (r *run) agent(ctx context.Context) (*client.Client, error) {
	a, err := r.c.AddAgent(ctx, "demo-agent")
	if err != nil {
		return nil, err
	}
	return client.Unix(r.socket(), client.WithToken(a.Token)), nil
}

func (r *run) lookup(ctx context.Context) error {
	agent, err := r.agent(ctx)
	if err != nil {
		return err
	}
	sentence := "please change an order at the order desk and export it"
	found, err := agent.Lookup(ctx, client.LookupQuery{UserQuery: sentence, IncludePrivateOwnedByUser: new(true), SchemaVersion: 1})
	if err != nil {
		return err
	}
	if len(found.Matches) == 0 || found.Matches[0].AbilityID != r.ability.AbilityID {
		return fmt.Errorf("%q does not find it", sentence)
	}
	m := found.Matches[0]
	r.result.Score = m.Score
	r.say.line("%q\n      -> %s, score %.2f, usable now: %v", sentence, m.Title, m.Score, m.UsableNow)
	other, err := agent.Lookup(ctx, client.LookupQuery{UserQuery: "what is the weather tomorrow", SchemaVersion: 1})
	if err != nil {
		return err
	}
	r.say.line("%q\n      -> %d matches", "what is the weather tomorrow", len(other.Matches))
	if len(other.Matches) != 0 {
		return fmt.Errorf("an unrelated sentence finds it")
	}
	own := "get the tables out of this PDF"
	comes, err := agent.Lookup(ctx, client.LookupQuery{UserQuery: own, SchemaVersion: 1})
	if err != nil {
		return err
	}
	if len(comes.Matches) == 0 || comes.Matches[0].SkillSlug != "showhow-pdf" {
		return fmt.Errorf("%q does not find the skill that comes with Showhow", own)
	}
	r.say.line("%q\n      -> %s, which comes with Showhow, score %.2f, usable now: %v", own, comes.Matches[0].Title, comes.Matches[0].Score,
		comes.Matches[0].UsableNow)
	if _, err := agent.Sessions(ctx, client.SessionFilter{}); err == nil {
		return fmt.Errorf("an agent may list sessions")
	}
	r.say.line("the same token may not look at what was watched")
	r.worker = agent
	return r.report(ctx, agent)
}

// report makes the agent verify each checkpoint as it would while following the skill.
func (r *run) report(ctx context.Context, agent *client.Client) error {
	for _, cp := range r.proposal.Interpretation.Checkpoints {
		if _, err := agent.VerifyCheckpoint(ctx, client.VerifyCheckpointRequest{AbilityID: r.ability.AbilityID, CheckpointID: cp.CheckpointID,
			Status: "reached", Evidence: cp.SuccessCondition, DispatchID: "demo-dispatch"}); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) verify(ctx context.Context) error {
	l, err := r.c.DispatchCheckpointReceipts(ctx, "demo-dispatch", client.PageQuery{Page: 1, PageSize: 100})
	if err != nil {
		return err
	}
	for _, x := range l.Receipts {
		r.say.line("%-8s %s  %s", x.Status, x.CheckpointID, x.Evidence)
	}
	r.result.Checkpoints = len(l.Receipts)
	if want := len(r.proposal.Interpretation.Checkpoints); len(l.Receipts) != want {
		return fmt.Errorf("%d of %d checkpoints have a receipt", len(l.Receipts), want)
	}
	return nil
}

// runtimeSecret is a token that an agent's runtime reports by carelessness.
const runtimeSecret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

// reportSession makes the agent's runtime report how the session went, and the person read the resulting reports.
func (r *run) reportSession(ctx context.Context) error {
	type object = map[string]any
	task := "change an order at the order desk and export it"
	body, err := json.Marshal(object{"contract_name": "openclaw_appleseed.runtime_event", "contract_version": "1.0", "source": "demo-agent",
		"events": []object{{"event_kind": "session_started", "session_id": "demo-session", "task": task},
			{"event_kind": "session_feedback", "session_id": "demo-session", "task": task, "status": "success", "score": .9,
				"comment": "done; the desk wanted no token like " + runtimeSecret, "selected_skill_ids": []string{r.ability.SkillSlug},
				"missing_capabilities": []string{"printing labels"}}}})
	if err != nil {
		return err
	}
	for range 2 { // a runtime that is not sure sends again
		if _, err := r.worker.SendRuntimeEvents(ctx, body); err != nil {
			return err
		}
	}
	report, err := r.c.RuntimeReport(ctx, "demo-session")
	if err != nil {
		return err
	}
	g, err := r.c.Governance(ctx)
	if err != nil {
		return err
	}
	if n := len(report.Report.Evidence); n != 2 || report.Report.Outcome == nil {
		return fmt.Errorf("%d events are kept, not 2", n)
	}
	r.say.line("%s, score %.2f: %q", report.Report.Outcome.Status, report.Report.Outcome.Score, report.Report.Outcome.Comment)
	for _, p := range g.Report.Proposals {
		r.say.line("proposed: %s (%s)", p.Title, strings.ReplaceAll(p.Readiness, "_", " "))
	}
	return nil
}

// look lets Showhow perform the read-only part of the skill, as it would by itself.
func (r *run) look(ctx context.Context) error {
	c, err := r.c.AllowCanary(ctx, r.ability.AbilityID, client.CanaryAllow{})
	if err != nil {
		return err
	}
	changes := len(r.desk.Changes())
	p, err := r.c.Reprobe(ctx, r.ability.AbilityID)
	if err != nil {
		return err
	}
	if p.Canary.LastResult != "passed" || len(r.desk.Changes()) != changes {
		return fmt.Errorf("the look ended %s: %s, with %d changes", p.Canary.LastResult, p.Canary.LastTold, len(r.desk.Changes())-changes)
	}
	r.say.line("once a day at %s, only reading: %s; the skill is %s", strings.Join(c.Sites, ", "), p.Canary.LastResult, p.Health.Status)
	return nil
}

// searchForTraces searches every byte of data, logs and skills for the text that the person typed.
func (r *run) searchForTraces(context.Context) error {
	planted := []canary.Canary{{Label: "the note", Text: r.plan.Note}, {Label: "the agent's secret", Text: runtimeSecret}}
	if c := r.canaries; c != nil {
		for label, text := range map[string]string{"password": c.Password, "token": c.Token, "off-site text": c.OffSiteText,
			"private command": c.Private} {
			if text != "" {
				planted = append(planted, canary.Canary{Label: label, Text: text})
			}
		}
	}
	var size int64
	for _, dir := range append([]string{r.data()}, r.result.Targets...) {
		hits, err := canary.Scan(dir, planted...)
		if err != nil {
			return err
		}
		for _, h := range hits {
			return fmt.Errorf("%s is in %s (%s)", h.Label, h.Path, h.Encoding)
		}
		size += sizeOf(dir)
	}
	r.say.line("searched %d KB of data, logs and skills for what was typed: no trace", size/1024)
	return nil
}

// sizeOf adds up the files below dir.
func sizeOf(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

func short(hash string) string {
	if len(hash) > 19 {
		return hash[:19]
	}
	return hash
}
