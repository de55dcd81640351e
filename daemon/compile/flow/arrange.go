package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// arrange applies the person's edits to the order and the parts of the steps.
func arrange(steps []*Step, e decision.Edits) ([]*Step, error) {
	who, moves := e.Pairs(decision.EditMove)
	for _, id := range who {
		var err error
		if steps, err = move(steps, id, moves[id]); err != nil {
			return nil, err
		}
	}
	if cuts, ok := e.List(decision.EditSplit); ok && len(cuts) > 0 {
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

// move moves a step to another place, only where that is safe: among the fields of one form, or past steps that share
// neither a page nor files with it.
func move(steps []*Step, id, to string) ([]*Step, error) {
	side, other, _ := strings.Cut(strings.TrimSpace(to), " ")
	find := func(id string) int { return slices.IndexFunc(steps, func(st *Step) bool { return st.StepID == id }) }
	i, j := find(id), find(strings.TrimSpace(other))
	if i < 0 || j < 0 || side != "before" && side != "after" {
		return nil, fault.Newf(fault.InvalidRequest, "the step %s cannot be moved %s: there is no such step", page.Cut(id, 20), page.Cut(to, 40)).
			WithHint(`write {"s5": "before s2"}`)
	}
	if i == j {
		return steps, nil
	}
	for k := min(i, j); k <= max(i, j); k++ {
		if k != i && (k != j || (side == "before") == (j < i)) && !independent(steps[i], steps[k]) {
			return nil, fault.Newf(fault.InvalidRequest, "the step %q cannot change places with %q: what one leads to, the other needs",
				page.Cut(steps[i].Title, 80), page.Cut(steps[k].Title, 80)).
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

// independent reports whether two steps can change places: two fields of one page, neither of which led to another
// state, or steps in the shell and elsewhere that share no file and no value.
func independent(a, b *Step) bool {
	if a.Loop != b.Loop {
		return false
	}
	if a.Act.Surface == workflow.OnBrowser && b.Act.Surface == workflow.OnBrowser {
		return a.Act.Fills() && b.Act.Fills() && !changes(a) && !changes(b) && page.PathOf(a.Act.URLBefore()) == page.PathOf(b.Act.URLBefore()) &&
			a.Act.Tab() == b.Act.Tab()
	}
	if (a.Act.Surface == workflow.OnShell) != (b.Act.Surface == workflow.OnShell) {
		return a.Act.File == nil && b.Act.File == nil && !sharesRef(a, b)
	}
	return a.Act.Command != nil && b.Act.Command != nil && !writes(a) && !writes(b)
}

func sharesRef(a, b *Step) bool {
	for _, id := range append(page.RefsOf(a.ValueTemplate), page.RefsOf(a.CommandTemplate)...) {
		if slices.Contains(append(page.RefsOf(b.ValueTemplate), page.RefsOf(b.CommandTemplate)...), id) {
			return true
		}
	}
	return false
}

// KeepPart drops the other parts when only one is wanted, and returns a note about it.
func KeepPart(steps []*Step, e decision.Edits) (kept []*Step, leftOut []string) {
	want := plain.Number(e.Text(decision.EditKeepPart))
	if want == 0 || !slices.ContainsFunc(steps, func(st *Step) bool { return st.Part == want }) {
		return steps, nil
	}
	kept = slices.DeleteFunc(slices.Clone(steps), func(st *Step) bool { return st.Part != want })
	for _, st := range kept {
		st.Part = 0
	}
	return kept, []string{fmt.Sprintf("The other parts of the work, %s: only part %d was wanted.", stepsWord(len(steps)-len(kept)), want)}
}

func stepsWord(n int) string {
	if n == 1 {
		return "one step"
	}
	return strconv.Itoa(n) + " steps"
}
