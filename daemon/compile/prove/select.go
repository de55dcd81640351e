package prove

import (
	"cmp"
	"slices"
	"sync"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// choose keeps, in order, the smallest set of candidates that tells success from failure:
//
//	strict    all of them
//	guided    every effect; the last state; the page of every form that was accepted; and the first page that proves,
//	          by an input's value, that it is the right one
//	adaptive  every effect and the last state
func choose(all []*Candidate, mode string, names *decision.IDs) []*Candidate {
	all = lastOfCommands(all)
	if mode == "strict" {
		return number(all, names)
	}
	proven := map[string]bool{}
	var kept []*Candidate
	for i, c := range all {
		keep := c.Changes || c.last && !(len(kept) > 0 && c.looksOnly())
		if mode != "adaptive" {
			keep = keep || c.Seg.Outcome.Verb == capture.Submit && !flow.Searches(c.Seg.Outcome) || c.proves(proven, all[i+1:])
		}
		if !keep {
			continue
		}
		for _, id := range c.inputs {
			proven[id] = true
		}
		kept = append(kept, c)
	}
	return number(kept, names)
}

// proves reports whether a page shows an input that no earlier checkpoint proved. Search results count only if no later
// page shows the input: once the object is open it is clear that it was found.
func (c *Candidate) proves(proven map[string]bool, later []*Candidate) bool {
	return slices.ContainsFunc(c.inputs, func(id string) bool {
		if proven[id] {
			return false
		}
		return !flow.Searches(c.Seg.Outcome) || !slices.ContainsFunc(later, func(l *Candidate) bool { return slices.Contains(l.inputs, id) })
	})
}

// lastOfCommands keeps the last of several successive commands in one part of the work that only read. A command that
// only prepares is kept if only reading follows it.
func lastOfCommands(all []*Candidate) []*Candidate {
	var out []*Candidate
	for i, c := range all {
		quiet := c.Seg.Outcome.Act.Command != nil && (!c.Changes || c.isMinor() && c.Check.Kind == "exit_code")
		if quiet && i+1 < len(all) {
			next := all[i+1].Seg
			if !(c.Changes && all[i+1].looksOnly()) && next.Outcome.Act.Command != nil && next.Title == c.Seg.Title &&
				next.Outcome.Loop == c.Seg.Outcome.Loop {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// minor are commands that only prepare the next one, which fails if they failed.
var minor = sync.OnceValue(func() map[string]bool {
	m := plain.Set("mkdir chmod touch ln cd export set source")
	m["git add"], m["git fetch"] = true, true
	return m
})

func (c *Candidate) isMinor() bool {
	command := c.Seg.Outcome.Act.Command
	return minor()[shell.Read(command).DisplayName(shell.ProgramOf(command))]
}

// looksOnly reports whether the outcome is a command that only shows what was done. It may be the last step but is no
// state to reach.
func (c *Candidate) looksOnly() bool {
	command := c.Seg.Outcome.Act.Command
	return command != nil && shell.Read(command).OnlyLooks()
}

func number(cs []*Candidate, names *decision.IDs) []*Candidate {
	for i, c := range cs {
		c.CheckpointID = names.Of("cp-", c.Seg.Outcome.Col.Anchors()...)
		c.OrderHint = i + 1
	}
	return cs
}

// cover assigns every step the checkpoint that proves it: the first one at or after it.
func cover(steps []*flow.Step, cs []*Candidate) {
	next := 0
	for _, st := range steps {
		if next < len(cs) {
			st.Checkpoint = cs[next].CheckpointID
		}
		for next < len(cs) && cs[next].StepID == st.StepID {
			next++
		}
	}
}

// editCheckpointList rewords and removes checkpoints by the edits of revisions. Ids stay the same for later edits.
func editCheckpointList(cs []*Candidate, e decision.Edits) []*Candidate {
	var out []*Candidate
	for _, c := range cs {
		if e.Has(decision.EditNoCheckpoints, c.CheckpointID) {
			continue
		}
		c.without(e.KindsOf(c.CheckpointID))
		if goal, condition := e.Checkpoint(c.CheckpointID); goal != "" || condition != "" {
			c.Goal, c.SuccessCondition = cmp.Or(goal, c.Goal), cmp.Or(condition, c.SuccessCondition)
		}
		out = append(out, c)
	}
	return out
}

// without removes the checks of these kinds and their part of the condition. If no check is left, only a person can
// judge.
func (c *Candidate) without(kinds []string) {
	if len(kinds) == 0 {
		return
	}
	var checks []workflow.Check
	var said []string
	for i, k := range c.Checks() {
		if slices.Contains(kinds, k.Kind) {
			continue
		}
		checks = append(checks, k)
		if i < len(c.said) && c.said[i] != "" {
			said = append(said, c.said[i])
		}
	}
	if len(checks) == 0 {
		checks = []workflow.Check{{Kind: "manual", Expect: c.Goal}}
	}
	c.Check, c.MoreChecks = &checks[0], checks[1:]
	if len(said) > 0 {
		c.SuccessCondition = page.Cut(plain.UpperFirst(sentences(said))+".", 240)
	}
}
