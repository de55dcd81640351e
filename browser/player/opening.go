package player

import (
	"context"

	"github.com/chromedp/cdproto/page"

	"showhow/capture"
)

// openTab opens a tab as a person does and navigates to an address in it.
func (p *Player) openTab(ctx context.Context, a Act) error {
	in := p.o.Context.of()
	p.locked(func() {
		if p.forgets != nil {
			in = p.forgets.id
		}
	})
	id, err := newTab(ctx, p.client.Root(), in)
	if err != nil {
		return err
	}
	var t *tab
	err = p.until(ctx, startTime, func() bool {
		for _, x := range p.tabs {
			if x.id == id {
				t = x
			}
		}
		return t != nil
	})
	if err != nil {
		return err
	}
	p.locked(func() {
		if a.Tab != "" {
			p.names[a.Tab] = t
		}
	})
	p.bring(t)
	if err := p.prepared(ctx, t); err != nil || a.URL == "" {
		return err
	}
	return p.navigate(ctx, t, a.URL)
}

// closeTab closes a tab.
func (p *Player) closeTab(ctx context.Context, t *tab) error {
	t.s.Send(page.CommandClose, nil, nil) // asks the page, which may ask back
	return p.until(ctx, closeTime, func() bool { return t.gone || t.dialog != nil || p.act.answered > 0 && !p.act.acceptedAll() })
}

// choose brings the tab that an act is meant for to the front. Tab names of the demonstration are
// bound as they come up: the first to the tab in front, each further one to the newest unbound tab.
func (p *Player) choose(a Act) (*tab, error) {
	p.mu.Lock()
	t := p.front
	if a.Tab != "" && a.Verb != capture.NewTab {
		if known := p.names[a.Tab]; known != nil && !known.gone {
			t = known
		} else if t = p.unnamed(); t != nil {
			p.names[a.Tab] = t
		}
	}
	was := p.front
	p.mu.Unlock()
	if t == nil && a.Verb != capture.NewTab {
		return nil, &Unready{Reason: NoTab, What: a.Tab}
	}
	if t != was {
		p.bring(t)
	}
	return t, nil
}
