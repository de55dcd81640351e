package link

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listeners are the calls under way in one conversation. A log message names no call. It is passed on only while every
// call of the conversation came from one caller, so that what a service logs about one agent's call, even late, never
// reaches another agent.
type listeners struct {
	mu     sync.Mutex
	all    map[*Call]bool
	from   *string // whose conversation it is; nil: nobody has used it yet
	shared bool    // by several callers
}

// used records a caller of the conversation.
func (l *listeners) used(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shared = l.shared || l.from != nil && *l.from != from
	l.from = &from
}

func (l *listeners) add(c *Call) func() {
	l.used(c.From)
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

// one is the call under way if it is the only one, and the conversation has served its caller alone; else nil.
func (l *listeners) one() (to *Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) != 1 || l.shared {
		return nil
	}
	for c := range l.all {
		to = c
	}
	return to
}

//lint:ignore SA1019 clients and services of revision 2025-11-25 still log by it
func (l *listeners) tell(p *mcp.LoggingMessageParams) {
	to := l.one()
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
func (c *Call) rest(ctx context.Context) {
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
