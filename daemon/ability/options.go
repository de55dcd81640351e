package ability

import (
	"context"
	"log/slog"
	"os/exec"

	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// Options are what a Service stands on. Store and MemoryRoot are required.
type Options struct {
	Store      Store
	MemoryRoot string   // of the canonical files, absolute
	Targets    []Target // folders that agents read skills from
	Env        Environment
	// KnownSession says whether a learn session exists, for checkpoint receipts; nil means every id is believed.
	KnownSession func(ctx context.Context, id string) (bool, error)
	// Redact removes secrets from what an agent writes as evidence or reason; nil leaves it as it is.
	Redact func(string) string
	// Secret reports whether a text holds a secret; nil: none does.
	Secret func(text string) bool
	// Scan looks at a skill that was not made here; nil: such skills are listed unscanned.
	Scan func(ctx context.Context, b skill.Bundle) (Scanned, error)
	// Categories is what is in which category, by the item's id; nil: nothing is.
	Categories func(ctx context.Context) (map[string][]string, error)
	// Project is the project that a name stands for; nil: every name stands for itself.
	Project func(ctx context.Context, name string) string
	// MaxWatches bounds how many folders Run watches; 0: 4096.
	MaxWatches int
	Now        func() clock.Time // default clock.Now
	NewID      func() string     // default clock.NewID
	Log        *slog.Logger      // default: nothing is logged
}

// Environment is what of this machine an ability may need.
type Environment struct {
	LookPath func(command string) (string, error)           // default exec.LookPath
	Adapter  func(kind string) (available bool, why string) // browser or an observation kind; nil means all are there
	// Connector says why a connector cannot be used now, and a code for it; "" when it can. nil means all can.
	Connector func(id string) (why, code string)
}

func (o Options) withDefaults() Options {
	if o.Env.LookPath == nil {
		o.Env.LookPath = exec.LookPath
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
