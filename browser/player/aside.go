package player

import (
	"context"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/page"

	"showhow/browser"
	"showhow/capture"
)

// Aside opens an address in a tab beside the work and waits until it has settled; State, Text and
// Rows then read that tab. Further addresses open in the same tab: a tab costs a process, and
// several looks in a row are common. Return ends it.
func (p *Player) Aside(ctx context.Context, address string) error {
	t, err := p.lookingIn(), error(nil)
	if t == nil {
		t, err = p.openAside(ctx, address)
	} else {
		err = p.lookFurther(ctx, t, address)
	}
	if t != nil {
		p.bring(t) // and not what it may have opened
	}
	return err
}

func (p *Player) openAside(ctx context.Context, address string) (t *tab, err error) {
	before := 0
	p.locked(func() { before, p.at = len(p.tabs), p.front })
	if p.at == nil {
		return nil, browser.ErrGone
	}
	_, err = p.Do(ctx, Act{Verb: capture.NewTab, URL: address, Dialog: accepted})
	p.locked(func() {
		if len(p.tabs) > before {
			t = p.tabs[before]
		}
		p.aside = t
	})
	if t == nil && err == nil { // closed again: what is seen would be the work itself
		err = browser.ErrGone
	}
	return t, err
}

// lookFurther opens another address in the tab aside, always as a new document, even if only the
// part after "#" differs.
func (p *Player) lookFurther(ctx context.Context, t *tab, address string) error {
	p.bring(t)
	was := ""
	p.locked(func() { was = t.url })
	was, _, _ = strings.Cut(was, "#")
	if now, _, _ := strings.Cut(address, "#"); now == was {
		if _, err := p.Do(ctx, Act{Verb: capture.Navigate, URL: "about:blank", Dialog: accepted}); err != nil {
			return err
		}
	}
	_, err := p.Do(ctx, Act{Verb: capture.Navigate, URL: address, Dialog: accepted})
	return err
}

func (p *Player) lookingIn() (t *tab) {
	p.locked(func() {
		if p.aside != nil && !p.aside.gone && !p.aside.dead {
			t = p.aside
		}
	})
	return t
}

// Return closes the tab aside with everything it opened and brings the previous page back to the
// front. It neither asks the closed pages nor waits for them.
func (p *Player) Return() {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		p.forgets.close(p.client.Root())
		p.forgets = nil
	}()
	if p.at == nil {
		return
	}
	for _, t := range slices.Backward(slices.Clone(p.tabs)) {
		if p.beside(t) {
			p.drop(t)
		}
	}
	if !p.at.gone && !p.at.dead {
		p.front = p.at
		p.front.s.Send(page.CommandBringToFront, nil, nil)
	}
	p.at, p.aside = nil, nil
}
