package perform

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// checkpoints judges what must hold after a step.
type checkpoints struct {
	*job
	tab      *tab
	trail    *trail
	reviewer *reviewer
}

// checkpoints judges the checkpoints of a step.
func (p *checkpoints) checkpoints(ctx context.Context, s workflow.Step, sc *check.Scene, round int) {
	for _, cp := range p.Req.Draft.Interpretation.Checkpoints {
		if cp.StepID == s.StepID && p.stopped == "" && ctx.Err() == nil {
			p.checkpoint(ctx, cp, s, sc, round)
		}
	}
	if s.Effect {
		p.trail.effects++
	}
	if s.Effect || s.Verb == capture.Submit && asksOnly(s) {
		p.trail.entered, p.trail.set = nil, nil
	}
}

// asksOnly reports whether a submitted form only queried: its address contains what was entered.
func asksOnly(s workflow.Step) bool {
	return s.After != nil && strings.Contains(s.After.URL, "?") && !s.Effect
}

func (p *checkpoints) checkpoint(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene, round int) {
	id := "checkpoint." + cp.CheckpointID
	if round > 1 {
		id += "." + strconv.Itoa(round)
	}
	if cp.Check == nil {
		p.Add(id, cp.Goal, record.StepSkipped, record.CodeNotExamined, "no machine can tell it: "+cp.SuccessCondition)
		return
	}
	checks := cp.Checks()
	if looksAgain(cp, s) && !slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.Extra[workflow.Kept] == "" }) {
		p.reviewer.effect(ctx, cp, s, sc, round) // the demonstration showed nothing of it but that
		return
	}
	if err := p.await(ctx, checks, sc); err != nil {
		p.tab.failed(ctx, id, workflow.Step{Title: cp.Goal}, err)
		return
	}
	var failed []workflow.Check
	var unknown []string
	for _, c := range checks {
		verdict := check.Unknowable
		if c.Extra["open"] != "" {
			verdict = p.elsewhere(ctx, c, sc)
		} else {
			verdict = p.tab.judge(ctx, c, sc)
		}
		switch verdict {
		case check.Fails:
			failed = append(failed, c)
		case check.Unknowable:
			unknown = append(unknown, subject(c))
		}
	}
	differs := func(checks []workflow.Check) string {
		var out []string
		for _, c := range checks {
			out = append(out, p.difference(c, sc))
		}
		return strings.Join(out, "; ")
	}
	bad, restless := p.apart(ctx, failed)
	switch {
	case ctx.Err() != nil:
		p.tab.failed(ctx, id, workflow.Step{Title: cp.Goal}, ctx.Err())
	case len(bad) > 0:
		p.stop(id, cp.Goal, record.StepFailed, record.CodeCheckFailed, differs(bad))
		p.tab.keepEvidence(ctx, id)
	case len(unknown) > 0:
		p.Add(id, cp.Goal, record.StepSkipped, record.CodeNotExamined, "could not be looked at here: "+strings.Join(unknown, ", "))
	case len(restless) > 0 && looksAgain(cp, s):
		p.reviewer.effect(ctx, cp, s, sc, round)
	case len(restless) > 0:
		p.Add(id, cp.Goal, record.StepSkipped, record.CodeNotExamined, differs(restless)+"; it changes each time the page is loaded")
	case sc.Already[cp.CheckpointID] && !looksAgain(cp, s):
		p.alreadySo(id, cp, s)
	case sc.Early[cp.CheckpointID] && !looksAgain(cp, s):
		p.Pass(id, cp.Goal, p.clean(cp.SuccessCondition))
		p.tooEarly(cp)
	default:
		if !sc.Already[cp.CheckpointID] && !sc.Early[cp.CheckpointID] {
			p.uncounted, p.counted, p.kept = nil, true, p.kept || cp.Effect
		}
		p.Pass(id, cp.Goal, p.clean(cp.SuccessCondition))
		p.reviewer.effect(ctx, cp, s, sc, round)
	}
}

// already lists the checkpoints of a step whose checks all hold before it is done: they prove nothing about it. A
// check that compares with before, or is judged elsewhere, does not count as seen; nor does what an opened address
// shows by itself.
func (p *checkpoints) already(ctx context.Context, s workflow.Step) (map[string]bool, error) {
	if s.Verb == capture.Navigate || s.Verb == capture.NewTab || p.tab.state.URL == "" {
		return nil, nil
	}
	out := map[string]bool{}
	for _, cp := range p.judged(s) {
		held := true
		for _, c := range cp.Checks() {
			so, err := p.heldBefore(ctx, c)
			if err != nil {
				return nil, err
			}
			if held = held && so; !held {
				break
			}
		}
		out[cp.CheckpointID] = held
	}
	return out, nil
}

// holds delays an action's request while its step's checks are judged: what a page shows before its site was asked
// proves nothing.
func (p *checkpoints) holds(s workflow.Step, a *port.Act, sc *check.Scene) {
	at := slices.DeleteFunc(p.judged(s), func(cp workflow.Checkpoint) bool { return sc.Already[cp.CheckpointID] })
	if len(at) == 0 || p.tab.state.URL == "" {
		return
	}
	a.Holds = policy.Changes
	a.Held = func(ctx context.Context) {
		was, heard := p.tab.state, slices.Clone(sc.Alerts)
		defer func() { p.tab.state, sc.Alerts = was, heard }()
		page, err := p.tab.browser.Read(ctx)
		if err != nil {
			return // the page waits for its answer: it shows nothing
		}
		p.tab.state = page.State
		sc.Early = map[string]bool{}
		for _, cp := range at {
			sc.Early[cp.CheckpointID] = !slices.ContainsFunc(cp.Checks(), func(c workflow.Check) bool {
				return c.Extra["open"] != "" || p.tab.judge(ctx, c, &check.Scene{Before: sc.Before, Past: sc.Past, Text: page.Text, Counts: sc.Counts,
					Room: sc.Room}) != check.Holds
			})
		}
	}
}

// fromFound makes an action's step compare with what the page shows when its target is there: a page may draw its rows, from
// its own store or by a timer, after it has settled.
func (p *checkpoints) fromFound(s workflow.Step, a *port.Act, sc *check.Scene) {
	if p.tab.state.URL == "" || len(p.judged(s)) == 0 {
		return
	}
	a.Found = func(ctx context.Context) {
		page, err := p.tab.browser.Read(ctx)
		if err != nil || page.State.URL != p.tab.state.URL || sameTables(page.State.Tables, sc.Before.Tables) {
			return // after an error the comparison shows less
		}
		p.tab.state, sc.Before = page.State, page.State
		p.trail.saw(page.State.URL, page)
		if so, err := p.already(ctx, s); err == nil {
			sc.Already = so
		}
	}
}

func sameTables(a, b []capture.Table) bool {
	return slices.EqualFunc(a, b, func(x, y capture.Table) bool { return x.Name == y.Name && x.Rows == y.Rows && x.Total == y.Total })
}

// heldBefore reports whether a check holds on the current page.
func (p *checkpoints) heldBefore(ctx context.Context, c workflow.Check) (bool, error) {
	sc := &check.Scene{Before: p.tab.state, Room: p.room}
	switch {
	case c.Extra["open"] != "", c.Delta != 0, c.Kind == "detail" && c.Expect == "":
		return false, nil
	case c.Kind == "text":
		page, err := p.tab.browser.Read(ctx)
		if err != nil {
			return false, err
		}
		sc.Text = page.Text
	case !check.OnState(c) && c.Kind != "element" && c.Kind != "file":
		return false, nil
	}
	return p.tab.judge(ctx, c, sc) == check.Holds, nil
}

// looksAgain reports whether the second look judges a checkpoint.
func looksAgain(cp workflow.Checkpoint, s workflow.Step) bool {
	return cp.Effect && s.Surface == policy.OnBrowser && s.Verb != capture.Download && !onDisk(cp)
}

// subject names what an unjudged check is about.
func subject(c workflow.Check) string {
	if c.Kind == "process" {
		return fmt.Sprintf("whether the program `%s` runs", c.Name)
	}
	return c.Kind
}

// await waits until the page satisfies all checks, or the time is up.
func (p *checkpoints) await(ctx context.Context, checks []workflow.Check, sc *check.Scene) error {
	if sc.Command == nil { // a download may take long; a command's files exist when it has ended
		p.awaitFiles(ctx, checks, sc)
	}
	if p.tab.browser == nil || !slices.ContainsFunc(checks, func(c workflow.Check) bool {
		return check.OnState(c) || c.Kind == "text" || c.Kind == "element"
	}) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, checkpointTime)
	defer cancel()
	st, _, err := p.tab.browser.Settle(limited, func(st capture.State) bool {
		sc.Hear(st)
		return !slices.ContainsFunc(checks, func(c workflow.Check) bool {
			return check.OnState(c) && c.Extra["open"] == "" && p.check.State(c, st, sc) == check.Fails
		})
	})
	if err != nil {
		return err
	}
	sc.Hear(st)
	p.tab.state = st
	if slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.Kind == "text" }) {
		page, err := p.tab.browser.Read(ctx)
		if err != nil {
			return err
		}
		sc.Text = page.Text
	}
	return nil
}

// awaitFiles waits for the files of an action on a page.
func (p *checkpoints) awaitFiles(ctx context.Context, checks []workflow.Check, sc *check.Scene) {
	ctx, cancel := context.WithTimeout(ctx, checkpointTime)
	defer cancel()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.Kind == "file" && p.check.Other(c, sc) == check.Fails }) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// elsewhere judges a check of another page, in a separate tab.
func (p *checkpoints) elsewhere(ctx context.Context, c workflow.Check, sc *check.Scene) check.Ruling {
	base, err := url.Parse(p.tab.state.URL)
	to := p.supply.Address(c.Extra["open"])
	if err != nil || p.tab.browser == nil || strings.Contains(to, supply.Unknown) {
		return check.Unknowable
	}
	at, err := base.Parse(to)
	if err != nil {
		return check.Unknowable
	}
	page, ok := p.reviewer.peek(ctx, at.String())
	if err := p.tab.browser.Return(ctx); err != nil || !ok {
		return check.Unknowable
	}
	if check.OnState(c) {
		return p.check.State(c, page.State, &check.Scene{Before: sc.Before, Past: sc.Past, Room: sc.Room})
	}
	return p.check.Other(c, &check.Scene{Text: page.Text, Room: sc.Room})
}

// apart tells failed checks of what differs from load to load of its page, with nothing done between them, from the others: they say
// nothing about the step.
func (p *checkpoints) apart(ctx context.Context, failed []workflow.Check) (bad, restless []workflow.Check) {
	if slices.ContainsFunc(failed, func(c workflow.Check) bool { return !check.OnState(c) || c.Extra["open"] != "" }) ||
		len(failed) == 0 || p.tab.browser == nil || p.guard == nil {
		return failed, nil
	}
	defer p.tab.browser.Return(ctx) // back to the run's own tab
	var first port.Page
	for n := range proof.MaxLoads {
		load, ok := p.reviewer.peek(ctx, p.tab.state.URL)
		if !ok || load.Status >= 400 {
			return failed, nil
		}
		if n == 0 {
			first, bad = load, failed
			continue
		}
		bad = slices.DeleteFunc(slices.Clone(bad), func(c workflow.Check) bool {
			differs := !p.check.Alike(c, first.State, load.State)
			if differs {
				restless = append(restless, c)
			}
			return differs
		})
		if len(bad) == 0 {
			break
		}
	}
	return bad, restless
}

func (p *tab) judge(ctx context.Context, c workflow.Check, sc *check.Scene) check.Ruling {
	switch {
	case p.lacksItemText(c.Name, c.Expect) != "":
		return check.Unknowable
	case check.OnState(c):
		if p.browser == nil {
			return check.Unknowable
		}
		return p.check.State(c, p.state, sc)
	case c.Kind == "element":
		if p.browser == nil {
			return check.Unknowable
		}
		name := p.supply.Text(cmp.Or(c.Name, c.Expect))
		has, err := p.browser.Has(ctx, &capture.Target{Role: c.Role, Name: name})
		if err != nil {
			return check.Unknowable
		}
		return check.Gone(c, has)
	case c.Kind == "text" && p.browser == nil:
		return check.Unknowable
	}
	return p.check.Other(c, sc)
}

// difference says what a check expected and what was there, without personal data: headings, messages and counts are
// the page's own words, a field's value is not.
func (p *checkpoints) difference(c workflow.Check, sc *check.Scene) string {
	was := func(what string, got []string) string {
		if len(got) == 0 {
			return "no " + what + " is there"
		}
		return fmt.Sprintf("there is %q", strings.Join(got[:min(len(got), 4)], " | "))
	}
	not := ""
	if c.Gone {
		not = "no longer "
	}
	switch c.Kind {
	case "url":
		return fmt.Sprintf("expected %sthe address %s; it is %s", not, c.Expect, page.PathOf(p.tab.state.URL))
	case "heading":
		return fmt.Sprintf("expected %sthe heading %q; %s", not, c.Expect, was("heading", p.tab.state.Headings))
	case "dialog":
		return fmt.Sprintf("expected %sthe dialog %q; %s", not, cmp.Or(c.Expect, c.Name), was("dialog", p.tab.state.Dialogs))
	case "alert":
		return fmt.Sprintf("expected %sthe message %q; %s", not, c.Expect, was("message", sc.Alerts))
	case "text":
		return fmt.Sprintf("expected %sthe text %q on the page", not, c.Expect)
	case "element":
		return fmt.Sprintf("expected %sthe %s %q on the page", not, cmp.Or(c.Role, "element"), cmp.Or(c.Name, c.Expect))
	case "field_value":
		return fmt.Sprintf("expected %q to %sshow %s; it does not", c.Name, not, c.Expect)
	case "detail":
		if c.Expect == "" {
			return fmt.Sprintf("expected another %q than before; it is the same", c.Name)
		}
		return fmt.Sprintf("expected the page to %sshow %q as %s; it does not", not, c.Name, c.Expect)
	case "row_count":
		return p.rowsDiffer(c, sc)
	case "file":
		return fmt.Sprintf("expected %sthe file %s of its kind, not empty; %s", not, c.Expect,
			map[bool]string{true: "it is there", false: "there is none"}[c.Gone])
	case "exit_code":
		if k := sc.Command.Killed; k != "" {
			return fmt.Sprintf("expected `%s` to end by itself; it was ended: %s", c.Name, k)
		}
		return fmt.Sprintf("expected `%s` to end with exit code %s; it was %d", c.Name, c.Expect, sc.Command.ExitCode) + p.maybeNetwork(c.Name)
	case "output":
		if sc.Called != nil && c.Expect == "no error" {
			return fmt.Sprintf("expected the tool `%s` to %sanswer without an error; it %s", c.Name, not,
				map[bool]string{true: "answered with one", false: "did"}[sc.Called.Failed])
		}
		return fmt.Sprintf("expected %sthe output to hold %q", not, c.Expect)
	case "process":
		return fmt.Sprintf("expected the program `%s` to be running after the command; it is not running, or it ended at once", c.Name)
	}
	return "expected " + c.Kind
}

func (p *checkpoints) rowsDiffer(c workflow.Check, sc *check.Scene) string {
	now, _ := p.check.Table(c, p.tab.state)
	if c.Delta == 0 {
		return fmt.Sprintf("expected at least %s rows in the list %q; there are %d", cmp.Or(c.Extra["min"], "1"), c.Name, now.Rows)
	}
	was, _ := p.check.Baseline(c, p.tab.state, sc)
	return fmt.Sprintf("expected the list %q to have %+d rows; it had %d and has %d", c.Name, c.Delta*sc.Each(c), was.Rows, now.Rows)
}

// maybeNetwork says how a command may reach a site of the skill, when a failed one names a site that it could not
// reach: a rehearsal's commands reach no host, not even this computer's, unless somebody named it.
func (p *checkpoints) maybeNetwork(program string) string {
	allowed := namedHosts(p.Req)
	for _, site := range p.Req.Draft.RequiredSites {
		for _, s := range p.Req.Draft.Graph.Steps {
			if !slices.Contains(allowed, site) && strings.Contains(s.Command, site) && strings.Contains(s.Command, program) {
				return "; commands reach only what is named: --allow " + site + " lets them reach it"
			}
		}
	}
	return ""
}
