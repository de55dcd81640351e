package ability_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/await"
)

// running starts Run and waits until it watches.
func (h *house) running() {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = h.s.Run(ctx) })
	h.t.Cleanup(func() { cancel(); wg.Wait() })
	h.until("it watches", func() bool { s := h.s.Watching(); return s.Folders > 0 || s.Polling })
}

func (h *house) until(what string, ok func() bool) {
	h.t.Helper()
	await.Until(h.t, what, ok)
}

// drifts waits until the change of a skill was acted on while nobody asked.
func (h *house) drifts(slug string, times int) {
	h.t.Helper()
	h.until("the change is noticed", func() bool { return h.events()[journal.AbilityDrifted] == times })
	h.until("its copies are withdrawn", func() bool { return !h.there(h.path(0, slug)) && !h.there(h.path(1, slug)) })
}

func (h *house) restored(slug string) {
	h.t.Helper()
	if e, err := h.s.Restore(h.ctx(), slug, nil); err != nil || !e.UsableNow {
		h.t.Fatalf("%+v %v", e, err)
	}
}

func TestDriftIsNoticedLive(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	h.install(request(slug))
	h.running()
	n := 0
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"a copy is edited", func() { h.edit(filepath.Join(h.path(0, slug), "SKILL.md"), "evil") }},
		{"the bundle is edited", func() { h.edit(h.bundle(slug), "evil") }},
		{"a file in a folder of a copy", func() {
			h.ok(os.WriteFile(filepath.Join(h.path(1, slug), "scripts", "more.sh"), []byte("x"), 0o755))
		}},
		{"a new folder with a file", func() {
			d := filepath.Join(h.path(1, slug), "assets", "deep")
			h.ok(os.MkdirAll(d, 0o755))
			h.ok(os.WriteFile(filepath.Join(d, "x"), []byte("x"), 0o644))
		}},
		{"only executable", func() { h.ok(os.Chmod(filepath.Join(h.path(0, slug), "SKILL.md"), 0o555)) }},
		{"a copy replaced by rename", func() {
			other := filepath.Join(h.dir, "other")
			h.ok(os.CopyFS(other, os.DirFS(h.path(0, slug))))
			h.ok(os.WriteFile(filepath.Join(other, "tests", "more.json"), []byte("[]"), 0o644))
			h.ok(os.Rename(h.path(0, slug), filepath.Join(h.dir, "gone")))
			h.ok(os.Rename(other, h.path(0, slug)))
			h.ok(os.RemoveAll(filepath.Join(h.dir, "gone")))
		}},
	} {
		n++
		start := time.Now()
		c.do()
		h.drifts(slug, n)
		t.Logf("%s: %s", c.name, time.Since(start).Round(time.Millisecond))
		h.restored(slug)
	}
}

// A target that is deleted and made again is watched again, and so is one that did not exist.
func TestWatchSurvivesRecreatedFolders(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	h.running()
	h.install(request(slug)) // makes the targets
	h.edit(filepath.Join(h.path(1, slug), "SKILL.md"), "evil")
	h.drifts(slug, 1)
	h.restored(slug)
	h.ok(os.RemoveAll(filepath.Join(h.dir, "home", ".openclaw")))
	h.until("its absence is noticed", func() bool {
		var s ability.Catalog
		return h.file(ability.CatalogPath, &s) && len(s.Items[0].FoundIn) == 1
	})
	_, err := h.s.Deactivate(h.ctx(), slug, nil)
	h.ok(err)
	_, err = h.s.Activate(h.ctx(), slug, nil)
	h.ok(err)
	h.edit(filepath.Join(h.path(0, slug), "SKILL.md"), "evil again")
	h.drifts(slug, 2)
}

// With fewer watches than folders it looks from time to time, and says so.
func TestWatchFallsBackToPolling(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	var log safeLog
	h.opt.MaxWatches, h.opt.Log = 2, slog.New(slog.NewTextHandler(&log, nil))
	h.restart()
	h.install(request(slug))
	h.running()
	h.until("it says that it polls", func() bool { s := h.s.Watching(); return s.Polling && s.Reason != "" && s.Folders == 2 })
	h.edit(filepath.Join(h.path(0, slug), "scripts", "run.sh"), "evil")
	h.edit(filepath.Join(h.path(1, slug), "scripts", "run.sh"), "evil")
	h.drifts(slug, 1)
	if !strings.Contains(log.String(), "cannot be watched") {
		t.Error("the log says nothing of it")
	}
}

func TestNativeSkillsAreScanned(t *testing.T) {
	h := newHouse(t)
	h.opt.Scan = func(_ context.Context, b skill.Bundle) (ability.Scanned, error) {
		v := ability.ScanVerdict{Verdict: "clean"}
		if strings.Contains(string(b.File(skill.Entry).Data), "evil") {
			v = ability.ScanVerdict{Verdict: "blocked", Findings: 1, Worst: "it is evil"}
		}
		return ability.Scanned{Verdict: v, Permissions: ability.Permissions{Domains: []string{"x.example"}}}, nil
	}
	h.restart()
	h.native(0, "good-one", "fine")
	h.native(1, "bad-one", "evil")
	h.ok(os.Symlink("/etc/passwd", filepath.Join(h.native(1, "odd-one", "links"), "link")))
	if v := h.catalog("good-one").Scan; v == nil || v.Verdict != "pending" {
		t.Errorf("%+v", v)
	}
	h.running()
	for name, want := range map[string]string{"good-one": "clean", "bad-one": "blocked", "odd-one": "unreadable"} {
		h.until(name+" is scanned", func() bool { v := h.catalog(name).Scan; return v != nil && v.Verdict == want })
	}
	h.native(0, "good-one", "evil by now")
	h.until("it is scanned again", func() bool { return h.catalog("good-one").Scan.Verdict == "blocked" })
	e, err := h.s.Adopt(h.ctx(), "bad-one", "")
	h.ok(err)
	if len(e.Permissions.Domains) != 1 {
		t.Errorf("%+v", e.Permissions)
	}
}

type safeLog struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A copy that stays without one of its files was changed, though a deletion that is under way looks the same for a moment.
func TestAMissingFileIsAChange(t *testing.T) {
	const slug = "export-orders"
	h := newHouse(t)
	h.install(request(slug))
	h.ok(os.Remove(filepath.Join(h.path(1, slug), "scripts", "run.sh")))
	_, err := h.s.Availability(h.ctx())
	h.ok(err)
	if n := h.events()[journal.AbilityDrifted]; n != 1 {
		t.Errorf("%d changes were noticed, not one", n)
	}
}
