package link

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listeners are the calls under way. A service's log message names no call: while several are under way it cannot be
// attributed, and no agent may see what could be another's.
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

// lastWords is how long a call waits for more messages after one: a message logged before the answer may arrive after
// it. lastOfAll bounds the whole wait.
const (
	lastWords = 20 * time.Millisecond
	lastOfAll = 200 * time.Millisecond
)

// rest waits for the last log messages. A call without any does not wait.
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
