// Package apptest provides the tests of tray and overlay with an installation, a real daemon, and a session that
// watches without needing anything of the machine. Only tests import it.
package apptest

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/await"
	"showhow/internal/config"
	"showhow/internal/paths"
)

// Until waits for a condition.
func Until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	await.Until(t, what, ok)
}

// Must ends the test unless err is nil.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// World is an installation with its daemon, whose clients are this test.
type World struct {
	T       *testing.T
	Options daemon.Options
	Client  *client.Client
	stop    func()
}

// Begin creates an installation and starts its daemon.
func Begin(t *testing.T) *World {
	t.Helper()
	dir, err := os.MkdirTemp("", "tr")
	Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	roots := paths.Roots{Home: filepath.Join(dir, "home"), Data: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "data", "memory"),
		Runtime: filepath.Join(dir, "run", "showhow"), Config: filepath.Join(dir, "config.toml"), State: filepath.Join(dir, "state")}
	cfg := config.Default(roots)
	cfg.IdleExitMinutes = 0
	for _, d := range []string{roots.Home, filepath.Dir(roots.Runtime)} {
		Must(t, os.MkdirAll(d, 0o700))
	}
	w := &World{T: t, Client: client.Unix(roots.Socket()), Options: daemon.Options{Roots: roots, Config: cfg, ThrowAway: true,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Test: daemon.Test{AncestryUntil: os.Getpid(), Every: 20 * time.Millisecond}}}
	w.Start()
	return w
}

// Start runs the daemon, also again after Stop.
func (w *World) Start() {
	w.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- daemon.Run(ctx, w.Options, func() { close(ready) }) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		w.T.Fatal(err)
	}
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.T.Error(err)
		}
	})
	w.T.Cleanup(w.stop)
}

// Stop stops the daemon cleanly.
func (w *World) Stop() { w.stop() }

// Armed creates a session that is to watch an agent's own reports: it needs nothing of this machine.
func (w *World) Armed(goal string) client.Session {
	w.T.Helper()
	created, err := w.Client.CreateSession(w.T.Context(),
		client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "inside_agent",
			BuildPolicy: "build_then_review", ExecutionMode: "guided", Goal: goal, ValuePolicy: "masked",
			Scope: &client.Scope{Apps: []string{"claude-code"}, Sites: []string{}, Folders: []string{}, Devices: []string{}, Shells: []string{}}})
	Must(w.T, err)
	return created.Session
}

// InATerminal indicates capture in a terminal until hidden is called: a busy machine may need longer than a lease to
// indicate it elsewhere.
func (w *World) InATerminal() (hidden func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_, _ = w.Client.RenewIndicator(ctx, "terminal")
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	hidden = sync.OnceFunc(func() { cancel(); <-done })
	w.T.Cleanup(hidden)
	return hidden
}

// ShownBy waits until exactly these indicators show that capture is on.
func (w *World) ShownBy(id string, indicators ...string) {
	w.T.Helper()
	var last []string
	defer func() {
		if w.T.Failed() {
			w.T.Logf("it is shown by %v", last)
		}
	}()
	Until(w.T, "being shown by "+strings.Join(indicators, " and "), func() bool {
		s, err := w.Client.ObservationScope(context.Background(), id)
		last = s.Indicators
		return err == nil && slices.Equal(last, indicators)
	})
}

// Watching creates a session and starts it.
func (w *World) Watching(goal string) client.Session {
	w.T.Helper()
	s, err := w.Client.StartSession(w.T.Context(), w.Armed(goal).LearnSessionID)
	Must(w.T, err)
	return s.Session
}

// Session returns the current session.
func (w *World) Session(id string) client.Session {
	w.T.Helper()
	s, err := w.Client.Session(w.T.Context(), id)
	Must(w.T, err)
	return s
}
