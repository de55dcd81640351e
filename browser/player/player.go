package player

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/internal/fault"
)

// Player plays in one browser. Call its methods one after the other; Close at any time.
//
// It builds on three others, each of which knows only those below it: an operator, which acts on
// page elements; a reader, which queries pages and waits for them; and a tracker, which records
// what the browser reports.
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

// Close releases the browser. The guard ends with it, so end the browser first or right away.
func (p *Player) Close() { p.close() }

// Open navigates the tab in front to an address and waits until the page has settled.
func (p *Player) Open(ctx context.Context, url string) error {
	_, err := p.Do(ctx, Act{Verb: capture.Navigate, URL: url, Dialog: accepted})
	return err
}
