package link

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listeners are the calls under way. What a service logs belongs to no call by itself: while several are under way nobody can tell whose
// it is, and no agent is told what may be another's.
type listeners struct {
	mu  sync.Mutex
	all map[*Call]bool
}

func (l *listeners) add(c *Call) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[*Call]bool{}
	}
	c.heard = make(chan struct{}, 1)
	l.all[c] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.all, c)
	}
}

//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
func (l *listeners) tell(p *mcp.LoggingMessageParams) {
	l.mu.Lock()
	var to *Call
	for c := range l.all {
		to = c
	}
	if len(l.all) != 1 {
		to = nil
	}
	l.mu.Unlock()
	if to != nil && to.Said != nil {
		to.Said(p)
		select {
		case to.heard <- struct{}{}:
		default:
		}
	}
}

// lastWords is how long a call that was logged about waits for more: what was logged before an answer may come after it. lastOfAll is how
// long it waits at most, whatever the service still says.
const (
	lastWords = 20 * time.Millisecond
	lastOfAll = 200 * time.Millisecond
)

// rest lets what was logged last arrive. Of a call that nothing was logged about it waits for nothing.
func (l *listeners) rest(ctx context.Context, c *Call) {
	select {
	case <-c.heard:
	default:
		return
	}
	most, quiet := time.NewTimer(lastOfAll), time.NewTimer(lastWords)
	defer most.Stop()
	defer quiet.Stop()
	for {
		select {
		case <-c.heard:
			quiet.Reset(lastWords)
		case <-quiet.C:
			return
		case <-most.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
