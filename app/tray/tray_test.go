//go:build linux

package tray

import (
	"strings"
	"testing"

	"showhow/app/apptest"
)

func TestTheTrayFollowsAndActs(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	h.shows("Nothing is watched")
	off := h.icon()

	id := w.Armed("Order the_paper").LearnSessionID
	w.InATerminal()
	start := h.shows("Start watching")
	if h.icon() == off || w.Session(id).State != "armed" {
		t.Error("ready looks as if nothing could be watched")
	}
	h.twice(start)
	until(t, "the tooltip", func() bool { return strings.Contains(h.tooltip(), "Watching since ") })
	if tip := h.tooltip(); !strings.Contains(tip, "Order the_paper") || !strings.Contains(tip, "Only: claude-code") ||
		!strings.Contains(tip, "0 actions kept") {
		t.Errorf("the tooltip says %q", tip)
	}
	h.content()
	on := h.icon()
	h.shows("Watching since ")
	if h.icon() == off {
		t.Error("the icon looks as if nothing were watched")
	}
	w.ShownBy(id, "terminal", "tray")

	h.click(h.shows("Pause"))
	until(t, "the pause", func() bool { return w.Session(id).State == "paused" })
	h.shows("Paused, by you: Order the__paper")
	if i := h.icon(); i == on || i == off {
		t.Error("paused looks like something else")
	}
	h.click(h.shows("Resume"))
	until(t, "going on", func() bool { return w.Session(id).State == "capturing" })

	// Two clicks in a row: the second finds capture stopped, as wanted.
	h.twice(h.shows("Stop"))
	h.shows("Nothing is watched")
	if now := w.Session(id).State; now != "stopped" {
		t.Errorf("after two clicks on Stop it is %s", now)
	}
	h.content()
}

func TestDiscardingIsConfirmedAndStaleEntriesDoNothing(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	w.InATerminal()
	first := w.Watching("First").LearnSessionID
	h.click(h.shows("Discard…"))
	sure := h.shows("Discard…/Yes, discard it")
	if w.Session(first).State != "capturing" {
		t.Fatal("one click discarded it")
	}
	h.click(sure)
	until(t, "the end", func() bool { return w.Session(first).State == "cancelled" })
	h.shows("Nothing is watched")

	second := w.Watching("Second").LearnSessionID
	h.shows("Watching since ")
	h.click(sure) // of the first
	h.click(h.shows("Pause"))
	until(t, "the pause", func() bool { return w.Session(second).State == "paused" })
	if now := h.shows("Discard…/Yes, discard it"); now == sure {
		t.Error("the entry for one session stands for another")
	}
}

// The terminal, or the window, is closed: the panel shows that capture is on, and capture continues. Without the
// panel the lease ends, and capture pauses and says so.
func TestWithoutAPanelCapturePauses(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	h.shows("Nothing is watched")
	hidden := w.InATerminal()
	id := w.Watching("Seen").LearnSessionID
	w.ShownBy(id, "terminal", "tray")
	hidden()
	w.ShownBy(id, "tray") // which takes longer than a lease
	if s := w.Session(id); s.State != "capturing" {
		t.Fatalf("it is %s (%s) although the panel shows it", s.State, s.PauseReason)
	}
	h.leave()
	until(t, "the pause", func() bool { return w.Session(id).State == "paused" })
	if s := w.Session(id); s.PauseReason != "no_indicator" || !strings.Contains(strings.Join(s.Notices, " "), "nothing showed you") {
		t.Errorf("it paused because of %s and says %v", s.PauseReason, s.Notices)
	}
	h = panel(t, address) // the panel was restarted
	h.shows("Paused, nothing showed you that capture was on: Seen")
	h.click(h.shows("Resume"))
	until(t, "going on", func() bool { return w.Session(id).State == "capturing" })
}

func TestTheDaemonEndsUnderTheTray(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	w.InATerminal()
	id := w.Watching("Long work").LearnSessionID
	h.shows("Watching since ")
	w.Stop()
	h.shows("Showhow is not running: nothing is watched")
	if _, ok := h.labels()["Pause"]; ok {
		t.Error("it offers what it cannot do")
	}
	w.Start()
	h.shows("Paused, the daemon was restarted: Long work")
	h.click(h.shows("Resume"))
	until(t, "going on", func() bool { return w.Session(id).State == "capturing" })
}
