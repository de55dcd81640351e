package api

import (
	"context"
	"regexp"
	"time"

	"showhow/daemon/access"
	"showhow/internal/fault"
)

// Caller is who makes a request and under which name it is traced.
type Caller struct {
	access.Principal
	CorrelationID string

	tty     *terminal
	demo    bool // showed the demo grant: acts for the person, on the data directory that the demo made
	machine bool // came over the Unix socket

	expires      time.Time // of the login; zero: never
	source       string    // user_click, hotkey or api_call: how the person asked
	confirmation string    // what X-Showhow-Confirmation claims
	window       string    // the proof with which a window says that a person clicked
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

var saneCorrelation = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,200}$`)
