package api

import (
	"context"
	"time"

	"showhow/daemon/access"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Caller is who makes a request and under which name it is traced.
type Caller struct {
	access.Principal
	CorrelationID string

	tty     *terminal
	demo    bool // showed the demo grant: acts for the person, on the data directory that the demo made
	machine bool // came over the Unix socket

	families []string // of an agent that was recognised by its ancestry: whose work it may report

	expires      time.Time // of the login; zero: never
	source       string    // user_click, hotkey or api_call: how the person asked
	confirmation string    // what X-Showhow-Confirmation claims
	pid          int       // of the process that connected; 0 unknown
	window       bool      // the caller is our own window, which asks a person before it uses a code
}

type callerKey struct{}

func withCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller of the request that ctx belongs to; never nil.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{Principal: access.Principal{Kind: access.Agent, Why: "the caller is unknown"}}
}

// reporter tells those apart who follow abilities: an agent without a token is known by its family.
func (c *Caller) reporter() string {
	if c.Name == "" && len(c.families) > 0 {
		return c.Key() + c.families[0]
	}
	return c.Key()
}

// forbidden is the answer to an agent at a person's door.
func (c *Caller) forbidden(what string) error {
	f := fault.New(fault.Forbidden, what)
	switch {
	case c.Name != "":
		return f.WithHint("an agent's token cannot do this; ask the person to do it")
	case c.Why != "":
		return f.WithHint("this call counts as an agent's because " + c.Why + "; ask the person to do it in a terminal of their own")
	}
	return f
}

var saneCorrelation = lazyre.New(`^[A-Za-z0-9._:-]{1,200}$`)
