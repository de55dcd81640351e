// Package access defines who may call the daemon and which requests have been answered: the two principals, agents and
// their tokens, and requests that must not be done twice.
//
// It holds types and pure functions only. The guard that applies them is daemon/api, the rows are in store/access.go.
//
// Guarantees: a token is 256 random bits and stored only as its SHA-256. A remembered response is sealed under a key
// that only the caller's own request id yields, so the database alone does not reveal it. Not guaranteed: secrecy of a
// remembered response whose request id can be guessed (clients use a UUID).
package access

import (
	"context"

	"showhow/internal/clock"
)

// Kind is one of the two principals (decisions D1).
type Kind string

const (
	User  Kind = "user"  // the person: window, tray, CLI
	Agent Kind = "agent" // a program acting on its own: may look up, verify, propose; never approve, install or widen
)

// Principal is who calls.
type Principal struct {
	Kind Kind
	Name string // of an agent that showed its token; "" for a recognised but unnamed one
	Why  string // how an agent was recognised, for the hint: "CLAUDECODE is set in an ancestor"
}

// Key identifies a principal as an owner.
func (p Principal) Key() string { return string(p.Kind) + "/" + p.Name }

// Remembered is an answered request with its sealed response.
type Remembered struct {
	Key       []byte // of principal and request id
	Request   []byte // hash of method, path, query and body
	Sealed    []byte // the response, see Seal; empty when it must not be given again
	CreatedAt clock.Time
	ExpiresAt clock.Time
}

// Store stores agents and remembered requests.
type Store interface {
	// AddAgent adds an agent with the hash of its token and a receipt; ok is false when the name is in use.
	AddAgent(ctx context.Context, a AgentRow, tokenHash []byte, correlationID string) (ok bool, err error)
	Agents(ctx context.Context) ([]AgentRow, error)
	// AgentByToken finds the agent, revoked or not, whose token has this hash.
	AgentByToken(ctx context.Context, tokenHash []byte) (a AgentRow, ok bool, err error)
	// RevokeAgent revokes by name, with a receipt; ok is false when there is no such valid agent.
	RevokeAgent(ctx context.Context, name string, at clock.Time, correlationID string) (a AgentRow, ok bool, err error)

	// Remembered finds an answered request that has not expired.
	Remembered(ctx context.Context, key []byte, now clock.Time) (r Remembered, ok bool, err error)
	// Remember stores r and deletes what has expired.
	Remember(ctx context.Context, r Remembered) error
}
