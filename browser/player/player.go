package player

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/internal/fault"
)

// Player plays in one browser. Its methods are called one after the other; Close at any time.
//
// It stands on three others, each of which knows only those below it: an operator, who acts on what is on a page, a reader, who asks
// pages and waits for them, and a tracker, who keeps what the browser tells.
type Player struct {
	*operator
}

// New takes over a browser: from now on every request in it is judged.
func New(ctx context.Context, o Options) (*Player, error) {
	if o.Patience <= 0 {
		o.Patience = 3 * time.Second
	}
	p := &Player{operator: &operator{&reader{newTracker(o)}}}
	err := p.start(ctx)
	if err == nil {
		err = p.prepared(ctx, p.current())
	}
	if err != nil {
		p.Close()
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "the browser cannot be operated")
	}
	return p, nil
}

// Close lets the browser go. The guard ends with it, so that the caller ends the browser first or at once.
func (p *Player) Close() { p.close() }

// Open goes to an address in the tab in front and waits until the page rests.
func (p *Player) Open(ctx context.Context, url string) error {
	_, err := p.Do(ctx, Act{Verb: capture.Navigate, URL: url, Dialog: accepted})
	return err
}
