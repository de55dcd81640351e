// Package perform performs a workflow step by step, without a model, on a stage.
//
// A Performance combines parts that each own their state: job (request, values, report), tab (the current page),
// turner (pages of lists, months), trail (what the work did so far), arrival (states to wait for), checkpoints (what
// must hold), reviewer (the second look), terminal (commands) and workspace (the run's folder). Each knows only those
// that it uses.
//
// It does nothing that the policy refuses, stops rather than act on a doubtful target, and removes at the end what it
// made on this machine. What could not be verified is a skipped step, never a passed one. It cannot undo what a site
// has stored. Only daemon/rehearse imports it. To test it, let daemon/rehearse perform on a stage of the test's own,
// or call a part with values alone.
package perform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// comeTo brings the run's browser, opened on first use, to the page on which a step begins.
func (p *Performance) comeTo(ctx context.Context, s workflow.Step) (err error) {
	if p.tab.browser == nil {
		if p.tab.browser, err = p.room.Browser(ctx, port.BrowserSpec{Headed: p.Req.Headed, Managed: p.Req.Managed, Hosts: p.sites.Hosts,
			Guard: p.guard.Judge, Answered: p.guard.Answered}); err != nil {
			return err
		}
	}
	return p.tab.come(ctx, s)
}

// onPage performs a step in the browser; done is false when the step was not needed.
func (p *Performance) onPage(ctx context.Context, s workflow.Step, sc *check.Scene) (told string, done bool, err error) {
	if err := p.comeTo(ctx, s); err != nil {
		return "", false, err
	}
	if info, err := os.Lstat(p.room.Downloads()); p.terminal.shell != nil && (err != nil || !info.IsDir()) {
		return "", false, &halt{record.StepFailed, record.CodeStepFailed, "a command removed the folder for downloads"}
	}
	sc.Before, p.tab.judged = p.tab.state, p.guard.BlockedCount()
	if p.tab.begun {
		p.trail.holds(ctx)
		known := p.trail.sights[p.tab.state.URL] != nil
		if p.trail.look(ctx, s); !known {
			p.reviewer.lookBack(ctx, s)
		}
		if err := p.tab.offer(ctx, s); err != nil {
			return "", false, err
		}
	}
	if aim := p.turner.turnsFor(s); aim != nil {
		told, err := p.turner.turn(ctx, s, *aim, sc)
		return told, err == nil, err
	}
	if needed, why := p.tab.needed(ctx, s); !needed {
		return why, false, nil
	}
	if secretStep(s) && (s.Value == "" || len(p.supply.Lacks(s.Value, p.supply.Known)) > 0) {
		return "entered by you", true, p.tab.signIn(ctx)
	}
	if err := p.turner.turnTo(ctx, s, sc); err != nil {
		return "", false, err
	}
	a, err := p.tab.act(s)
	if err != nil {
		return "", false, err
	}
	if sc.Already, err = p.checks.already(ctx, s); err != nil {
		return "", false, err
	}
	p.guard.UseControl(p.says(s)...)
	if s.Verb != capture.Navigate && s.Verb != capture.NewTab {
		p.guard.BeginWork()
	}
	p.guard.BeginStep(s.StepID, s.Effect && roleOf(s) == "link" && policy.Operates(s.Verb))
	p.tab.judged = p.guard.BlockedCount()
	blocked := p.tab.judged
	for i, one := range p.each(s, a) {
		p.trail.sets(s, one)
		p.checks.holds(s, &one, sc)
		if i == 0 {
			p.checks.fromFound(s, &one, sc)
		}
		p.readItem(s, &one, sc)
		if page.IsAboutInput(s) && policy.Operates(s.Verb) {
			one.Further = func(ctx context.Context) {
				sc.Behind = further
				p.trail.lookBehind(ctx)
			}
		}
		sc.Out, err = p.tab.do(ctx, s, one)
		if where := p.tab.bring(ctx, s, one, err); where != "" {
			sc.Behind = where
			p.trail.lookBehind(ctx)
			sc.Out, err = p.tab.do(ctx, s, one)
		}
		if err != nil {
			break
		}
	}
	if errors.Is(err, errNotThere) {
		return notNeeded, false, nil
	}
	if err != nil {
		return "", false, p.tab.because(err, p.guard.BlockedSince(blocked), s)
	}
	if err := p.tab.unsent(s, p.tab.blockedLately()); err != nil {
		return "", false, err
	}
	p.trail.note(s, a, sc)
	p.trail.leads(s, a, sc)
	return p.tab.told(s, sc, p.guard.BlockedSince(blocked)), true, nil
}

// Performance is one performance of a graph. It lives as long as its run and holds values: memory only.
type Performance struct {
	*job
	files    *workspace
	tab      *tab
	turner   *turner
	trail    *trail
	arrival  *arrival
	reviewer *reviewer
	checks   *checkpoints
	terminal *terminal
}

// New prepares a performance under a policy, with these values. Its steps go to the report.
func New(t *report.Report, o Options, obeyed record.TestPolicy, s *supply.Supply) *Performance {
	j := &job{Report: t, Options: o, policy: obeyed, supply: s, check: check.Judge{Bindings: s.Bindings}, sites: policy.SitesOf(t.Req)}
	p := &Performance{job: j}
	p.files = &workspace{job: j}
	p.tab = &tab{job: j, files: p.files}
	p.turner = &turner{job: j, tab: p.tab}
	p.trail = &trail{job: j, tab: p.tab}
	p.arrival = &arrival{job: j, tab: p.tab}
	p.reviewer = &reviewer{job: j, tab: p.tab, trail: p.trail}
	p.checks = &checkpoints{job: j, tab: p.tab, trail: p.trail, reviewer: p.reviewer}
	p.terminal = &terminal{job: j, files: p.files}
	return p
}

// Perform goes through the steps in a room of the stage, then looks again at their results.
func (p *Performance) Perform(ctx context.Context, steps []workflow.Step, canary bool) (err error) {
	if !p.inputs(steps) {
		p.stopped = "a value is missing"
		p.walk(ctx, steps)
		return nil
	}
	p.guard = policy.NewGuard(p.policy, p.sites.Hosts)
	if p.room, err = p.Stage.Room(ctx, p.Req.Run.ValidationRunID+"-"+string(p.Kind)); err != nil {
		return err
	}
	defer p.leave(ctx)
	if err := p.files.furnish(); err != nil {
		return err
	}
	if p.Req.Run.RunLabel == record.LookLabel {
		steps = p.allowed(steps)
	}
	p.walk(ctx, steps)
	if canary {
		p.ahead(ctx, steps)
	}
	p.terminal.answers()
	p.reviewer.lastLook(ctx, canary)
	p.reviewer.lookLater(ctx)
	if ctx.Err() != nil {
		return nil
	}
	p.unproven()
	if !canary {
		p.deedless(steps, p.reviewer.latest != nil)
	}
	return nil
}

// allowed are the steps before the first that the policy refuses: a look does not end there, it looks for that one's target and for what
// is beside it.
func (p *Performance) allowed(steps []workflow.Step) []workflow.Step {
	i := slices.IndexFunc(steps, func(s workflow.Step) bool { return p.refuses(s) != "" })
	if i < 0 {
		return steps
	}
	return steps[:i]
}

// walk goes through the steps; a loop's are done once for each given item.
func (p *Performance) walk(ctx context.Context, steps []workflow.Step) {
	for i := 0; i < len(steps); {
		l := p.loopOf(steps[i].StepID)
		if l == nil {
			p.step(ctx, steps[i], 0)
			i++
			continue
		}
		j := i
		for j < len(steps) && slices.Contains(l.Steps, steps[j].StepID) {
			j++
		}
		p.loop(ctx, *l, steps[i:j])
		i = j
	}
}

func (p *Performance) loop(ctx context.Context, l workflow.Loop, steps []workflow.Step) {
	rounds, err := p.supply.Rounds(l)
	if err != nil {
		p.stop("loop."+steps[0].StepID, "the items of "+l.Over, record.StepSkipped, record.CodeNeedsValue,
			"its inputs need the same number of values, one per line")
		rounds = []map[string]string{{}}
	}
	before, effects := len(p.trail.things), p.trail.effects
	for n, items := range rounds {
		p.supply.BindRound(items)
		if p.trail.effects > effects { // each round has its own object; gathered objects are acted on later
			p.trail.things, effects = p.trail.things[:before], p.trail.effects
		}
		for _, s := range steps {
			p.step(ctx, s, n+1)
		}
	}
}

// step performs one step and judges its checkpoint. round is 0 outside of loops.
func (p *Performance) step(ctx context.Context, s workflow.Step, round int) {
	id := "step." + s.StepID
	if round > 1 {
		id += "." + strconv.Itoa(round)
	}
	if p.stopped != "" || ctx.Err() != nil {
		p.Add(id, s.Title, record.StepSkipped, record.CodeNotPerformed, "the run had stopped before it")
		return
	}
	if why := p.refuses(s); why != "" {
		p.stop(id, s.Title, record.StepSkipped, record.CodePolicyViolation, "it was not done: "+why)
		return
	}
	if s.AsNeeded {
		p.stop(id, s.Title, record.StepFailed, record.CodeTargetAmbiguous,
			"it was done a different number of times in each demonstration, and nothing tells how often it is needed")
		return
	}
	if p.acts += max(1, s.Times); p.acts > p.policy.Limit() {
		p.stop(id, s.Title, record.StepFailed, record.CodePolicyViolation, fmt.Sprintf("the policy allows %d actions", p.policy.Limit()))
		return
	}
	sc := &check.Scene{Before: p.tab.state, Past: slices.Clone(p.tab.past), Room: p.room, Counts: map[string]int{},
		Opened: s.Verb == capture.Navigate}
	for name, items := range p.supply.Lists {
		sc.Counts[name] = len(items)
	}
	var told string
	var err error
	done := true
	switch s.Surface {
	case policy.OnShell:
		if s.Document != "" {
			told, err = p.terminal.readDocument(ctx, s, sc)
			break
		}
		told, err = p.terminal.runCommand(ctx, s, sc)
	case policy.OnConnector:
		told, err = p.callTool(ctx, s, sc)
	default:
		told, done, err = p.onPage(ctx, s, sc)
	}
	if err != nil {
		p.tab.failed(ctx, id, s, err)
		return
	}
	p.tab.prev = &s
	p.Add(id, s.Title, record.StepPassed, "", p.clean(told))
	p.done(s, done, round)
	p.arrival.arrive(ctx, s, sc)
	if p.withheldLately(ctx, s) {
		return
	}
	if code := p.tab.broken(ctx, s); code != 0 {
		p.stop("page."+s.StepID, "the page that the step led to works", record.StepFailed, record.CodeServerError,
			fmt.Sprintf("the site answered with HTTP %d", code))
		p.tab.keepEvidence(ctx, id)
		return
	}
	p.counted = false
	p.checks.checkpoints(ctx, s, sc, round)
	p.withheldLately(ctx, s)
}

// withheldLately ends the run if a script of the page tried to send what the step sends only now, and it was blocked.
func (p *Performance) withheldLately(ctx context.Context, s workflow.Step) bool {
	if s.Surface != policy.OnBrowser || p.stopped != "" {
		return false
	}
	err := p.tab.unsent(s, p.tab.blockedLately())
	if err != nil {
		p.tab.failed(ctx, "sent."+s.StepID, s, err)
	}
	return err != nil
}

// leave closes what the run opened and checks that nothing is left, whatever the run's outcome.
func (p *Performance) leave(ctx context.Context) {
	p.Requests += p.guard.Asked()
	label := "everything that the run made here is removed"
	if err := p.room.Close(); err != nil {
		p.Log.Error("a rehearsal left something behind", "run_id", p.Req.Run.ValidationRunID, "code", fault.CodeOf(err))
		p.Add("cleanup", label, record.StepFailed, record.CodeNotClean, fault.From(err).Message)
		return
	}
	p.Add("cleanup", label, record.StepPassed, "", "")
}
