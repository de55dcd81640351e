package compile

import (
	"fmt"
	"slices"
)

// choose keeps the smallest set of candidates that tells success from failure, in order.
//
//	strict    all of them
//	guided    every effect; the last state; and a page that names an input which nothing later proves
//	adaptive  every effect and the last state
func choose(all []*candidate, mode string) []*candidate {
	all = lastOfCommands(all)
	if mode == "strict" {
		return number(all)
	}
	proven := map[string]bool{}
	var kept []*candidate
	for _, c := range slices.Backward(all) {
		keep := c.effect || c.last
		if mode != "adaptive" {
			for _, id := range c.inputs {
				keep = keep || !proven[id]
			}
		}
		if !keep {
			continue
		}
		if c.effect {
			// What an effect's page shows proves nothing about the way to the next one, so each part proves its own.
			clear(proven)
		}
		for _, id := range c.inputs {
			proven[id] = true
		}
		kept = append(kept, c)
	}
	slices.Reverse(kept)
	return number(kept)
}

// lastOfCommands keeps of commands in a row that only read, each in the same part of the work, the last one.
func lastOfCommands(all []*candidate) []*candidate {
	var out []*candidate
	for i, c := range all {
		quiet := c.seg.outcome.act.command != nil && !c.effect
		if quiet && i+1 < len(all) {
			next := all[i+1].seg
			if next.outcome.act.command != nil && next.title == c.seg.title && next.outcome.loop == c.seg.outcome.loop {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

func number(cs []*candidate) []*candidate {
	for i, c := range cs {
		c.CheckpointID = fmt.Sprintf("cp-%02d", i+1)
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
		if goal, condition := e.checkpoint(c.CheckpointID); goal != "" || condition != "" {
			c.Goal, c.SuccessCondition = orThe(goal, c.Goal), orThe(condition, c.SuccessCondition)
		}
		out = append(out, c)
	}
	return out
}
