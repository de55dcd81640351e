package capturing

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/internal/await"
	"showhow/internal/clock"
)

// actor is an adapter that observes and does nothing else.
type actor struct{ kind capture.Kind }

func (a actor) Info() adapters.Info                   { return adapters.Info{Kind: a.kind, ID: "actor"} }
func (a actor) Probe(context.Context) adapters.Health { return adapters.Health{State: adapters.Ready} }
func (a actor) Run(ctx context.Context, _ adapters.Session, _ adapters.Sink, ready func(adapters.Control)) error {
	ready(still{})
	<-ctx.Done()
	return nil
}

// witness is evidence of the kind that the actor has, too.
type witness struct {
	runs   atomic.Int64
	fail   func(run int64, ready func()) error // nil: it watches until its end
	ending func(run int64)                     // nil: it ends at once
}

func (w *witness) Info() adapters.Info {
	return adapters.Info{Kind: capture.ProcessLaunch, ID: "witness", DataClasses: []string{"file_changes"}}
}
func (w *witness) Probe(context.Context) adapters.Health {
	return adapters.Health{State: adapters.Ready}
}
func (w *witness) Wanted(s capture.Scope) bool { return len(s.Folders) > 0 }
func (w *witness) Run(ctx context.Context, _ adapters.Session, _ adapters.Sink, ready func(adapters.Control)) error {
	n := w.runs.Add(1)
	if w.fail != nil {
		if err := w.fail(n, func() { ready(still{}) }); err != nil {
			return err
		}
	}
	ready(still{})
	<-ctx.Done()
	if w.ending != nil {
		w.ending(n)
	}
	return nil
}

type still struct{}

func (still) Pause()                {}
func (still) Resume()               {}
func (still) Rescope(capture.Scope) {}

type noKeys struct{}

func (noKeys) Key(context.Context, string) ([]byte, error) { return make([]byte, 32), nil }
func (noKeys) Destroy(context.Context, string) error       { return nil }
func (noKeys) Sealed(context.Context, string) ([]capture.SealedRow, error) {
	return nil, nil
}

func watchWith(t *testing.T, w *witness, kinds []capture.Kind, folders ...string) (*Capturer, state.Session, []string) {
	t.Helper()
	c := New(Options{Adapters: adapters.NewRegistry(actor{capture.ProcessLaunch}, w), Log: &forgetful{}, Keys: noKeys{}, Sealed: noKeys{},
		Live:   func([]capture.Record) {},
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, NewID: clock.NewID, Indicate: func(string) {},
		Failed: func(string, state.PauseReason) {}})
	t.Cleanup(c.Close)
	s := state.Session{LearnSessionID: clock.NewID(), TargetID: clock.NewID(), ObservationMode: state.ObserveOutside, Adapters: kinds,
		Scope: capture.Scope{Apps: []string{"calc"}, Folders: folders}, ValuePolicy: capture.Masked}
	armed, err := c.Start(t.Context(), s, clock.NewID())
	if err != nil {
		t.Fatal(err)
	}
	return c, s, armed
}

func TestEvidenceSharesItsKindWithAnAdapter(t *testing.T) {
	c, s, armed := watchWith(t, &witness{}, []capture.Kind{capture.ProcessLaunch}, "/home/anna/reports")
	if !slices.Equal(armed, []string{"actor", "witness"}) || !slices.Equal(c.Counts(s.LearnSessionID).Observing, armed) {
		t.Errorf("armed %v, observing %v", armed, c.Counts(s.LearnSessionID).Observing)
	}
	if h := c.Active(); len(h) != 2 || h["actor"].State != adapters.Ready || h["witness"].State != adapters.Ready {
		t.Errorf("health %+v", h)
	}
}

func TestEvidenceFollowsTheScope(t *testing.T) {
	w := &witness{}
	c, s, armed := watchWith(t, w, []capture.Kind{capture.ProcessLaunch})
	if !slices.Equal(armed, []string{"actor"}) || w.runs.Load() != 0 {
		t.Errorf("armed %v without a folder", armed)
	}
	for i, folders := range [][]string{{"/home/anna/reports"}, nil, {"/home/anna/reports"}, nil, {"/home/anna/reports"}} {
		s.Scope.Folders = folders
		c.Rescope(t.Context(), s)
		if is := slices.Contains(c.Counts(s.LearnSessionID).Observing, "witness"); is != (folders != nil) {
			t.Errorf("change %d: observing %v", i, is)
		}
		if _, is := c.Active()["witness"]; is != (folders != nil) {
			t.Errorf("change %d: health is told %v", i, is)
		}
	}
	if n := w.runs.Load(); n != 3 {
		t.Errorf("started %d times", n)
	}
}

// A source may take longer to end than a change of scope waits. The next scope that wants it starts it again.
func TestEvidenceIsStartedAgainWhileItEnds(t *testing.T) {
	end := make(chan struct{})
	w := &witness{ending: func(run int64) {
		if run == 1 {
			<-end
		}
	}}
	c, s, _ := watchWith(t, w, []capture.Kind{capture.ProcessLaunch}, "/home/anna/reports")
	for _, folders := range [][]string{nil, {"/home/anna/reports"}} {
		s.Scope.Folders = folders
		c.Rescope(t.Context(), s)
		if h, is := c.Active()["witness"]; is {
			t.Errorf("folders %v: it is ending, told %+v", folders, h)
		}
	}
	close(end)
	await.Until(t, "its second run", func() bool { return c.Active()["witness"].State == adapters.Ready })
	if n := w.runs.Load(); n != 2 || !slices.Contains(c.Counts(s.LearnSessionID).Observing, "witness") {
		t.Errorf("started %d times, observing %v", n, c.Counts(s.LearnSessionID).Observing)
	}
}

func TestEvidenceThatFailsCostsNothingElse(t *testing.T) {
	for name, fail := range map[string]func(int64, func()) error{
		"panics":     func(int64, func()) error { panic("captured text") },
		"refuses":    func(int64, func()) error { return errors.New("no") },
		"breaks off": func(n int64, ready func()) error { ready(); return errors.New("gone") },
	} {
		t.Run(name, func(t *testing.T) {
			c, s, armed := watchWith(t, &witness{fail: fail}, []capture.Kind{capture.ProcessLaunch}, "/home/anna/reports")
			if !slices.Contains(armed, "actor") {
				t.Errorf("armed %v", armed)
			}
			await.Until(t, "its end", func() bool { return c.Active()["witness"].State != adapters.Ready })
			if h := c.Active()["witness"]; h.Code == "" || h.Reason == "" {
				t.Errorf("health %+v", h)
			}
			c.Pause(s.LearnSessionID)
			if err := c.Resume(s.LearnSessionID); err != nil {
				t.Errorf("the session cannot go on: %v", err)
			}
		})
	}
}

func TestAgentSessionsHaveNoEvidenceOfThePerson(t *testing.T) {
	w := &witness{}
	c := New(Options{Adapters: adapters.NewRegistry(w), Log: &forgetful{}, Keys: noKeys{}, Sealed: noKeys{}, Live: func([]capture.Record) {},
		Logger: slog.New(slog.DiscardHandler), Now: time.Now, NewID: clock.NewID, Indicate: func(string) {},
		Failed: func(string, state.PauseReason) {}})
	t.Cleanup(c.Close)
	s := state.Session{LearnSessionID: clock.NewID(), TargetID: clock.NewID(), ObservationMode: state.ObserveInside,
		Scope: capture.Scope{Folders: []string{"/home/anna"}}, ValuePolicy: capture.Masked}
	if _, err := c.Start(t.Context(), s, clock.NewID()); err != nil {
		t.Fatal(err)
	}
	if n := w.runs.Load(); n != 0 {
		t.Errorf("started %d times", n)
	}
}
