// Package checkup examines this machine for `showhow doctor`: what a session, a skill and an agent need, which of it
// is there, and what would fix what is missing. It changes nothing except test files that it makes and removes to see
// whether a folder is writable.
//
// Only package daemon imports it. The acceptance tests and the command line's scripts test it as a whole.
package checkup

import (
	"context"
	"os"
	"runtime"

	"showhow/adapters"
	"showhow/browser"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

// Options is what a checkup examines.
type Options struct {
	Roots    paths.Roots
	Config   config.Config        // that the daemon was started with
	Current  func() config.Config // with what has changed since
	KeysKind string               // where the keys of sealed values are: file or keychain
	Adapters func(ctx context.Context) []wire.ObservationAdapterStatus
	Watching func() bool // a session or a preview observes
	Agents   func(ctx context.Context) ([]observe.Agent, error)
	// Documents says which PDF operations this machine has the programs for.
	Documents func(ctx context.Context) (wire.AcrobatAdapterHealth, error)
	Now       func() clock.Time
}

// Checkup is the doctor of one daemon.
type Checkup struct{ o Options }

// New makes a checkup.
func New(o Options) *Checkup { return &Checkup{o} }

// Doctor checks everything that a session needs and says what would fix what is missing.
func (c *Checkup) Doctor(ctx context.Context) wire.Doctor {
	out := wire.Doctor{OK: true, At: c.o.Now(), SchemaVersion: 1}
	add := func(name, state, detail, fix string) {
		out.Checks = append(out.Checks, wire.DoctorCheck{Name: name, State: state, Detail: detail, Fix: fix})
		out.OK = out.OK && state != "failed"
	}
	for _, a := range c.o.Adapters(ctx) {
		state := map[adapters.HealthState]string{adapters.Ready: "ok", adapters.Degraded: "warning",
			adapters.Unavailable: "unavailable"}[a.Health.State]
		detail := a.Health.Reason
		if detail == "" {
			detail = a.Title + ": can be watched here"
		}
		name := "adapter " + string(a.Kind)
		if a.Evidence {
			name = "evidence " + a.ID
		}
		add(name, state, detail, a.Health.Fix)
		out.Checks[len(out.Checks)-1].Code = a.Health.Code
	}
	if path, err := browser.Find(); err == nil {
		add("browser", "ok", "Showhow's own browser is "+path, "")
	} else {
		f := fault.From(err)
		add("browser", "warning", f.Message, f.Hint)
	}
	c.doctorHooks(ctx, add)
	c.doctorShells(ctx, func(code, name, state, detail, fix string) {
		add(name, state, detail, fix)
		out.Checks[len(out.Checks)-1].Code = code
	})
	c.doctorIndicators(ctx, add)
	c.doctorFolders(add)
	switch c.o.KeysKind {
	case "file":
		add("keys", "ok", "sealed values' keys are in files that only you can read (no keychain found)", "")
	default:
		add("keys", "ok", "sealed values' keys are in the system keychain", "")
	}
	c.doctorSandbox(add)
	c.doctorDocuments(ctx, add)
	if os.Getuid() == 0 {
		add("user", "warning", "running as root", "run Showhow as the user whose work it should learn; Chromium does not start as root")
	}
	if runtime.GOOS != "linux" {
		add("platform", "warning", "builds here but was never run here", "")
	}
	return out
}
