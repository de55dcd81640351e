package perform

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// aheadTime is how long a page may take to show the target of the next step.
const aheadTime = 3 * time.Second

// ahead checks whether the target of the next step is on the page at which a canary ends, without touching it. A
// target that needs an unknown value is not looked for.
func (p *Performance) ahead(ctx context.Context, done []workflow.Step) {
	all := p.Req.Draft.Graph.Steps
	if p.stopped != "" || ctx.Err() != nil || len(done) >= len(all) {
		return
	}
	s := all[len(done)]
	if s.Surface != policy.OnBrowser || s.Target == nil || s.Optional || s.When != nil || p.loopOf(s.StepID) != nil || !p.known(s.Target) {
		return
	}
	if err := p.comeTo(ctx, s); err != nil {
		p.tab.failed(ctx, "ahead."+s.StepID, s, err)
		return
	}
	id, label := "ahead."+s.StepID, "what comes next is there: "+s.Title
	ctx, cancel := context.WithTimeout(ctx, aheadTime)
	defer cancel()
	for looked := false; ; {
		has, err := p.tab.browser.Has(ctx, p.aim(s.Target))
		looked = looked || err == nil
		switch {
		case err == nil && has:
			p.Pass(id, label, "")
			return
		case ctx.Err() != nil && looked:
			p.Add(id, label, record.StepFailed, record.CodeTargetMissing, p.clean("nothing on the page is like it"))
			return
		case ctx.Err() != nil:
			p.Add(id, label, record.StepSkipped, record.CodeMachineFailed, "the browser did not say what is on the page")
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(150 * time.Millisecond):
		}
	}
}

// known reports whether this run has every value that a target's words need.
func (p *Performance) known(t *capture.Target) bool {
	for _, name := range supply.NamesIn(workflow.Step{Target: t}) {
		if p.supply.Bindings[name] == "" {
			return false
		}
	}
	return true
}
