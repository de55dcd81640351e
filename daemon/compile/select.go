package compile

import (
	"cmp"
	"slices"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// choose keeps the smallest set of candidates that tells success from failure, in order.
//
//	strict    all of them
//	guided    every effect; the last state; a form's page that was accepted; and the first page that shows, by an input's
//	          value, that it is the right one
//	adaptive  every effect and the last state
func choose(all []*candidate, mode string, names *ids) []*candidate {
	all = lastOfCommands(all)
	if mode == "strict" {
		return number(all, names)
	}
	proven := map[string]bool{}
	var kept []*candidate
	for i, c := range all {
		keep := c.effect || c.last && !(len(kept) > 0 && c.looksOnly())
		if mode != "adaptive" {
			keep = keep || c.seg.outcome.Verb == capture.Submit && !searches(c.seg.outcome) || c.proves(proven, all[i+1:])
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

// proves reports whether a page shows an input that nothing before has shown. The results of a search prove only what no
// later page shows: that the thing was found is clear once it is open.
func (c *candidate) proves(proven map[string]bool, later []*candidate) bool {
	return slices.ContainsFunc(c.inputs, func(id string) bool {
		if proven[id] {
			return false
		}
		return !searches(c.seg.outcome) || !slices.ContainsFunc(later, func(l *candidate) bool { return slices.Contains(l.inputs, id) })
	})
}

// lastOfCommands keeps of commands in a row that only read, each in the same part of the work, the last one. One that only makes room
// stands for itself where nothing but a look follows it.
func lastOfCommands(all []*candidate) []*candidate {
	var out []*candidate
	for i, c := range all {
		quiet := c.seg.outcome.act.command != nil && (!c.effect || c.isMinor() && c.Check.Kind == "exit_code")
		if quiet && i+1 < len(all) {
			next := all[i+1].seg
			if !(c.effect && all[i+1].looksOnly()) && next.outcome.act.command != nil && next.title == c.seg.title && next.outcome.loop == c.seg.outcome.loop {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// minor commands only make room for the next one, which fails if they failed.
var minor = func() map[string]bool {
	m := set("mkdir chmod touch ln cd export set source")
	m["git add"], m["git fetch"] = true, true
	return m
}()

func (c *candidate) isMinor() bool {
	command := c.seg.outcome.act.command
	return minor[readLine(command).shown(programOf(command))]
}

// looksOnly reports whether the outcome is a command that shows what was done: a good last step, but no state to reach.
func (c *candidate) looksOnly() bool {
	command := c.seg.outcome.act.command
	return command != nil && readLine(command).onlyLooks()
}

func number(cs []*candidate, names *ids) []*candidate {
	for i, c := range cs {
		c.CheckpointID = names.of("cp-", c.seg.outcome.col.anchors()...)
		c.OrderHint = i + 1
	}
	return cs
}

// cover tells every step the checkpoint that proves it: the first one at or after it.
func cover(steps []*step, cs []*candidate) {
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

// editCheckpoints rewords and removes checkpoints as a revision says. Ids stay, so that a later edit means the same one.
func editCheckpointList(cs []*candidate, e edited) []*candidate {
	var out []*candidate
	for _, c := range cs {
		if e.has(editNoCheckpoints, c.CheckpointID) {
			continue
		}
		c.without(e.kindsOf(c.CheckpointID))
		if goal, condition := e.checkpoint(c.CheckpointID); goal != "" || condition != "" {
			c.Goal, c.SuccessCondition = cmp.Or(goal, c.Goal), cmp.Or(condition, c.SuccessCondition)
		}
		out = append(out, c)
	}
	return out
}

// without leaves out the checks of these kinds, and what the condition says of them. What is left to check when nothing is, only a
// person can tell.
func (c *candidate) without(kinds []string) {
	if len(kinds) == 0 {
		return
	}
	var checks []workflow.Check
	var said []string
	for i, k := range append([]workflow.Check{*c.Check}, c.MoreChecks...) {
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
		c.SuccessCondition = cut(plain.UpperFirst(sentences(said))+".", 240)
	}
}

// justLooks reports whether a step is a command that shows what is there and changes nothing.
func (s *step) justLooks() bool {
	return s.act.command != nil && !s.Effect && readLine(s.act.command).onlyLooks()
}
