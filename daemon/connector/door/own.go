package door

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Rehearser is the agent name of a rehearsal: an agent like any other, under the same policy, whose calls leave
// receipts.
const Rehearser = "rehearsal"

// OwnCall is a call that Showhow makes itself for a person.
type OwnCall struct {
	Tool string // its name at the door
	Args json.RawMessage
	// ReadsOnly refuses the call unless the tool, as described now, only reads.
	ReadsOnly bool
}

// Answer is the result of an own call.
type Answer struct {
	Failed bool
	Text   string // the tool's answer, truncated
}

const mostAnswer = 64 << 10

// Try checks whether a tool could be called now, without calling it: the error says what is missing, and what a person
// can do.
func (d *Door) Try(ctx context.Context, server, tool string) error {
	s, err := d.o.Registry.Server(ctx, server)
	if err != nil {
		return fault.New(fault.NotFound, "the connector "+plain.Clip(server, 60)+" is not connected here").
			WithHint("`showhow connector add` connects it")
	}
	h := d.o.Registry.HealthOf(&s)
	switch {
	case !s.Entry.Enabled || !s.Entry.ActiveBuildSurface:
		return fault.New(fault.AdapterUnavailable, "the connector "+server+" is turned off")
	case connector.Trouble(h.AuthState):
		return fault.New(fault.MCPAuthChallengeRequired, "the connector "+server+" wants you to sign in").
			WithHint("showhow connector login " + server)
	case h.HealthStatus == "degraded":
		return fault.New(fault.AdapterUnavailable, "the connector "+server+" does not answer as it should").
			WithHint("showhow connector test " + server)
	case tool == "":
		return nil
	}
	if _, ok, err := d.tools.named(ctx, room{agent: Rehearser, own: true}, tool); err != nil || !ok {
		return fault.New(fault.NotFound, fmt.Sprintf("the connector %s has no tool %s that may be called", server, plain.Clip(tool, 120))).
			WithHint("`showhow connector tools " + server + "` shows them, and what became of those that changed")
	}
	return nil
}

// Call makes an own call, on the path of every other: where a person must be asked, they are.
func (d *Door) Call(ctx context.Context, c OwnCall) (Answer, error) {
	k := room{agent: Rehearser, own: true}
	v, ok, err := d.tools.named(ctx, k, c.Tool)
	if err != nil {
		return Answer{}, err
	}
	if !ok {
		return Answer{}, fault.New(fault.NotFound, "there is no such tool, or it may not be called")
	}
	if c.ReadsOnly && v.def.Class != connector.Read {
		return Answer{}, fault.New(fault.TestPolicyViolation, "the tool may change something, and only what reads may be called")
	}
	res, err := d.call(ctx, caller{room: k, name: Rehearser}, v, c.Args)
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	for _, x := range res.Content {
		if t, ok := x.(*mcp.TextContent); ok && b.Len() < mostAnswer {
			b.WriteString(plain.CutBytes(t.Text, mostAnswer-b.Len()))
		}
	}
	return Answer{Failed: res.IsError, Text: b.String()}, nil
}
