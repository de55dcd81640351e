package perform

import (
	"context"
	"maps"
	"slices"
	"time"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
)

// laterTime is how long after a change it is looked up once more, where that was asked for.
const laterTime = 2 * time.Second

// deed is what a second look at a step needs, so that it can be repeated later as if nothing had been done since.
type deed struct {
	checkpoint workflow.Checkpoint
	step       workflow.Step
	scene      *check.Scene
	label      string
	at         time.Time
	trail      trail
	state      capture.State
	past       []capture.State
}

// deedNow is the record of the step just done.
func (p *reviewer) deedNow(ctx context.Context, cp workflow.Checkpoint, s workflow.Step, sc *check.Scene, label string) *deed {
	p.trail.wrote, p.trail.refused = len(p.guard.Writes()) > 0, p.guard.Refused()
	p.trail.live, p.trail.frames = port.Page{}, nil
	if now, err := p.tab.browser.Read(ctx); err == nil {
		p.trail.live = now
	}
	if s.Target != nil && s.Target.Frame != "" {
		p.trail.frames = p.tab.browser.Frames(ctx)
	}
	d := &deed{checkpoint: cp, step: s, scene: sc, label: label, at: time.Now(), trail: *p.trail, state: p.tab.state,
		past: slices.Clone(p.tab.past)}
	d.trail.sights, d.trail.entered, d.trail.set = p.trail.seenSoFar(), slices.Clone(p.trail.entered), slices.Clone(p.trail.set)
	d.trail.things = slices.Clone(p.trail.things)
	return d
}

// lookLater looks once more at the last change that was confirmed: a site may revert it, or may never have stored it.
// If something was written since, the result may differ for that reason.
func (p *reviewer) lookLater(ctx context.Context) {
	d := p.latest
	if !p.Req.LookLater || d == nil || p.stopped != "" || p.guard.WroteSince(d.step.StepID) {
		return
	}
	select {
	case <-time.After(time.Until(d.at.Add(laterTime))):
	case <-ctx.Done():
		return
	}
	was, state, past := *p.trail, p.tab.state, p.tab.past
	defer func() { *p.trail, p.tab.state, p.tab.past = was, state, past }()
	*p.trail, p.tab.state, p.tab.past = d.trail, d.state, d.past
	p.trail.sights = maps.Clone(d.trail.sights)
	r := p.lookAgain(ctx, d.checkpoint, d.step, d.scene)
	id, label := "later."+d.step.StepID, "it is still so two seconds later: "+d.label
	if err := p.tab.browser.Return(ctx); err != nil {
		p.tab.failed(ctx, id, workflow.Step{Title: label}, err)
		return
	}
	switch shown := r.Proof(); {
	case ctx.Err() != nil:
	case r.Against == "" && shown != "":
		p.Pass(id, label, p.clean(shown))
	default:
		p.stop(id, label, record.StepFailed, record.CodeNoEffect, "it was there at first, and is not any more")
		p.tab.keepEvidence(ctx, id)
	}
}
