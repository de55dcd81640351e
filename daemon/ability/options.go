package ability

import (
	"context"
	"log/slog"
	"os/exec"

	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// Options configures a Service. Store and MemoryRoot are required.
type Options struct {
	Store      Store
	MemoryRoot string   // of the canonical files, absolute
	Targets    []Target // folders that agents read skills from
	Env        Environment
	// BuiltIns returns the skills that come with the program; nil means that there are none.
	BuiltIns func() ([]BuiltIn, error)
	// KnownSession reports whether a learn session exists, for checkpoint receipts; nil accepts every id.
	KnownSession func(ctx context.Context, id string) (bool, error)
	// Redact removes secrets from what an agent writes as evidence or reason; nil leaves it as it is.
	Redact func(string) string
	// Secret reports whether a text holds a secret; nil means that none does.
	Secret func(text string) bool
	// Scan scans a skill that was not made here; nil means that such skills are listed unscanned.
	Scan func(ctx context.Context, b skill.Bundle) (Scanned, error)
	// Categories returns the categories of each item, by item id; nil means none.
	Categories func(ctx context.Context) (map[string][]string, error)
	// Project resolves a project name; nil means that every name stands for itself.
	Project func(ctx context.Context, name string) string
	// Named returns the steps of an ability that act on a control of that name; nil means that none is known.
	Named func(ctx context.Context, a Ability, control string) ([]string, error)
	// Fared is called after an outcome of an ability was stored, or the ability was removed. It must not block and must
	// not call back; nil means that nobody is.
	Fared func(abilityID string)
	// MaxWatches bounds how many folders Run watches; 0 means 4096.
	MaxWatches int
	Now        func() clock.Time // default clock.Now
	NewID      func() string     // default clock.NewID
	Log        *slog.Logger      // default: nothing is logged
}

// Environment is what an ability may need of this machine.
type Environment struct {
	LookPath func(command string) (string, error)           // default exec.LookPath
	Adapter  func(kind string) (available bool, why string) // browser or an observation kind; nil means that all are available
	// Connector returns why a connector cannot be used now, and a code; "" when it can. nil means that all can.
	Connector func(id string) (why, code string)
	// Provider is the same for a service of which any connector will do.
	Provider func(name string) (why, code string)
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
