package learn_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/daemon/learn"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// R11.2-08, R11.2-09: goal and step are boundaries of their kinds, at an observation if one is named.
func TestMarks(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	recs := w.cap.act(s.LearnSessionID, 2)
	_, err := w.svc.MarkGoal(w.ctx(), user, s.LearnSessionID,
		wire.MarkGoalRequest{GoalDescription: "get the file", AtEventID: recs[0].Event.EventID})
	w.ok(err)
	_, err = w.svc.MarkStep(w.ctx(), user, s.LearnSessionID, wire.MarkStepRequest{StepLabel: "watch the total", StepKindHint: "verification"})
	w.ok(err)
	_, err = w.svc.MarkStep(w.ctx(), user, s.LearnSessionID,
		wire.MarkStepRequest{StepLabel: "x", AtEventID: "00000000-0000-7000-8000-000000000000"})
	w.code(err, fault.InvalidRequest)
	list, err := w.svc.Boundaries(w.ctx(), s.LearnSessionID)
	w.ok(err)
	var kinds []state.BoundaryKind
	for _, b := range list.Boundaries {
		kinds = append(kinds, b.Kind)
	}
	if !slices.Equal(kinds, []state.BoundaryKind{"start", "mark_goal", "mark_step"}) {
		t.Fatalf("boundaries %v", kinds)
	}
	if b := list.Boundaries[1]; b.SourceEventID != recs[0].Event.EventID || b.Source != "api_call" || b.Label != "get the file" {
		t.Fatalf("the goal is %+v", b)
	}
	w.has(s.LearnSessionID, journal.BoundaryMarked, "")
}

// R11.2-10, decisions A11: start and stop are inferred, and can be trimmed; what is outside is not compiled.
func TestTrim(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	recs := w.cap.act(s.LearnSessionID, 5)
	stopped, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	list, err := w.svc.Boundaries(w.ctx(), s.LearnSessionID)
	w.ok(err)
	inferred := 0
	for _, b := range list.Boundaries {
		if b.Source == "system_inferred" && (b.SourceEventID == recs[0].Event.EventID || b.SourceEventID == recs[4].Event.EventID) {
			inferred++
		}
	}
	if inferred != 2 || stopped.Session.StartBoundaryRef == "" {
		t.Fatalf("inferred boundaries: %+v", list.Boundaries)
	}
	trim := func(kind, event string) error {
		_, err := w.svc.Trim(w.ctx(), user, s.LearnSessionID, wire.TrimRequest{TrimKind: kind, ToEventID: event})
		return err
	}
	w.ok(trim("trim_start", recs[1].Event.EventID))
	w.ok(trim("trim_end", recs[3].Event.EventID))
	w.code(trim("trim_end", recs[0].Event.EventID), fault.InvalidRequest)
	if got := w.session(s.LearnSessionID); got.StartBoundaryRef == stopped.Session.StartBoundaryRef ||
		got.StopBoundaryRef == stopped.Session.StopBoundaryRef {
		t.Fatal("trimming moved no boundary")
	}
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	got := w.draft.got[0].Traces[0].Records
	if len(got) != 3 || got[0].Event.EventID != recs[1].Event.EventID || got[2].Event.EventID != recs[3].Event.EventID {
		t.Fatalf("%d observations were compiled", len(got))
	}
	w.code(trim("trim_start", recs[0].Event.EventID), fault.InvalidLearnStateTransition)
}

// Decisions A8: without an indicator capture pauses within seconds.
func TestIndicatorLease(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	for range 6 {
		w.pass(2 * time.Second)
		w.svc.RenewIndicator("terminal")
		w.svc.Tick(w.ctx())
	}
	w.state(s.LearnSessionID, state.Capturing)
	if sc, err := w.svc.ObservationScope(w.ctx(), s.LearnSessionID); err != nil || !slices.Equal(sc.Indicators, []string{"terminal"}) {
		t.Fatalf("indicators %v, %v", sc.Indicators, err)
	}
	w.pass(4 * time.Second)
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Capturing)
	w.pass(time.Second)
	w.svc.Tick(w.ctx())
	got := w.session(s.LearnSessionID)
	if got.State != state.Paused || got.PauseReason != state.PausedNoIndicator || len(got.Notices) == 0 {
		t.Fatalf("%s %s %v", got.State, got.PauseReason, got.Notices)
	}
	if recs := w.cap.act(s.LearnSessionID, 1); len(recs) != 0 {
		t.Fatal("observed unseen")
	}
	w.has(s.LearnSessionID, journal.CapturePaused, "no_indicator")
	_, err := w.svc.Resume(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	if len(w.cap.act(s.LearnSessionID, 1)) != 1 {
		t.Fatal("nothing is observed after resume")
	}
}

// A demonstration whose page is opened late goes on by itself; one that has begun, or that the person paused, does not.
func TestALatePageResumesCapture(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	late := func() {
		t.Helper()
		w.pass(6 * time.Second)
		w.svc.Tick(w.ctx())
		w.state(s.LearnSessionID, state.Paused)
		w.svc.Tick(w.ctx())
		w.state(s.LearnSessionID, state.Paused) // nothing shows it
		w.svc.CouldIndicate()
		w.svc.Tick(w.ctx())
	}
	late()
	w.state(s.LearnSessionID, state.Capturing)
	w.has(s.LearnSessionID, journal.CaptureResumed, "")
	at := clock.At(w.clock.Now())
	w.ok(w.db.Append(w.ctx(), []capture.Record{{TraceID: w.session(s.LearnSessionID).ActiveTraceIDs[0],
		Event: capture.Event{EventID: clock.NewID(), LearnSessionID: s.LearnSessionID, AdapterKind: capture.BrowserDOM,
			ActionLabel: "Opened a new tab", RedactionMode: "mask_text", CreatedAt: at, SchemaVersion: 1},
		Action: capture.Action{Verb: capture.NewTab}}}))
	w.cap.runs[s.LearnSessionID].kept++
	late()
	w.state(s.LearnSessionID, state.Capturing) // a tab was opened, and nothing done
	w.cap.act(s.LearnSessionID, 1)
	late()
	w.state(s.LearnSessionID, state.Paused)
	_, err := w.svc.Cancel(w.ctx(), user, s.LearnSessionID, "")
	w.ok(err)

	s = w.capturing()
	_, err = w.svc.Pause(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.svc.CouldIndicate()
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Paused)
}

// Run reacts to the platform at once (decisions A9), and ends with its context.
func TestPlatformSignal(t *testing.T) {
	w := newWorld(t)
	signals := make(chan port.Signal, 1)
	w.svc = learn.New(learn.Deps{Store: w.db.Learn(), Capturer: w.cap, Observations: w.db.LearnObservations(w.ring), Purger: w.db,
		Compile: w.draft.compile, Validator: w.judge, Installer: w.skills, MemoryRoot: w.db.Memory(), Now: w.clock.Now, Signals: signals})
	ctx, cancel := context.WithCancel(w.ctx())
	done := make(chan error, 1)
	go func() { done <- w.svc.Run(ctx) }()
	s := w.capturing()
	signals <- port.ScreenLocked
	await.Until(t, "the pause", func() bool { return w.session(s.LearnSessionID).State == state.Paused })
	if r := w.session(s.LearnSessionID).PauseReason; r != state.PausedLocked {
		t.Fatalf("paused because of %s", r)
	}
	cancel()
	w.ok(<-done)
}

// On shutdown the platform's watcher ends before the service. That alone pauses nothing: Close pauses with its own
// reason.
func TestPlatformSignalsEnd(t *testing.T) {
	w := newWorld(t)
	signals := make(chan port.Signal)
	close(signals)
	w.svc = learn.New(learn.Deps{Store: w.db.Learn(), Capturer: w.cap, Observations: w.db.LearnObservations(w.ring), Purger: w.db,
		Compile: w.draft.compile, Validator: w.judge, Installer: w.skills, MemoryRoot: w.db.Memory(), Now: w.clock.Now, Signals: signals})
	s := w.capturing()
	ctx, cancel := context.WithCancel(w.ctx())
	done := make(chan error, 1)
	go func() { done <- w.svc.Run(ctx) }()
	for range 100 {
		if now := w.session(s.LearnSessionID); now.State != state.Capturing {
			t.Fatalf("%s because of %q", now.State, now.PauseReason)
		}
	}
	cancel()
	w.ok(<-done)
	w.ok(w.svc.Close(w.ctx()))
	if r := w.session(s.LearnSessionID).PauseReason; r != state.PausedRestart {
		t.Fatalf("paused because of %q", r)
	}
}

func TestAdapterUnavailable(t *testing.T) {
	w := newWorld(t)
	w.cap.missing = []capture.Kind{capture.KeyboardShortcut, capture.TerminalCommand}
	r := request()
	r.Adapters = []capture.Kind{capture.KeyboardShortcut}
	_, err := w.svc.Create(w.ctx(), user, r)
	if f := w.code(err, fault.AdapterUnavailable); f.Details["alternatives"] == nil {
		t.Fatalf("no way out: %v", f.Details)
	}
	s := w.create(request()) // nothing was left behind, and what the scope only suggests is dropped
	if !slices.Equal(s.Adapters, []capture.Kind{capture.BrowserDOM, capture.BrowserSnapshot}) {
		t.Fatalf("adapters %v", s.Adapters)
	}
}

func TestStartFails(t *testing.T) {
	w := newWorld(t)
	s := w.create(request())
	w.cap.broken = errors.New("no browser")
	_, err := w.svc.Start(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.AdapterUnavailable)
	if got := w.session(s.LearnSessionID); got.State != state.Paused || got.PauseReason != state.PausedAdapter {
		t.Fatalf("%s %s", got.State, got.PauseReason)
	}
	w.cap.broken = nil
	_, err = w.svc.Resume(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	if len(w.cap.act(s.LearnSessionID, 1)) != 1 {
		t.Fatal("nothing is observed after the adapter came back")
	}
}

// Decisions A4: a session with an empty scope starts and says that everything is withheld.
func TestEmptyScopeAndRescope(t *testing.T) {
	w := newWorld(t)
	r := request()
	r.Scope = nil
	s := w.create(r)
	if len(s.Notices) == 0 {
		t.Fatal("an empty scope is not mentioned")
	}
	out, err := w.svc.SetScope(w.ctx(), user, s.LearnSessionID,
		wire.ScopeRequest{Scope: capture.Scope{Sites: []string{"LocalHost:8080"}, Apps: []string{"Chromium"}}})
	w.ok(err)
	if !slices.Equal(out.Scope.Sites, []string{"localhost:8080"}) || !slices.Equal(out.TargetAppWhitelist, []string{"chromium"}) ||
		!slices.Contains(out.Adapters, capture.BrowserDOM) || len(out.Notices) != 0 {
		t.Fatalf("scope %+v, adapters %v, notices %v", out.Scope, out.Adapters, out.Notices)
	}
	w.has(s.LearnSessionID, journal.ScopeChanged, "")
	_, err = w.svc.SetScope(w.ctx(), state.Meta{Principal: state.PrincipalSystem}, s.LearnSessionID, wire.ScopeRequest{})
	w.code(err, fault.Forbidden)
	_, err = w.svc.SetScope(w.ctx(), user, s.LearnSessionID, wire.ScopeRequest{Scope: capture.Scope{Sites: []string{"http://a/b?c"}}})
	w.code(err, fault.InvalidRequest)
}

func TestLiteralValuesLeaveAReceipt(t *testing.T) {
	w := newWorld(t)
	r := request()
	r.ValuePolicy = "literal"
	_, err := w.svc.Create(w.ctx(), user, r)
	w.code(err, fault.InvalidRequest)
	r.LiteralApps = []string{"Chromium"}
	s := w.create(r)
	w.has(s.LearnSessionID, journal.ScopeChanged, "literal_values")
	if s.ValuePolicy != capture.Literal || !slices.Equal(s.LiteralApps, []string{"chromium"}) {
		t.Fatalf("%s %v", s.ValuePolicy, s.LiteralApps)
	}
}

// Counters add up over pauses and restarts.
func TestCounts(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	w.cap.act(s.LearnSessionID, 2)
	w.cap.runs[s.LearnSessionID].withheld = 7
	if got := w.session(s.LearnSessionID); got.EventsKept != 2 || got.EventsWithheld != 7 {
		t.Fatalf("%d kept, %d withheld", got.EventsKept, got.EventsWithheld)
	}
	_, err := w.svc.Pause(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.crash()
	got := w.session(s.LearnSessionID)
	if got.State != state.Paused || got.EventsKept != 2 || got.EventsWithheld != 7 {
		t.Fatalf("after a restart: %s, %d kept, %d withheld", got.State, got.EventsKept, got.EventsWithheld)
	}
	_, err = w.svc.Resume(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.cap.act(s.LearnSessionID, 3)
	w.cap.runs[s.LearnSessionID].withheld = 1
	stopped, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	if stopped.CapturedEventCount != 5 || stopped.Session.EventsWithheld != 8 {
		t.Fatalf("%d kept, %d withheld", stopped.CapturedEventCount, stopped.Session.EventsWithheld)
	}
	sc, err := w.svc.ObservationScope(w.ctx(), s.LearnSessionID)
	w.ok(err)
	if sc.CaptureState != "stopped" || sc.OffTargetEventsDropped != 8 || sc.EventsKept != 5 {
		t.Fatalf("%+v", sc)
	}
}

// What shows a capture can appear when the adapters have started, however long they take.
func TestTheLeaseBeginsWithTheCapture(t *testing.T) {
	w := newWorld(t)
	w.cap.slow = func() {
		w.pass(7 * time.Second) // a browser starts
		w.svc.Tick(w.ctx())
	}
	s := w.capturing()
	w.svc.Tick(w.ctx())
	w.pass(4 * time.Second)
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Capturing)
	w.pass(time.Second)
	w.svc.Tick(w.ctx())
	w.state(s.LearnSessionID, state.Paused)
}

// A pause succeeds although the tick and another pause come between.
func TestPauseDuringTicks(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	ctx, stop := context.WithCancel(w.ctx())
	var ticks sync.WaitGroup
	ticks.Go(func() {
		for ctx.Err() == nil {
			w.svc.RenewIndicator("terminal") // each look at this clock costs a millisecond of the lease
			w.svc.Tick(w.ctx())
		}
	})
	defer ticks.Wait()
	defer stop()
	for range 60 {
		paused, err := w.svc.Pause(w.ctx(), user, s.LearnSessionID)
		w.ok(err)
		if paused.State != state.Paused || paused.PauseReason != state.PausedByUser {
			t.Fatalf("%s (%s)", paused.State, paused.PauseReason)
		}
		_, err = w.svc.Resume(w.ctx(), user, s.LearnSessionID)
		w.ok(err)
	}
}

// Decisions A9: after a crash nothing observes, and the session says why.
func TestRestartPauses(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	w.cap.act(s.LearnSessionID, 4)
	w.crash()
	got := w.session(s.LearnSessionID)
	if got.State != state.Paused || got.PauseReason != state.PausedRestart || got.EventsKept != 4 {
		t.Fatalf("%s %s, %d kept", got.State, got.PauseReason, got.EventsKept)
	}
	w.has(s.LearnSessionID, journal.CapturePaused, "daemon_restart")
}

func TestCaptureFailed(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	w.ok(w.svc.CaptureFailed(w.ctx(), s.LearnSessionID, state.PausedStore))
	if got := w.session(s.LearnSessionID); got.State != state.Paused || got.PauseReason != state.PausedStore {
		t.Fatalf("%s %s", got.State, got.PauseReason)
	}
	w.ok(w.svc.CaptureFailed(w.ctx(), s.LearnSessionID, state.PausedStore)) // once is enough
	w.cap.act(s.LearnSessionID, 1)
	w.ok(w.cap.Stop(w.ctx(), s.LearnSessionID)) // and nothing observes any more
	_, err := w.svc.Resume(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	if len(w.cap.act(s.LearnSessionID, 2)) != 2 || w.session(s.LearnSessionID).EventsKept != 2 {
		t.Fatalf("%d kept", w.session(s.LearnSessionID).EventsKept)
	}
}

func TestDeleteObservation(t *testing.T) {
	w := newWorld(t)
	s := w.capturing()
	recs := w.cap.act(s.LearnSessionID, 2)
	_, err := w.svc.Stop(w.ctx(), user, s.LearnSessionID)
	w.ok(err)
	w.ok(w.svc.DeleteObservation(w.ctx(), user, s.LearnSessionID, recs[0].Event.EventID))
	w.code(w.svc.DeleteObservation(w.ctx(), user, s.LearnSessionID, recs[0].Event.EventID), fault.NotFound)
	list, err := w.svc.Observations(w.ctx(), s.LearnSessionID, wire.PageQuery{})
	w.ok(err)
	if list.Total != 1 || w.session(s.LearnSessionID).EventsKept != 1 {
		t.Fatalf("%d observations, %d kept", list.Total, w.session(s.LearnSessionID).EventsKept)
	}
	told, err := w.svc.Told(w.ctx(), s.LearnSessionID, 0)
	w.ok(err)
	if len(told.Parts) != 1 || !slices.Equal(told.Parts[0].Events, []string{recs[1].Event.EventID}) {
		t.Fatalf("told %+v", told.Parts)
	}
	if told, err = w.svc.Told(w.ctx(), s.LearnSessionID, recs[1].Seq); err != nil || len(told.Parts) != 0 {
		t.Fatalf("after the last: %+v, %v", told.Parts, err)
	}
	w.has(s.LearnSessionID, journal.ObservationGone, "")
	w.ok(w.svc.DeleteObservation(w.ctx(), user, s.LearnSessionID, recs[1].Event.EventID))
	_, err = w.svc.GenerateProposal(w.ctx(), user, s.LearnSessionID)
	w.code(err, fault.InsufficientTraces)
	w.state(s.LearnSessionID, state.Stopped)
}
