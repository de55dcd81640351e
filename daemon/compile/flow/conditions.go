package flow

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// seen is one occasion on which a step could have been taken: a demonstration or a round of a loop.
type seen struct {
	trace int
	taken *align.Cell // nil if it was not taken
	at    *capture.State
	round int // -1 outside a loop
}

// condition determines when a step that some demonstrations or rounds omitted is needed, in words and as a machine
// check. It sets neither if that was not observed.
func (st *Step) condition(s *values.Study, n *Names) {
	times := times(s, st.Col)
	if each(times, func(t seen) bool { return t.taken != nil }) {
		return
	}
	if values.LeftAtDefault(s, st.Col, nil) {
		return // the form was sent with the page's default
	}
	if st.leadsBack(times) {
		return // it leads to the next round, so the last round omits it
	}
	st.Optional = true
	if a, ok := s.In.Answer(st.StepID, decision.FieldBranch); ok {
		switch strings.ToLower(a) {
		case "always":
			st.Optional = false
		case "", "never":
		default:
			st.Condition = decision.Condition(a)
		}
		return
	}
	for _, find := range []func([]seen, *values.Study, *Names) (string, *workflow.Check){byDialog, byInput, byState} {
		if words, check := find(times, s, n); words != "" {
			st.Condition, st.When = words, check
			return
		}
	}
	st.Disputed = !variedBetween(s, times)
	st.SameValues = st.Disputed && st.sameBetween(s, times)
}

// sameBetween reports whether every value, except the step's own, was observed to be the same when the step was taken
// and when it was not. A value that is known for one side only may have differed.
func (st *Step) sameBetween(s *values.Study, times []seen) bool {
	own := page.RefsOf(st.ValueTemplate)
	compared := false
	for _, p := range s.Params {
		if p.Derived != "" || slices.Contains(own, p.ParamID) {
			continue
		}
		for _, x := range times {
			for _, y := range times {
				a, b := valueAt(p, x), valueAt(p, y)
				if (x.taken == nil) == (y.taken == nil) || a == "" && b == "" {
					continue
				}
				if !strings.EqualFold(a, b) {
					return false
				}
				compared = true
			}
		}
	}
	return compared
}

// leadsBack reports whether a step of a loop only leads to the next round: every round took it except the last of each
// demonstration.
func (st *Step) leadsBack(times []seen) bool {
	if !trace.OnlyMoves(st.Act.Act) && st.Act.Command == nil || st.Act.Run == nil {
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

func each(times []seen, f func(seen) bool) bool {
	return !slices.ContainsFunc(times, func(t seen) bool { return !f(t) })
}

// times lists the occasions on which a column's step was taken or not, each with the state just before.
func times(s *values.Study, c *align.Column) []seen {
	var out []seen
	at := slices.Index(s.Columns, c)
	for t, a := range c.Acts {
		if a == nil {
			out = append(out, seen{trace: t, at: stateBefore(s, at, t), round: -1})
			continue
		}
		if a.Run == nil {
			out = append(out, seen{trace: t, taken: a, at: a.StateBefore(), round: -1})
			continue
		}
		for k, round := range a.Run.Rounds {
			x := seen{trace: t, taken: round[a.Place], round: k}
			if x.taken != nil {
				x.at = x.taken.StateBefore()
			} else {
				x.at = lastState(round[:a.Place])
			}
			out = append(out, x)
		}
	}
	return out
}

// stateBefore returns the state of a demonstration at the place of a step that it omitted, or nil.
func stateBefore(s *values.Study, at, trace int) *capture.State {
	for _, c := range slices.Backward(s.Columns[:at]) {
		if a := c.Acts[trace]; a != nil && a.After != nil {
			return a.After
		}
	}
	return nil
}

func lastState(acts []*align.Cell) *capture.State {
	for _, a := range slices.Backward(acts) {
		if a != nil && a.After != nil {
			return a.After
		}
	}
	return nil
}

// byDialog finds the dialog that the step answers.
func byDialog(times []seen, s *values.Study, n *Names) (string, *workflow.Check) {
	return byTexts(times, s, n, "dialog", func(st *capture.State) []string { return st.Dialogs }, `the dialog "%s" is shown`)
}

// byState finds a message or another page that was there whenever the step was taken, and never when it was not.
func byState(times []seen, s *values.Study, n *Names) (string, *workflow.Check) {
	if words, check := byTexts(times, s, n, "alert", func(st *capture.State) []string { return st.Alerts },
		`the message "%s" is shown`); words != "" {
		return words, check
	}
	if words, check := byTexts(times, s, n, "heading", func(st *capture.State) []string { return withoutCounts(st.Headings) },
		`the heading "%s" is shown`); words != "" {
		return words, check
	}
	invalid := func(st *capture.State) []string { return st.Invalid }
	words, _ := byTexts(times, s, n, "", invalid, `"%s" is marked as not valid`)
	return words, nil
}

// withoutCounts returns headings without their counts.
func withoutCounts(headings []string) []string {
	var out []string
	for _, h := range headings {
		out = append(out, plain.Squeeze(page.CountForm.ReplaceAllString(h, "")))
	}
	return out
}

// byTexts finds a text of the page that was there whenever the step was taken and never when it was not.
func byTexts(times []seen, s *values.Study, n *Names, kind string, of func(*capture.State) []string, words string) (string,
	*workflow.Check) {
	var common []string
	first := true
	for _, t := range times {
		if t.taken == nil {
			continue
		}
		var here []string
		for _, text := range of(t.state()) {
			here = append(here, s.Gens[t.trace].Text(plain.Squeeze(text)))
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
			tmpl := s.Gens[t.trace].Text(plain.Squeeze(text))
			common = slices.DeleteFunc(common, func(x string) bool { return x == tmpl })
		}
	}
	for _, tmpl := range common {
		if plain.Letters(page.RefForm.ReplaceAllString(tmpl, "")) == 0 {
			continue
		}
		var check *workflow.Check
		if kind != "" {
			check = &workflow.Check{Kind: kind, Expect: n.Machine(tmpl)}
			if kind == "dialog" {
				check.Name = check.Expect
			}
		}
		return fmt.Sprintf(words, n.Prose(tmpl)), check
	}
	return "", nil
}

func (t seen) state() *capture.State {
	if t.at == nil {
		return &capture.State{}
	}
	return t.at
}

// byInput finds a choice that had one value whenever the step was taken and another whenever it was not.
func byInput(times []seen, s *values.Study, n *Names) (string, *workflow.Check) {
	for _, p := range s.Params {
		if !p.Varied || p.Role != workflow.RoleInput || p.Source != "chosen" && p.Source != "ticked" {
			continue
		}
		value, ok := "", true
		for _, t := range times {
			text := valueAt(p, t)
			if t.taken == nil || text == "" {
				ok = ok && (t.taken == nil || text != "")
				continue
			}
			ok = ok && (value == "" || strings.EqualFold(value, text))
			value = text
		}
		for _, t := range times {
			ok = ok && (t.taken != nil || valueAt(p, t) != "" && !strings.EqualFold(valueAt(p, t), value))
		}
		i := slices.IndexFunc(p.Options, func(o string) bool { return strings.EqualFold(o, value) })
		if ok && value != "" && i >= 0 {
			return fmt.Sprintf("{%s} is %s", p.Name, quoteChoice(p, p.Options[i])), &workflow.Check{Kind: "input", Name: p.Name,
				Expect: p.Options[i]}
		}
	}
	return "", nil
}

func quoteChoice(p *values.Param, value string) string {
	if p.Source == "ticked" {
		return value
	}
	return `"` + value + `"`
}

// valueAt returns the value of a parameter in a demonstration, or in the round of a loop.
func valueAt(p *values.Param, t seen) string {
	if t.round > 0 && p.InLoop {
		k := -1
		for i, of := range p.RoundOf {
			if of != t.trace {
				continue
			}
			if k++; k == t.round-1 {
				return p.Rounds[i]
			}
		}
	}
	if t.trace < len(p.Texts) {
		return p.Texts[t.trace]
	}
	return ""
}

// variedBetween reports whether any value differed between the times when the step was taken and when it was not. If
// none did, the demonstrations contradict each other.
func variedBetween(s *values.Study, times []seen) bool {
	return slices.ContainsFunc(s.Params, func(p *values.Param) bool {
		return p.Varied && slices.ContainsFunc(times, func(x seen) bool {
			return slices.ContainsFunc(times, func(y seen) bool {
				return (x.taken == nil) != (y.taken == nil) && valueAt(p, x) != "" && valueAt(p, y) != "" &&
					!strings.EqualFold(valueAt(p, x), valueAt(p, y))
			})
		})
	})
}
