package perform

import (
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// arrival waits for the demonstrated states, and recognises them when they are about another object.
type arrival struct {
	*job
	tab     *tab
	instead map[string]string // part of a demonstrated address -> its replacement in this run's
}

// arrive waits for the state that the demonstration saw after a step: the page it led to, the dialog it opened or
// closed. If it does not come, that is no failure by itself; the checkpoint or the next step decides.
func (p *arrival) arrive(ctx context.Context, s workflow.Step, sc *check.Scene) {
	if s.Surface != policy.OnBrowser || policy.Fills(s.Verb) && !s.Changed {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, arrivalTime)
	defer cancel()
	st, came, err := p.tab.browser.Settle(ctx, func(st capture.State) bool {
		sc.Hear(st)
		return p.asShown(s, st)
	})
	if err != nil {
		return
	}
	if here := page.PathOf(st.URL); !came && s.After != nil && here != page.PathOf(p.tab.state.URL) {
		p.learnNames(page.PathOf(s.After.URL), here)
	}
	sc.Hear(st)
	p.tab.saw(st)
}

// learnNames learns which path segments of this run's addresses replace the demonstrated object's: /people/lovelace
// for /people/hopper. A state that relies on such a name is not waited for again.
func (p *arrival) learnNames(shown, here string) {
	a, b := strings.Split(shown, "/"), strings.Split(here, "/")
	if len(a) != len(b) || len(a) < 3 {
		return
	}
	at := -1
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if at >= 0 || a[i] == "" || b[i] == "" || strings.Contains(a[i], "{") {
			return // another page altogether
		}
		at = i
	}
	if at > 0 {
		if p.instead == nil {
			p.instead = map[string]string{}
		}
		p.instead[a[at]] = b[at]
	}
}

// likeShown reports whether an address is that of the demonstrated page, whatever its object: a run is about another
// object than the demonstration, and the object's name in addresses need not be an input.
func (p *arrival) likeShown(s workflow.Step, address string) bool {
	shown := page.PathOf(s.After.URL)
	if p.tab.atAddress(shown, address) || s.Verb == capture.Navigate && p.tab.atAddress(shown, page.Unrouted(address)) {
		return true
	}
	if s.Before != nil && page.PathOf(s.Before.URL) != shown && page.PathOf(address) == page.PathOf(p.tab.state.URL) {
		return false // the demonstration went elsewhere, and this run has not yet
	}
	parts := strings.Split(shown, "/")
	for i, part := range parts {
		if there := p.instead[part]; there != "" {
			parts[i] = there
		}
	}
	return p.tab.atAddress(strings.Join(parts, "/"), address) || p.tab.atAddress(page.PathShape(shown), address)
}

// asShown reports whether a state is like the one demonstrated after a step.
func (p *arrival) asShown(s workflow.Step, st capture.State) bool {
	if s.After == nil {
		return true
	}
	if s.After.URL != "" && !p.likeShown(s, st.URL) {
		return false
	}
	var before []string
	if s.Before != nil {
		before = s.Before.Dialogs
	}
	for _, d := range s.After.Dialogs {
		if !slices.Contains(before, d) && !p.supply.Pattern(d).Any(st.Dialogs, supply.Pattern.Is) {
			return false
		}
	}
	for _, d := range before {
		if !slices.Contains(s.After.Dialogs, d) && p.supply.Pattern(d).Any(st.Dialogs, supply.Pattern.Is) {
			return false
		}
	}
	return true
}
