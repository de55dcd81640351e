package contract

import (
	"context"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
)

// Abilities is the part of *ability.Service that the contract reads.
type Abilities interface {
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Open(ctx context.Context, id string, agents []string) (skill.Bundle, ability.AvailabilityEntry, error)
	Lookup(ctx context.Context, q ability.LookupQuery) (ability.LookupResult, error)
	NoteLookup(by ability.Reporter, found []ability.LookupMatch)
	NoteOpened(ctx context.Context, by ability.Reporter, name string) error
	VerifyCheckpoint(ctx context.Context, r ability.VerifyCheckpointRequest, by ability.Reporter) (journal.CheckpointReceipt, error)
	Progress(ctx context.Context, reporter string, r wire.ProgressRequest) (wire.DispatchProgress, error)
}

// Record is what a person alone may read.
type Record interface {
	Sessions(ctx context.Context, f wire.SessionFilter) (wire.LearnSessionsListResponse, error)
	Receipts(ctx context.Context, f wire.ReceiptFilter) (wire.LearnReceiptsResponse, error)
}

// Connectors lists the connected services.
type Connectors interface {
	List(ctx context.Context) (wire.MCPServerListResponse, error)
}

// Options is what a Service stands on.
type Options struct {
	Abilities  Abilities
	Record     Record
	Connectors Connectors
	Notes      Notes // nil: notes and tasks are not held
	// Find tells secrets and personal data apart in a text: the kinds that it holds.
	Find    func(text string) (secrets, personal []string)
	Version string
	Now     func() time.Time
	// Wait waits until some time has passed since a request came; nil: the clock.
	Wait func(ctx context.Context, d time.Duration)
}

// Caller is who asks.
type Caller struct {
	Person   bool
	Agent    string   // its name
	Names    []string // by which a person's approval may name it; empty: it was not identified
	Reporter string
	Revoked  bool   // it has no grant at all
	Tier     string // of a remote caller; "" for others
}

// Grant tiers: which tools a caller has (section 2 of the contract).
const (
	grantReadOnly = "read_only"
	grantViewer   = "viewer_read" // a remote reader
	grantWrite    = "write"
	grantChannel  = "channel"
)

// grant is the caller's tier: a person has all, an identified agent may report, another may read.
func (c Caller) grant() string {
	switch {
	case c.Revoked:
		return ""
	case c.Tier != "":
		return c.Tier
	case c.Person:
		return grantChannel
	case len(c.Names) > 0:
		return grantWrite
	}
	return grantReadOnly
}

// Remote is a caller from elsewhere that a person let in: it reads, and if it writes, it may report too.
func Remote(agent, reporter string, writes bool) Caller {
	c := Caller{Agent: agent, Names: []string{agent}, Reporter: reporter, Tier: grantViewer}
	if writes {
		c.Tier = grantWrite
	}
	return c
}

// elsewhere reports whether the caller is on another computer.
func (c Caller) elsewhere() bool { return c.Tier != "" }

// sees is an ability as the caller sees it; false if there is none for it.
func (c Caller) sees(e ability.AvailabilityEntry) (ability.AvailabilityEntry, bool) {
	if c.Person {
		return e, true
	}
	return e.For(c.Names)
}

// agents are the names for the API; nil is a person.
func (c Caller) agents() []string {
	if c.Person {
		return nil
	}
	return append([]string{}, c.Names...)
}

func (c Caller) reporter() ability.Reporter {
	kind := "agent"
	if c.Person {
		kind = "user"
	}
	return ability.Reporter{Kind: kind, Key: c.Reporter, Name: c.Agent, Names: append([]string{}, c.Names...)}
}
