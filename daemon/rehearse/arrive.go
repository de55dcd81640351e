package rehearse

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// arrive waits for the state that the demonstration saw after a step: the page it led to, the dialog it opened or closed. What
// does not come is no failure by itself; the checkpoint or the next step says.
func (p *play) arrive(ctx context.Context, s workflow.Step, sc *scene) {
	if s.Surface != onBrowser || fills(s.Verb) && !s.Changed {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	st, came, err := p.browser.Settle(ctx, func(st capture.State) bool {
		sc.hear(st)
		return p.asShown(s, st)
	})
	if err != nil {
		return
	}
	if here := routeOf(st.URL); !came && s.After != nil && here != routeOf(p.state.URL) {
		p.learnNames(routeOf(s.After.URL), here)
	}
	sc.hear(st)
	p.saw(st)
}

// learnNames learns what stands in this run's addresses where the demonstration's had the name of its own thing: /people/lovelace for
// /people/hopper. What rests there once is not waited for again.
func (p *play) learnNames(shown, here string) {
	a, b := strings.Split(shown, "/"), strings.Split(here, "/")
	if len(a) != len(b) || len(a) < 3 {
		return
	}
	at := -1
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if at >= 0 || a[i] == "" || b[i] == "" || strings.Contains(a[i], "{") {
			return // another page altogether
		}
		at = i
	}
	if at > 0 {
		if p.instead == nil {
			p.instead = map[string]string{}
		}
		p.instead[a[at]] = b[at]
	}
}

// likeShown reports whether an address is that of the page that was shown, about whichever thing: a run is about another one than the
// demonstration, and its name in addresses need not be an input.
func (p *play) likeShown(s workflow.Step, address string) bool {
	shown := routeOf(s.After.URL)
	if p.atAddress(shown, address) {
		return true
	}
	if s.Before != nil && routeOf(s.Before.URL) != shown && routeOf(address) == routeOf(p.state.URL) {
		return false // the demonstration went somewhere else, and this run has not yet
	}
	parts := strings.Split(shown, "/")
	for i, part := range parts {
		if there := p.instead[part]; there != "" {
			parts[i] = there
		}
	}
	return p.atAddress(strings.Join(parts, "/"), address) || p.atAddress(page.PathShape(shown), address)
}

// asShown reports whether a state is like the one that was demonstrated after a step.
func (p *play) asShown(s workflow.Step, st capture.State) bool {
	if s.After == nil {
		return true
	}
	if s.After.URL != "" && !p.likeShown(s, st.URL) {
		return false
	}
	var before []string
	if s.Before != nil {
		before = s.Before.Dialogs
	}
	for _, d := range s.After.Dialogs {
		if !slices.Contains(before, d) && !p.supply.pattern(d).any(st.Dialogs, pattern.is) {
			return false
		}
	}
	for _, d := range before {
		if !slices.Contains(s.After.Dialogs, d) && p.supply.pattern(d).any(st.Dialogs, pattern.is) {
			return false
		}
	}
	return true
}

// hear collects messages: some are gone before anybody looks again.
func (sc *scene) hear(st capture.State) {
	for _, a := range st.Alerts {
		if !slices.Contains(sc.alerts, a) {
			sc.alerts = append(sc.alerts, a)
		}
	}
}

// checkpoints judges the checkpoints that stand at a step.
func (p *play) checkpoints(ctx context.Context, s workflow.Step, sc *scene, round int) {
	for _, cp := range p.req.Draft.Interpretation.Checkpoints {
		if cp.StepID == s.StepID && p.stopped == "" && ctx.Err() == nil {
			p.checkpoint(ctx, cp, s, sc, round)
		}
	}
	if s.Effect {
		p.effects++
	}
	if s.Effect || s.Verb == capture.Submit && asksOnly(s) {
		p.entered, p.set = nil, nil
	}
}

// asksOnly reports whether a form that was sent only asked for something: its address carries what was entered.
func asksOnly(s workflow.Step) bool {
	return s.After != nil && strings.Contains(s.After.URL, "?") && !s.Effect
}

func (p *play) checkpoint(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *scene, round int) {
	id := "checkpoint." + cp.CheckpointID
	if round > 1 {
		id += "." + itoa(round)
	}
	if cp.Check == nil {
		p.add(id, cp.Goal, StepSkipped, CodeNotExamined, "no machine can tell it: "+cp.SuccessCondition)
		return
	}
	checks := append([]workflow.Check{*cp.Check}, cp.MoreChecks...)
	if err := p.await(ctx, checks, sc); err != nil {
		p.failed(ctx, id, workflow.Step{Title: cp.Goal}, err)
		return
	}
	var bad, unknown []string
	for _, c := range checks {
		verdict := unknowable
		if c.Extra["open"] != "" {
			verdict = p.elsewhere(ctx, c, sc)
		} else {
			verdict = p.judge(ctx, c, sc)
		}
		switch verdict {
		case fails:
			bad = append(bad, p.difference(c, sc))
		case unknowable:
			unknown = append(unknown, subject(c))
		}
	}
	switch {
	case ctx.Err() != nil:
		p.failed(ctx, id, workflow.Step{Title: cp.Goal}, ctx.Err())
	case len(bad) > 0:
		p.stop(id, cp.Goal, StepFailed, CodeCheckFailed, strings.Join(bad, "; "))
		p.keepEvidence(ctx, id)
	case len(unknown) > 0:
		p.add(id, cp.Goal, StepSkipped, CodeNotExamined, "could not be looked at here: "+strings.Join(unknown, ", "))
	default:
		p.pass(id, cp.Goal, p.clean(cp.SuccessCondition))
		p.effect(ctx, cp, s, sc, round)
	}
}

// subject names what a check that could not be judged is about.
func subject(c workflow.Check) string {
	if c.Kind == "process" {
		return fmt.Sprintf("whether the program `%s` runs", c.Name)
	}
	return c.Kind
}

// await waits until everything that a page shows is as the checks want it, or their time is up.
func (p *play) await(ctx context.Context, checks []workflow.Check, sc *scene) error {
	if sc.command == nil { // a file comes when it comes; a command's are there when it has ended
		p.awaitFiles(ctx, checks, sc)
	}
	if p.browser == nil || !slices.ContainsFunc(checks, func(c workflow.Check) bool { return onState(c) || c.Kind == "text" || c.Kind == "element" }) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, checkpointTime)
	defer cancel()
	st, _, err := p.browser.Settle(limited, func(st capture.State) bool {
		sc.hear(st)
		return !slices.ContainsFunc(checks, func(c workflow.Check) bool {
			return onState(c) && c.Extra["open"] == "" && p.supply.state(c, st, sc) == fails
		})
	})
	if err != nil {
		return err
	}
	sc.hear(st)
	p.state = st
	if slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.Kind == "text" }) {
		page, err := p.browser.Read(ctx)
		if err != nil {
			return err
		}
		sc.text = page.Text
	}
	return nil
}

// awaitFiles waits for the files of an act on a page.
func (p *play) awaitFiles(ctx context.Context, checks []workflow.Check, sc *scene) {
	ctx, cancel := context.WithTimeout(ctx, checkpointTime)
	defer cancel()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.Kind == "file" && p.supply.other(c, sc) == fails }) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// elsewhere judges a check of another page, in a tab of its own.
func (p *play) elsewhere(ctx context.Context, c workflow.Check, sc *scene) ruling {
	base, err := url.Parse(p.state.URL)
	to := p.supply.address(c.Extra["open"])
	if err != nil || p.browser == nil || strings.Contains(to, unknown) {
		return unknowable
	}
	at, err := base.Parse(to)
	if err != nil {
		return unknowable
	}
	page, ok := p.peek(ctx, at.String())
	if err := p.browser.Return(ctx); err != nil || !ok {
		return unknowable
	}
	if onState(c) {
		return p.supply.state(c, page.State, &scene{before: sc.before, past: sc.past, room: sc.room})
	}
	return p.supply.other(c, &scene{text: page.Text, room: sc.room})
}

func (p *play) judge(ctx context.Context, c workflow.Check, sc *scene) ruling {
	switch {
	case onState(c):
		if p.browser == nil {
			return unknowable
		}
		return p.supply.state(c, p.state, sc)
	case c.Kind == "element":
		if p.browser == nil {
			return unknowable
		}
		name := p.supply.text(orThe(c.Name, c.Expect))
		has, err := p.browser.Has(ctx, &capture.Target{Role: c.Role, Name: name})
		if err != nil {
			return unknowable
		}
		return gone(c, has)
	case c.Kind == "text" && p.browser == nil:
		return unknowable
	}
	return p.supply.other(c, sc)
}

// difference says what a check expected and what was there, without anybody's data: headings, messages and counts are the
// page's own words, a field's value is not.
func (p *play) difference(c workflow.Check, sc *scene) string {
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
		return fmt.Sprintf("expected %sthe address %s; it is %s", not, c.Expect, routeOf(p.state.URL))
	case "heading":
		return fmt.Sprintf("expected %sthe heading %q; %s", not, c.Expect, was("heading", p.state.Headings))
	case "dialog":
		return fmt.Sprintf("expected %sthe dialog %q; %s", not, orThe(c.Expect, c.Name), was("dialog", p.state.Dialogs))
	case "alert":
		return fmt.Sprintf("expected %sthe message %q; %s", not, c.Expect, was("message", sc.alerts))
	case "text":
		return fmt.Sprintf("expected %sthe text %q on the page", not, c.Expect)
	case "element":
		return fmt.Sprintf("expected %sthe %s %q on the page", not, orThe(c.Role, "element"), orThe(c.Name, c.Expect))
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
		return fmt.Sprintf("expected %sthe file %s of its kind, not empty; %s", not, c.Expect, map[bool]string{true: "it is there", false: "there is none"}[c.Gone])
	case "exit_code":
		if k := sc.command.Killed; k != "" {
			return fmt.Sprintf("expected `%s` to end by itself; it was ended: %s", c.Name, k)
		}
		return fmt.Sprintf("expected `%s` to end with exit code %s; it was %d", c.Name, c.Expect, sc.command.ExitCode) + p.maybeNetwork(c.Name)
	case "output":
		return fmt.Sprintf("expected %sthe output to hold %q", not, c.Expect)
	case "process":
		return fmt.Sprintf("expected the program `%s` to be running after the command; it does not run, or ended at once", c.Name)
	}
	return "expected " + c.Kind
}

func (p *play) rowsDiffer(c workflow.Check, sc *scene) string {
	now, _ := p.supply.table(c, p.state)
	if c.Delta == 0 {
		return fmt.Sprintf("expected at least %s rows in the list %q; there are %d", orThe(c.Extra["min"], "1"), c.Name, now.Rows)
	}
	was, _ := p.supply.baseline(c, p.state, sc)
	return fmt.Sprintf("expected the list %q to have %+d rows; it had %d and has %d", c.Name, c.Delta*sc.each(c), was.Rows, now.Rows)
}
