package store

import (
	"context"
	"sync"
)

// gate counts readers and can be closed to wait until the last of them has left. The zero value is open. Unlike
// sync.RWMutex it lets a reader give up waiting, so that a nested read cannot block a purge for ever.
type gate struct {
	mu      sync.Mutex
	inside  int
	wanted  context.Context // of those inside: done when somebody waits for them to leave
	want    context.CancelFunc
	shut    chan struct{} // non-nil while closed; closed when it opens again
	drained chan struct{} // non-nil while somebody waits for the last reader
}

// enter returns a context that is done as soon as somebody waits for the readers to leave.
func (g *gate) enter(ctx context.Context) (wanted context.Context, err error) {
	for {
		g.mu.Lock()
		shut := g.shut
		if shut == nil {
			if g.wanted == nil {
				g.wanted, g.want = context.WithCancel(context.Background())
			}
			g.inside++
			wanted = g.wanted
			g.mu.Unlock()
			return wanted, nil
		}
		g.mu.Unlock()
		select {
		case <-shut:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	if g.inside == 0 && g.drained != nil {
		close(g.drained)
		g.drained = nil
	}
}

// close keeps new readers out and waits until those inside have left. Whoever closed it must open it, even after an
// error.
func (g *gate) close(ctx context.Context) error {
	g.mu.Lock()
	g.shut = make(chan struct{})
	if g.inside == 0 {
		g.mu.Unlock()
		return nil
	}
	drained := make(chan struct{})
	g.drained = drained
	g.want()
	g.wanted = nil
	g.mu.Unlock()
	select {
	case <-drained:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.shut)
	g.shut, g.drained = nil, nil
}
