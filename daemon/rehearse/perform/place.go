package perform

import (
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// unplaced ends a run that would begin where nobody knows.
var unplaced = &halt{record.StepSkipped, record.CodeNeedsValue,
	"the address of the page to begin at holds something that is not known: name it with --start-url"}

// place is where a demonstrated address leads in this run, "" where that is not known. What it asks for and nobody knows may not be
// needed: less says that the address is without it, and that the page must be looked at.
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
	// Behind "#" stands a route with a query of its own, a query alone, or the name of a place on the page.
	route := strings.HasPrefix(frag, "/") || strings.HasPrefix(frag, "!/")
	if !route && strings.Contains(frag, "=") {
		frag = strings.TrimPrefix(p.known("?"+frag), "?")
	} else {
		frag = p.known(frag)
	}
	if frag != "" {
		to += "#" + frag
	}
	return to, true
}

// isKnown reports whether nothing stands in a part of an address whose value the run does not have.
func (p *tab) isKnown(s string) bool {
	return !strings.Contains(s, supply.Unknown) && len(p.supply.Lacks(s, p.supply.Known)) == 0
}

// known is an address without what it asks for and nobody knows, "" where more than that is unknown.
func (p *tab) known(address string) string {
	page, query, _ := strings.Cut(address, "?")
	if !p.isKnown(page) {
		return ""
	}
	query = strings.Join(slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool { return !p.isKnown(pair) }), "&")
	return strings.TrimSuffix(page+"?"+query, "?")
}

// open goes to a demonstrated address, where the page was as shown.
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

// asItWas waits for a page with the headings of the demonstration; another page is not where the work begins.
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
