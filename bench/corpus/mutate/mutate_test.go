//go:build unix

package mutate

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/browser"
	"showhow/browser/browsertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func options(t testing.TB) Options {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip("no Chromium here")
	}
	headless := true
	return Options{Browser: browser.Options{Path: browsertest.Shell(), Headless: &headless, NoSandbox: true}}
}

// A few pages under each mutation; the whole measurement is part of make bench-learn.
func TestMeasure(t *testing.T) {
	o := options(t)
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	o.Pages, o.Each = pages[:4], 2
	if os.Getenv("MUTATE_ALL") != "" {
		o.Pages, o.Apps, o.Each = nil, true, 1
		if n, err := strconv.Atoi(os.Getenv("MUTATE_EACH")); err == nil {
			o.Each = n
		}
	}
	if dir := os.Getenv("MUTATE_JUDGES"); dir != "" {
		o.NodeModules, o.ReplayEach = dir, 4
	}
	r, err := Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Misses {
		if m.Finder == Showhow && !slices.ContainsFunc(pages, func(p Page) bool { return p.Held && p.Name == m.Page }) {
			t.Logf("%s: %s %s %s: %s", m.Outcome, m.Page, m.Kind, m.Selector, m.Why)
		}
	}
	var table strings.Builder
	r.Print(&table)
	t.Log("\n" + table.String())
	if all := r.All(Showhow); all.Wrong > 0 {
		t.Errorf("%d of %d steps found something else", all.Wrong, all.N())
	}
	if traps := r.Trapped(Showhow); traps.Wrong > 0 {
		t.Errorf("%d of %d traps", traps.Wrong, traps.N())
	}
	if none := r.Sum(func(c Cell) bool { return c.Finder == Showhow && c.Kind == None }); none.Right != none.N() {
		t.Errorf("on the pages as they were: %s", none)
	}
}

// The other players on the same pages.
func TestOthers(t *testing.T) {
	o := options(t)
	modules := os.Getenv("SHOWHOW_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "@puppeteer", "replay")); modules == "" || err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("@puppeteer/replay is not installed: build/setup.sh test")
		}
		t.Skip("@puppeteer/replay is not installed: build/setup.sh test")
	}
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	// No step is given up, even under load: its click could land in the next step.
	o.Pages, o.Kinds, o.NodeModules, o.Patience = pages[6:7], []string{None}, modules, time.Minute
	r, err := Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, finder := range []string{Showhow, Playwright, Replay} {
		was := r.Sum(func(c Cell) bool { return c.Finder == finder && c.Kind == None })
		if was.N() != len(o.Pages[0].Targets) || was.Wrong > 0 || was.Right == 0 {
			t.Errorf("%s on the page as it was: %+v", finder, was)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 100, 0, 0.037}, {100, 100, 0.963, 1}, {50, 100, 0.404, 0.596}, {0, 0, 0, 1}} {
		if low, high := Interval(c.k, c.n); math.Abs(low-c.low) > 0.001 || math.Abs(high-c.high) > 0.001 {
			t.Errorf("%d of %d: %.3f to %.3f", c.k, c.n, low, high)
		}
	}
}

// One target found on an unchanged page; ns/op is how long a step waits for it.
func BenchmarkFind(b *testing.B) {
	o := options(b)
	pages, err := Pages()
	if err != nil {
		b.Fatal(err)
	}
	m := &measurement{o: o, report: &Report{}}
	defer m.close()
	if err := m.start(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := m.open(b.Context(), pages[1]); err != nil {
		b.Fatal(err)
	}
	wants, err := m.describe(b.Context(), pages[1])
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		i := n % len(wants)
		n++
		if got, why, err := m.find(b.Context(), i, wants[i]); err != nil || got != Right {
			b.Fatal(got, why, err)
		}
	}
}

// The measurement as make bench-learn prints it: shares of right, refused and wrong steps.
func BenchmarkMutations(b *testing.B) {
	o := options(b)
	for b.Loop() {
		r, err := Measure(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		alone, all := r.Alone(Showhow), r.All(Showhow)
		b.ReportMetric(100*float64(alone.Right)/float64(alone.N()), "%right-alone")
		b.ReportMetric(100*float64(all.Wrong)/float64(all.N()), "%wrong")
		b.ReportMetric(float64(all.N()), "steps")
	}
}

// What a look finds renamed is what a repair takes over: the target itself, never something else.
func TestRepairs(t *testing.T) {
	r, err := Repairs(t.Context(), options(t), 12)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Misses {
		t.Logf("%s: %s %s %s: %s", m.Outcome, m.Page, m.Kind, m.Selector, m.Why)
	}
	if r.Cases != 12 || r.Wrong > 0 || r.Right < 10 {
		t.Errorf("%+v", r)
	}
}

// An ability whose control is gone is degraded within minutes and withdrawn the next day, and comes back; one whose page only
// changed stays.
func TestLives(t *testing.T) {
	r, err := Lives(t.Context(), options(t), 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Misses {
		t.Logf("%s: %s %s %s: %s", m.Outcome, m.Page, m.Kind, m.Selector, m.Why)
	}
	if r.Broken < 4 || r.Withdrawn < r.Broken-1 || r.Healed != r.Withdrawn || r.Stuck > 0 || r.Changed < 3 || r.Wronged > 0 {
		t.Errorf("%+v", r)
	}
}

// What is recorded for the simulated year is what a look sees: after a change to browser/find, MUTATE_RECORD=1 records it anew.
func TestSightsAreAsRecorded(t *testing.T) {
	o := options(t)
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	pages = slices.DeleteFunc(pages, func(p Page) bool { return !p.Held })
	if os.Getenv("MUTATE_RECORD") != "" {
		o.Pages = pages
		if err := writeRecord(t, o); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	now := recordAnew(t, o, pages)
	differ := 0
	for _, l := range now {
		i := slices.IndexFunc(was, func(x Look) bool { return x.Page == l.Page && x.Kind == l.Kind && x.At == l.At && x.Seed == l.Seed })
		if i < 0 || !same(was[i].Sights, l.Sights) {
			t.Logf("%s %s %d", l.Page, l.Kind, l.At)
			differ++
		}
	}
	if len(now) == 0 || differ > 0 {
		t.Errorf("%d of %d looks see something else than what was recorded: MUTATE_RECORD=1 records them anew", differ, len(now))
	}
}

// recordAnew looks at the first page under every change, and at each of the others as it was, with each control gone, and changed in
// every way at once.
func recordAnew(t *testing.T, o Options, pages []Page) []Look {
	o.Pages = pages[:1]
	now, err := Record(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Pages, o.Seed = pages[1:], recordedSeeds[0]
	m, err := begin(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for _, p := range m.o.Pages {
		looks, err := m.record(t.Context(), p, true, None, Together)
		if err != nil {
			t.Fatal(err)
		}
		now = append(now, looks...)
	}
	return now
}

func writeRecord(t *testing.T, o Options) error {
	looks, err := Record(t.Context(), o)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
	if err := errors.Join(json.NewEncoder(w).Encode(looks), w.Close()); err != nil {
		return err
	}
	t.Logf("%d looks, %d bytes", len(looks), b.Len())
	return os.WriteFile("sights.json.gz", b.Bytes(), 0o644)
}
