package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// arrange puts steps into the order, and the parts, that a person wants.
func arrange(steps []*step, e edited) ([]*step, error) {
	who, moves := e.pairs(editMove)
	for _, id := range who {
		var err error
		if steps, err = move(steps, id, moves[id]); err != nil {
			return nil, err
		}
	}
	if cuts, ok := e.list(editSplit); ok && len(cuts) > 0 {
		part := 1
		for i, st := range steps {
			st.Part = part
			if slices.Contains(cuts, st.StepID) && i+1 < len(steps) {
				part++
			}
		}
		if part == 1 {
			for _, st := range steps {
				st.Part = 0
			}
		}
	}
	return steps, nil
}

// move takes a step to another place. Only where that is safe: among the fields of one form, or over steps that touch neither
// the same page nor the same files.
func move(steps []*step, id, to string) ([]*step, error) {
	side, other, _ := strings.Cut(strings.TrimSpace(to), " ")
	find := func(id string) int { return slices.IndexFunc(steps, func(st *step) bool { return st.StepID == id }) }
	i, j := find(id), find(strings.TrimSpace(other))
	if i < 0 || j < 0 || side != "before" && side != "after" {
		return nil, fault.Newf(fault.InvalidRequest, "the step %s cannot be moved %s: there is no such step", cut(id, 20), cut(to, 40)).
			WithHint(`write {"s5": "before s2"}`)
	}
	if i == j {
		return steps, nil
	}
	for k := min(i, j); k <= max(i, j); k++ {
		if k != i && (k != j || (side == "before") == (j < i)) && !independent(steps[i], steps[k]) {
			return nil, fault.Newf(fault.InvalidRequest, "the step %q cannot change places with %q: what one leads to, the other needs", cut(steps[i].Title, 80), cut(steps[k].Title, 80)).
				WithHint("only fields of one form, and steps that have nothing to do with each other, can change places")
		}
	}
	st := steps[i]
	steps = slices.Delete(slices.Clone(steps), i, i+1)
	at := find(strings.TrimSpace(other))
	if side == "after" {
		at++
	}
	return slices.Insert(steps, at, st), nil
}

// independent reports whether two steps can change places: two fields of one page, neither of which led to another state.
func independent(a, b *step) bool {
	if a.loop != b.loop {
		return false
	}
	if a.act.surface == workflow.OnBrowser && b.act.surface == workflow.OnBrowser {
		return a.act.fills() && b.act.fills() && !changes(a) && !changes(b) && pathOf(a.act.urlBefore()) == pathOf(b.act.urlBefore()) && a.act.tab() == b.act.tab()
	}
	if (a.act.surface == workflow.OnShell) != (b.act.surface == workflow.OnShell) {
		return a.act.file == nil && b.act.file == nil && !sharesRef(a, b)
	}
	return a.act.command != nil && b.act.command != nil && !writes(a) && !writes(b)
}

func sharesRef(a, b *step) bool {
	for _, id := range append(refsOf(a.value), refsOf(a.command)...) {
		if slices.Contains(append(refsOf(b.value), refsOf(b.command)...), id) {
			return true
		}
	}
	return false
}

// partsOf lists the numbers of the parts that a work was split into.
func partsOf(steps []workflow.Step) []int {
	var out []int
	for _, s := range steps {
		if s.Part > 0 && !slices.Contains(out, s.Part) {
			out = append(out, s.Part)
		}
	}
	return out
}

// keepPart leaves out the other parts when only one is wanted.
func (d *draft) keepPart() {
	want := atoi(edited{d.in.Edits}.text(editKeepPart))
	if want == 0 || !slices.ContainsFunc(d.steps, func(st *step) bool { return st.Part == want }) {
		return
	}
	n := len(d.steps)
	d.steps = slices.DeleteFunc(d.steps, func(st *step) bool { return st.Part != want })
	for _, st := range d.steps {
		st.Part = 0
	}
	d.leftOut = append(d.leftOut, fmt.Sprintf("The other parts of the work, %s: only part %d was wanted.", stepsWord(n-len(d.steps)), want))
}

func stepsWord(n int) string {
	if n == 1 {
		return "one step"
	}
	return strconv.Itoa(n) + " steps"
}
