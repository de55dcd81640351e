package perform

import (
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// unplaced ends a run whose starting page is unknown.
var unplaced = &halt{record.StepSkipped, record.CodeNeedsValue,
	"the address of the page to begin at holds something that is not known: name it with --start-url"}

// place is where a demonstrated address leads in this run, "" when unknown. A query value that nobody knows may be
// unnecessary: less means that the address omits it, and that the page must be checked.
func (p *tab) place(demonstrated string) (to string, less bool) {
	to = p.sites.Address(demonstrated)
	if !p.begun {
		to = p.sites.Begin(demonstrated)
	}
	to = p.supply.Address(to)
	if p.isKnown(to) {
		return to, false
	}
	rest, frag, _ := strings.Cut(to, "#")
	if to = p.known(rest); to == "" {
		return "", false
	}
	// A fragment is a route with its own query, a query alone, or the name of an anchor on the page.
	if !page.IsRoute(frag) && strings.Contains(frag, "=") {
		frag = strings.TrimPrefix(p.known("?"+frag), "?")
	} else {
		frag = p.known(frag)
	}
	if frag != "" {
		to += "#" + frag
	}
	return to, true
}

// isKnown reports whether a part of an address needs no value that the run lacks.
func (p *tab) isKnown(s string) bool {
	return !strings.Contains(s, supply.Unknown) && len(p.supply.Lacks(s, p.supply.Known)) == 0
}

// known is an address without its unknown query values, "" when more than those is unknown.
func (p *tab) known(address string) string {
	path, query, _ := strings.Cut(address, "?")
	if !p.isKnown(path) {
		return ""
	}
	query = strings.Join(slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool { return !p.isKnown(pair) }), "&")
	return strings.TrimSuffix(path+"?"+query, "?")
}

// open goes to a demonstrated address, and checks that the page is the demonstrated one.
func (p *tab) open(ctx context.Context, demonstrated string, shown *capture.State) error {
	to, less := p.place(demonstrated)
	if to == "" {
		return unplaced
	}
	blocked := p.guard.BlockedCount()
	p.guard.BeginStep("", false)
	if err := p.browser.Open(ctx, to); err != nil {
		return p.because(err, p.guard.BlockedSince(blocked), workflow.Step{})
	}
	p.begun = true
	if less {
		return p.asItWas(ctx, shown)
	}
	st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
	p.saw(st)
	return err
}

// asItWas waits for a page with the demonstrated headings; the work does not begin on any other.
func (p *tab) asItWas(ctx context.Context, shown *capture.State) error {
	is := func(st capture.State) bool {
		told := false
		for _, h := range shown.Headings {
			if !p.supply.Pattern(h).Any(st.Headings, supply.Pattern.Is) {
				return false
			}
			told = told || strings.TrimSpace(supply.HoleForm.ReplaceAllString(strings.ReplaceAll(h, supply.Unknown, ""), "")) != ""
		}
		return told
	}
	if shown == nil {
		return unplaced
	}
	ctx, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	st, came, err := p.browser.Settle(ctx, is)
	p.saw(st)
	if err == nil && !came && !is(st) {
		err = unplaced
	}
	return err
}
