package live

import (
	"context"
	"slices"
	"testing"
	"time"

	"showhow/capture"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
)

var start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// Capture may go on while it is being started, within its grace, and as long as some indicator was renewed.
func TestLease(t *testing.T) {
	var l Lease
	if l.Held(start) {
		t.Error("held although nothing shows it")
	}
	l.Begin()
	if !l.Held(start.Add(time.Hour)) {
		t.Error("not held while the adapters start")
	}
	l.Begun(start.Add(2 * time.Second))
	if !l.Held(start.Add(time.Second)) || l.Held(start.Add(2*time.Second)) {
		t.Error("the grace does not last until its end")
	}
	l.renew("badge", start)
	l.renew("tray", start.Add(time.Second))
	if got := l.indicators(start.Add(LeaseTime)); !slices.Equal(got, []string{"tray"}) {
		t.Errorf("live are %v", got)
	}
	if l.Held(start.Add(time.Second + LeaseTime)) {
		t.Error("held after the last indicator expired")
	}
}

// counting is a capture that has kept and withheld something.
type counting struct{ port.Capturer }

func (counting) Counts(string) port.Counts {
	return port.Counts{Kept: 3, Observing: []string{"terminal_command"},
		Withheld: []capture.Withheld{{Adapter: "browser_dom", Reason: capture.OffScope, Count: 2}}}
}

func (counting) Check(context.Context, []capture.Kind) error { return nil }

func monitor(set *Set) *Monitor {
	return New(Deps{Live: set, Lease: &Lease{}, Capturer: counting{}, Now: func() time.Time { return start }})
}

// What a resumed capture counts is added to what was stored before; without a capture the stored counts stand.
func TestCountsOfARunningCapture(t *testing.T) {
	var set Set
	m := monitor(&set)
	sess := state.Session{LearnSessionID: "s", State: state.Capturing, EventsKept: 4,
		Withheld: []capture.Withheld{{Adapter: "browser_dom", Reason: capture.OffScope, Count: 1}}}
	if got := m.View(sess); got.EventsKept != 4 || got.EventsWithheld != 1 || len(got.AdaptersArmed) != 0 {
		t.Errorf("without a capture: %+v", got)
	}
	set.Add(sess, start)
	set.Arm("s", []string{"browser_dom"})
	got := m.View(sess)
	if got.EventsKept != 7 || got.EventsWithheld != 3 || !slices.Equal(got.AdaptersArmed, []string{"terminal_command"}) {
		t.Errorf("with a capture: %+v", got)
	}
	if sess.EventsKept != 4 || sess.Withheld[0].Count != 1 {
		t.Error("the stored session was changed")
	}
	set.Remove("s")
	if set.Any() || len(set.IDs()) != 0 {
		t.Error("a removed capture is still there")
	}
}

// A capture that is off is shown as paused before the store knows it; recorded or resumed, the store's word counts again.
func TestOffIsShownAsPaused(t *testing.T) {
	var set Set
	m := monitor(&set)
	sess := state.Session{LearnSessionID: "s", State: state.Capturing}
	set.MarkUnrecorded("s") // no capture, nothing to owe
	set.Add(sess, start)
	set.MarkUnrecorded("s")
	if c, _ := set.Get("s"); c.Owed {
		t.Error("a pause is owed although capture is on")
	}
	set.MarkOff("s", state.PausedLocked)
	set.MarkUnrecorded("s")
	if c, _ := set.Get("s"); !c.Owed {
		t.Error("the pause is not owed")
	}
	if got := m.View(sess); got.State != state.Paused || got.PauseReason != state.PausedLocked ||
		slices.Contains(got.AllowedActions, state.CanPause) {
		t.Errorf("shown as %s (%s), offering %v", got.State, got.PauseReason, got.AllowedActions)
	}
	set.MarkOff("s", "")
	if c, _ := set.Get("s"); c.Owed || c.Off != "" {
		t.Errorf("recorded, and yet %+v", c)
	}
	set.MarkOff("s", state.PausedIdle)
	set.Resumed("s", start.Add(time.Minute))
	if c, _ := set.Get("s"); c.Off != "" || !c.Since.Equal(start.Add(time.Minute)) {
		t.Errorf("resumed, and yet %+v", c)
	}
}
