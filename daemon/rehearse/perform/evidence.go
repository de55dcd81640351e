package perform

import (
	"context"
	"errors"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// failed records why a step could not be performed.
func (p *tab) failed(ctx context.Context, id string, s workflow.Step, err error) {
	var nf *port.NotFound
	var h *halt
	switch {
	case ctx.Err() != nil:
		p.Add(id, s.Title, record.StepSkipped, record.CodeNotPerformed, "the run was cancelled")
		p.stopped = "cancelled"
	case errors.As(err, &h):
		p.stop(id, s.Title, h.result, h.code, h.why)
	case errors.As(err, &nf):
		code := record.CodeTargetMissing
		if nf.Ambiguous {
			code = record.CodeTargetAmbiguous
		}
		p.beside(s, nf.Beside)
		p.stop(id, s.Title, record.StepFailed, code, notFoundWords(nf, p.supply.Hide(nf.Wanted)))
	default:
		why, code := fault.From(err).Message, record.CodeStepFailed
		switch fault.CodeOf(err) {
		case fault.AdapterUnavailable, fault.StoreFull, fault.UnsupportedInBuild, fault.Internal:
			code = record.CodeMachineFailed
		}
		if hint := fault.From(err).Hint; hint != "" {
			why += " (" + hint + ")"
		}
		p.stop(id, s.Title, record.StepFailed, code, why)
	}
	p.keepEvidence(ctx, id)
}

// notFoundWords says what was looked for, with values replaced by their inputs' names, and what was there instead. A
// target whose text contains a value may be missing because the value is wrong.
func notFoundWords(nf *port.NotFound, wanted string) string {
	out := "expected " + wanted + "; it is not there"
	if nf.Ambiguous {
		out = "expected " + wanted + "; several could be meant"
	} else if slices.Contains(nf.Seen, nf.Wanted) {
		out = "expected " + wanted + "; one of that description is there, but nothing tells that it is the one that was shown"
	} else if in := slices.Compact(slices.Sorted(slices.Values(inputNames.FindAllString(wanted, -1)))); len(in) > 0 {
		out += " (is the value of " + strings.Join(in, " and ") + " right?)"
	}
	if len(nf.Seen) > 0 {
		var seen []string
		for _, s := range nf.Seen[:min(len(nf.Seen), 6)] {
			if s = dataNames.ReplaceAllString(s, `$1 "…"`); !slices.Contains(seen, s) {
				seen = append(seen, s)
			}
		}
		out += "; on the page: " + strings.Join(seen, ", ")
	}
	return out
}

var inputNames = lazyre.New(`\{[a-z0-9_]+\}`)

// dataNames are the roles of elements that hold a page's data rather than its controls: other people's, and not to be
// kept.
var dataNames = lazyre.New(`\b(link|row|rowheader|cell|gridcell|listitem|option|treeitem|article|img|figure|heading|menuitem|text) "[^"]*"`)

// picture is a screenshot of the page, when pictures were asked for.
func (p *tab) picture(ctx context.Context) []byte {
	b, ok := p.browser.(port.Photographer)
	if !ok || !p.Req.Pictures {
		return nil
	}
	var words []string
	for _, v := range p.supply.Bindings {
		words = append(words, strings.Join(strings.Fields(v), " "))
	}
	for _, items := range p.supply.Lists {
		words = append(words, items...)
	}
	return b.Picture(ctx, words)
}

// keepEvidence stores the page's state: its own words, with values replaced by names, and no personal data.
func (p *tab) keepEvidence(ctx context.Context, id string) {
	if p.Watch.Seen == nil || p.browser == nil || ctx.Err() != nil {
		return
	}
	st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
	if err != nil {
		return
	}
	all := func(in []string) (out []string) {
		for _, s := range in {
			out = append(out, p.clean(s))
		}
		return out
	}
	kept := capture.State{URL: p.clean(page.PathOf(st.URL)), Title: p.clean(st.Title), Headings: all(st.Headings), Dialogs: all(st.Dialogs),
		Alerts: all(st.Alerts), Invalid: all(st.Invalid)}
	for _, t := range st.Tables {
		kept.Tables = append(kept.Tables, capture.Table{Name: p.clean(t.Name), Columns: slices.Clone(t.Columns), Rows: t.Rows, Total: t.Total})
	}
	for _, f := range st.Fields {
		kept.Fields = append(kept.Fields, capture.Field{Label: p.clean(f.Label), Role: f.Role})
	}
	png := p.picture(ctx)
	p.Watch.Seen(record.Evidence{PNG: png, Picture: png != nil, ValidationRunID: p.Req.Run.ValidationRunID,
		LearnSessionID: p.Req.Run.LearnSessionID,
		TestCaseID:     plain.Clip(string(p.Kind)+"."+id, 160), State: kept, CreatedAt: p.Now()})
}
