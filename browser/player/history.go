package player

import (
	"context"
	"errors"
	"net/url"

	"github.com/chromedp/cdproto/page"
)

// navigate goes to an address, as typed into the address bar.
func (p *Player) navigate(ctx context.Context, t *tab, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && address != "about:blank" {
		return &Unready{Reason: Refused, What: "address"}
	}
	return p.leave(ctx, t, page.CommandNavigate, page.NavigateParams{URL: address})
}

// leave navigates the tab. A page that stays because its beforeunload question was answered that
// way has not failed to load.
func (p *Player) leave(ctx context.Context, t *tab, method string, params any) error {
	var res page.NavigateResult
	err := p.send(ctx, t, t.s, method, params, &res)
	switch {
	case errors.Is(err, errStopped):
		return nil
	case err != nil:
		return err
	case res.ErrorText != "" && !res.IsDownload && res.ErrorText != "net::ERR_ABORTED":
		return &Unready{Reason: Refused, What: "page"}
	case res.ErrorText == "net::ERR_ABORTED" && !res.IsDownload:
		refused := false
		p.locked(func() { refused = len(p.blocked) > p.act.blocked })
		if refused {
			return &Unready{Reason: Refused, What: "page"}
		}
	}
	return nil
}

// travel goes back or forward to the nearest page of that address, backwards first; without an
// address, by one page.
func (p *Player) travel(ctx context.Context, t *tab, a Act) error {
	var h page.GetNavigationHistoryResult
	if err := p.send(ctx, t, t.s, page.CommandGetNavigationHistory, nil, &h); err != nil {
		return err
	}
	at := int(h.CurrentIndex)
	to := -1
	switch {
	case a.Keys == "Forward":
		to = at + 1
	case a.URL == "" || a.Keys == "Back":
		to = at - 1
	}
	for d := 1; to < 0 && a.URL != "" && d <= len(h.Entries); d++ {
		for _, i := range []int{at - d, at + d} {
			if to < 0 && i >= 0 && i < len(h.Entries) && sameAddress(h.Entries[i].URL, a.URL) {
				to = i
			}
		}
	}
	if to < 0 || to >= len(h.Entries) || h.Entries[to].URL == "about:blank" && a.URL != "about:blank" {
		return &Unready{Reason: NoHistory}
	}
	return p.leave(ctx, t, page.CommandNavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.Entries[to].ID})
}

// sameAddress compares host and path; a demonstration's address may have "{*}" for parts that vary
// and for masked query values.
func sameAddress(have, want string) bool {
	h, err := url.Parse(have)
	w, err2 := url.Parse(want)
	if err != nil || err2 != nil {
		return have == want
	}
	return (w.Host == "" || h.Host == w.Host) && same(h.Path, w.Path) && (w.Fragment == "" || same(h.Fragment, w.Fragment))
}
