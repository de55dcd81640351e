package perform

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// aheadTime is how long a page may take to show the target of the next step.
const aheadTime = 3 * time.Second

// ahead checks whether what comes next is on the page at which a canary ends, without touching it: the target of the next
// step, and those of the steps after it that the demonstration made on the same page as it was then. A target that needs
// an unknown value is not looked for.
func (p *Performance) ahead(ctx context.Context, done []workflow.Step) {
	rest := policy.After(p.Req.Draft.Graph, done)
	if p.stopped != "" || ctx.Err() != nil || len(rest) == 0 || rest[0].Optional || !p.looksFor(rest[0]) {
		return
	}
	if err := p.comeTo(ctx, rest[0]); err != nil {
		p.tab.failed(ctx, "ahead."+rest[0].StepID, rest[0], err)
		return
	}
	seen := slices.Clone(done)
	for _, s := range policy.InSight(rest) {
		if !p.looksFor(s) || !p.sees(ctx, s) {
			return
		}
		seen = append(seen, s)
	}
	if p.Req.Run.RunLabel == record.LookLabel {
		p.beyond(ctx, seen)
	}
}

// looksFor reports whether a canary can look for a step's target. Of a loop that is its first round's.
func (p *Performance) looksFor(s workflow.Step) bool {
	return s.Surface == policy.OnBrowser && s.Target != nil && s.When == nil && p.known(s.Target)
}

// sees waits for a step's target and says whether it is there.
func (p *Performance) sees(ctx context.Context, s workflow.Step) bool {
	id, label := "ahead."+s.StepID, "what comes next: "+s.Title
	out, missing, err := p.waitFor(ctx, s, aheadTime)
	switch {
	case err != nil:
		p.Add(id, label, record.StepSkipped, record.CodeMachineFailed, "the browser did not say what is on the page")
		return false
	case out == nil:
		p.Add(id, label, record.StepFailed, record.CodeTargetMissing, p.missed(s, missing))
		return false
	}
	p.tab.beside(s, out.Beside)
	if len(out.Drift) > 0 {
		p.tab.drifted(s, *out)
	}
	p.Pass(id, label, p.clean(strings.Join(out.Drift, "; ")))
	return true
}

// waitFor waits for a step's target: what was found, or what was there instead. The error means that the page could not be read.
func (p *Performance) waitFor(ctx context.Context, s workflow.Step, most time.Duration) (*port.Outcome, *port.NotFound, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var missing *port.NotFound
	for looked := false; ; {
		has, out, err := p.sight(ctx, s)
		looked = errors.As(err, &missing) || looked || err == nil
		switch {
		case err == nil && has:
			return &out, nil, nil
		case ctx.Err() != nil && looked:
			return nil, missing, nil
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		}
		select {
		case <-ctx.Done():
		case <-time.After(150 * time.Millisecond):
		}
	}
}

// missed says what was not in sight, and what is there instead where the browser can.
func (p *Performance) missed(s workflow.Step, nf *port.NotFound) string {
	if nf == nil {
		return "nothing on the page is like it"
	}
	p.tab.beside(s, nf.Beside)
	return p.clean(notFoundWords(nf, p.supply.Hide(nf.Wanted)))
}

// sight looks for a step's target, and says what was found where the browser can.
func (p *Performance) sight(ctx context.Context, s workflow.Step) (bool, port.Outcome, error) {
	if b, ok := p.tab.browser.(port.Sighted); ok {
		return b.Sight(ctx, p.aim(s.Target))
	}
	has, err := p.tab.browser.Has(ctx, p.aim(s.Target))
	return has, port.Outcome{}, err
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
