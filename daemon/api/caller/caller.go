package caller

import (
	"context"
	"time"

	"showhow/daemon/access"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Caller is who makes a request, and its trace id.
type Caller struct {
	access.Principal
	CorrelationID string

	TTY        *Terminal
	Demo       bool // showed the demo grant: acts for the person, on the data directory that the demo made
	OverSocket bool // connected over the Unix socket

	Families []string // of an agent that was recognised by its ancestry: whose work it may report
	Run      string   // the sandboxed run from which it asks; it reaches no document of another one

	Expires      time.Time // of the login; zero: never
	Source       string    // user_click, hotkey or api_call: how the person asked
	Confirmation string    // what X-Showhow-Confirmation claims
	PID          int       // of the process that connected; 0 unknown
	Window       bool      // the caller is our own window, which asks a person before it uses a code
}

type callerKey struct{}

// With adds the caller to the context of its request.
func With(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Of returns the caller of the request that ctx belongs to; never nil.
func Of(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{Principal: access.Principal{Kind: access.Agent, Why: "the caller is unknown"}}
}

// Reporter identifies a follower of abilities: an agent without a token is known by its family.
func (c *Caller) Reporter() string {
	if c.Name == "" && len(c.Families) > 0 {
		return c.Key() + c.Families[0]
	}
	return c.Key()
}

// Owner identifies whose documents a caller reaches. What an agent without a token is called is its own word: it never
// reaches what was handed in with a token of that name.
func (c *Caller) Owner() string {
	switch {
	case c.Kind == access.User:
		return c.Key()
	case c.Run != "":
		return RunOwner(c.Run)
	case c.Name != "":
		return "token/" + c.Name
	case len(c.Families) > 0:
		return "family/" + c.Families[0]
	}
	return c.Key()
}

// RunOwner identifies whose documents the agent of a sandboxed run hands in.
func RunOwner(run string) string { return "run/" + run }

// Agent is the agent's name in policies.
func (c *Caller) Agent() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Kind == access.User:
		return "terminal"
	case len(c.Families) > 0:
		return c.Families[0]
	}
	return "agent"
}

// Agents lists the names of the calling agent, as far as they are known; nil for a person.
func (c *Caller) Agents() []string {
	switch {
	case c.Kind == access.User:
		return nil
	case c.Name != "":
		return []string{c.Name}
	}
	return append([]string{}, c.Families...)
}

// Forbidden is the error for an agent on an operation for persons only.
func (c *Caller) Forbidden(what string) error {
	f := fault.New(fault.Forbidden, what)
	switch {
	case c.Name != "":
		return f.WithHint("an agent's token cannot do this; ask the person to do it")
	case c.Why != "":
		return f.WithHint("this call counts as an agent's because " + c.Why + "; ask the person to do it in a terminal of their own")
	}
	return f
}

// ValidCorrelationID matches the ids that a caller may choose to trace its request.
var ValidCorrelationID = lazyre.New(`^[A-Za-z0-9._:-]{1,200}$`)
