package compile

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// seen is one time that a step could have been taken: in a demonstration or in a round of a loop.
type seen struct {
	trace int
	taken *act // nil: it was not
	at    *capture.State
	round int // -1 outside a loop
}

// condition finds out when a step that some demonstrations, or some rounds, did without is needed: what is told of it, what a
// machine can check, nothing when it was not seen.
func (st *step) condition(s *study, n *names) {
	times := s.times(st.col)
	if all2(times, func(t seen) bool { return t.taken != nil }) {
		return
	}
	if s.leftAsItCame(st.col, nil) {
		return // it was sent as the page had it
	}
	if st.leadsBack(times) {
		return // the way to the next one, which nobody takes after the last
	}
	st.Optional = true
	if a, ok := s.in.answer(st.StepID, fieldBranch); ok {
		switch strings.ToLower(a) {
		case "always":
			st.Optional = false
		case "", "never":
		default:
			st.Condition = a
		}
		return
	}
	for _, find := range []func([]seen, *study, *names) (string, *workflow.Check){byDialog, byInput, byState} {
		if words, check := find(times, s, n); words != "" {
			st.Condition, st.When = words, check
			return
		}
	}
	st.disputed = !s.variedBetween(times)
}

// leadsBack reports whether a step of a loop only leads on to the next round: every round took it but the last of each
// demonstration.
func (st *step) leadsBack(times []seen) bool {
	if !onlyMoves(st.act) && st.act.command == nil || st.act.run == nil {
		return false
	}
	for i, t := range times {
		last := i+1 == len(times) || times[i+1].trace != t.trace
		if t.round < 0 || t.taken == nil && !last {
			return false
		}
	}
	return true
}

func all2(times []seen, f func(seen) bool) bool {
	return !slices.ContainsFunc(times, func(t seen) bool { return !f(t) })
}

// times lists when a column's step was taken and when not, with what was to be seen just before.
func (s *study) times(c *column) []seen {
	var out []seen
	at := slices.Index(s.cols, c)
	for t, a := range c.acts {
		if a == nil {
			out = append(out, seen{trace: t, at: s.before(at, t), round: -1})
			continue
		}
		if a.run == nil {
			out = append(out, seen{trace: t, taken: a, at: a.stateBefore(), round: -1})
			continue
		}
		for k, round := range a.run.rounds {
			x := seen{trace: t, taken: round[a.place], round: k}
			if x.taken != nil {
				x.at = x.taken.stateBefore()
			} else {
				x.at = lastState(round[:a.place])
			}
			out = append(out, x)
		}
	}
	return out
}

// before is what a demonstration showed when it came to the place of a step that it did without.
func (s *study) before(at, trace int) *capture.State {
	for _, c := range slices.Backward(s.cols[:at]) {
		if a := c.acts[trace]; a != nil && a.after != nil {
			return a.after
		}
	}
	return nil
}

func lastState(acts []*act) *capture.State {
	for _, a := range slices.Backward(acts) {
		if a != nil && a.after != nil {
			return a.after
		}
	}
	return nil
}

// byDialog: the step answers a dialog that came up.
func byDialog(times []seen, s *study, n *names) (string, *workflow.Check) {
	return byTexts(times, s, n, "dialog", func(st *capture.State) []string { return st.Dialogs }, `the dialog "%s" is shown`)
}

// byState: a message or another page was there when the step was taken, and not when it was left.
func byState(times []seen, s *study, n *names) (string, *workflow.Check) {
	if words, check := byTexts(times, s, n, "alert", func(st *capture.State) []string { return st.Alerts }, `the message "%s" is shown`); words != "" {
		return words, check
	}
	if words, check := byTexts(times, s, n, "heading", func(st *capture.State) []string { return withoutCounts(st.Headings) }, `the heading "%s" is shown`); words != "" {
		return words, check
	}
	invalid := func(st *capture.State) []string { return st.Invalid }
	words, _ := byTexts(times, s, n, "", invalid, `"%s" is marked as not valid`)
	return words, nil
}

// withoutCounts are headings without what they count.
func withoutCounts(headings []string) []string {
	var out []string
	for _, h := range headings {
		out = append(out, plain.Squeeze(countForm.ReplaceAllString(h, "")))
	}
	return out
}

// byTexts finds a text of the page that was there every time the step was taken and never when it was not.
func byTexts(times []seen, s *study, n *names, kind string, of func(*capture.State) []string, words string) (string, *workflow.Check) {
	var common []string
	first := true
	for _, t := range times {
		if t.taken == nil {
			continue
		}
		var here []string
		for _, text := range of(t.state()) {
			here = append(here, s.gens[t.trace].text(plain.Squeeze(text)))
		}
		if first {
			common = here
		}
		common = slices.DeleteFunc(slices.Clone(common), func(x string) bool { return !slices.Contains(here, x) })
		first = false
	}
	for _, t := range times {
		if t.taken != nil {
			continue
		}
		for _, text := range of(t.state()) {
			tmpl := s.gens[t.trace].text(plain.Squeeze(text))
			common = slices.DeleteFunc(common, func(x string) bool { return x == tmpl })
		}
	}
	for _, tmpl := range common {
		if plain.Letters(refForm.ReplaceAllString(tmpl, "")) == 0 {
			continue
		}
		var check *workflow.Check
		if kind != "" {
			check = &workflow.Check{Kind: kind, Expect: n.machine(tmpl)}
			if kind == "dialog" {
				check.Name = check.Expect
			}
		}
		return fmt.Sprintf(words, n.prose(tmpl)), check
	}
	return "", nil
}

func (t seen) state() *capture.State {
	if t.at == nil {
		return &capture.State{}
	}
	return t.at
}

// byInput finds a choice that was this whenever the step was taken and something else whenever it was not.
func byInput(times []seen, s *study, n *names) (string, *workflow.Check) {
	for _, p := range s.params {
		if !p.varied || p.Role != workflow.RoleInput || p.source != "chosen" && p.source != "ticked" {
			continue
		}
		value, ok := "", true
		for _, t := range times {
			text := p.at(t)
			if t.taken == nil || text == "" {
				ok = ok && (t.taken == nil || text != "")
				continue
			}
			ok = ok && (value == "" || strings.EqualFold(value, text))
			value = text
		}
		for _, t := range times {
			ok = ok && (t.taken != nil || p.at(t) != "" && !strings.EqualFold(p.at(t), value))
		}
		i := slices.IndexFunc(p.Options, func(o string) bool { return strings.EqualFold(o, value) })
		if ok && value != "" && i >= 0 {
			return fmt.Sprintf("{%s} is %s", p.Name, quoteChoice(p, p.Options[i])), &workflow.Check{Kind: "input", Name: p.Name, Expect: p.Options[i]}
		}
	}
	return "", nil
}

func quoteChoice(p *param, value string) string {
	if p.source == "ticked" {
		return value
	}
	return `"` + value + `"`
}

// at is the value at a time: of the demonstration, or of a round where the loop has several.
func (p *param) at(t seen) string {
	if t.round > 0 && p.inLoop {
		k := -1
		for i, of := range p.roundOf {
			if of != t.trace {
				continue
			}
			if k++; k == t.round-1 {
				return p.rounds[i]
			}
		}
	}
	if t.trace < len(p.texts) {
		return p.texts[t.trace]
	}
	return ""
}

// variedBetween reports whether any value was another when the step was taken than when it was not. When none was, the
// demonstrations contradict each other.
func (s *study) variedBetween(times []seen) bool {
	return slices.ContainsFunc(s.params, func(p *param) bool {
		return p.varied && slices.ContainsFunc(times, func(x seen) bool {
			return slices.ContainsFunc(times, func(y seen) bool {
				return (x.taken == nil) != (y.taken == nil) && p.at(x) != "" && p.at(y) != "" && !strings.EqualFold(p.at(x), p.at(y))
			})
		})
	})
}
