package learn

import (
	"log/slog"
	"time"

	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
)

// Deps holds what a Service needs.
type Deps struct {
	Store        state.Store
	Capturer     port.Capturer
	Observations port.Observations
	Purger       port.Purger
	Runs         port.Runs           // may be nil: nothing is learned from runs
	Recordings   port.Recordings     // may be nil: nothing is imported
	Redact       func(string) string // for text of strangers; needed with Recordings
	Compile      port.Compiler
	Validator    port.Validator
	Installer    port.Installer
	Writer       port.Writer                  // may be nil: no model is configured
	MemoryRoot   string                       // where drafts are written, absolute
	Signals      <-chan port.Signal           // may be nil
	Logger       *slog.Logger                 // nil: nothing is logged
	Now          func() time.Time             // wall clock; nil: time.Now
	Every        time.Duration                // how often Run does due work; 0 means every second during a capture, otherwise every 30 s
	Grace        time.Duration                // how long a capture that has just begun may take to be shown; 0: as long as an indicator counts
	NewID        func() string                // nil: clock.NewID
	DataClasses  func(state.Session) []string // what its adapters and its evidence observe, in words (adapters.Info); may be nil
}
