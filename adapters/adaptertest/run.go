package adaptertest

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/adapters"
	"showhow/capture"
	"showhow/internal/await"
)

// Run holds an adapter to its contract. Each part is a subtest with a world of its own.
func Run(t *testing.T, h Harness) {
	t.Run("info", func(t *testing.T) { checkInfo(t, h.Start(t).Adapter) })
	t.Run("probe", func(t *testing.T) { checkProbe(t, h) })
	t.Run("in_scope", func(t *testing.T) { checkInScope(t, h) })
	t.Run("off_scope", func(t *testing.T) { checkOffScope(t, h) })
	t.Run("pause", func(t *testing.T) { checkPause(t, h) })
	t.Run("rescope", func(t *testing.T) { checkRescope(t, h) })
	t.Run("end", func(t *testing.T) { checkEnd(t, h) })
}

// running is an adapter while it observes.
type running struct {
	World
	h       Harness
	sink    *Sink
	control adapters.Control
	cancel  context.CancelFunc
	done    chan error
}

// start runs the adapter and waits until it observes.
func (h Harness) start(t *testing.T, scope func(World) capture.Scope) *running {
	t.Helper()
	w := h.Start(t)
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{World: w, h: h, sink: NewSink(), cancel: cancel, done: make(chan error, 1)}
	ready := make(chan adapters.Control, 1)
	s := adapters.Session{ID: "0190a000-0000-7000-8000-000000000001", Scope: scope(w)}
	go func() {
		defer func() {
			if p := recover(); p != nil {
				r.done <- fmt.Errorf("panic: %v", p)
			}
		}()
		r.done <- w.Adapter.Run(ctx, s, r.sink, func(c adapters.Control) { ready <- c })
	}()
	t.Cleanup(func() { r.stop(t) })
	select {
	case r.control = <-ready:
	case err := <-r.done:
		r.done <- err
		t.Fatalf("Run returned before it was ready: %v", err)
	case <-time.After(time.Minute):
		t.Fatal("Run was not ready within a minute")
	}
	if w.Join != nil {
		w.Join(t)
	}
	return r
}

// stop ends Run and fails if that takes longer than the contract allows.
func (r *running) stop(t *testing.T) {
	t.Helper()
	r.cancel()
	select {
	case err := <-r.done:
		r.done <- err
		if err != nil && err != context.Canceled {
			t.Errorf("Run: %v", err)
		}
	case <-time.After(30 * time.Second):
		buf := make([]byte, 1<<20)
		t.Errorf("Run did not return within 30 s of its context's end\n%s", buf[:runtime.Stack(buf, true)])
	}
}

func inside(w World) capture.Scope { return w.Scope }

func (r *running) is(o capture.Observation, i int) bool { return r.Is == nil || r.Is(o, i) }

// of returns the observations of act i from a position on.
func (r *running) of(seen []Seen, from, i int) []Seen {
	var out []Seen
	for _, o := range seen[min(from, len(seen)):] {
		if r.is(o.Observation, i) {
			out = append(out, o)
		}
	}
	return out
}

// act does act i and waits for its observation.
func (r *running) act(t *testing.T, i int) Seen {
	t.Helper()
	from := len(r.sink.Seen())
	before := time.Now()
	r.In(t, i)
	after := time.Now()
	seen := r.sink.Wait(t, fmt.Sprintf("the observation of act %d", i), r.h.patience(), func(s []Seen) bool {
		return len(r.of(s, from, i)) > 0
	})
	o := r.of(seen, from, i)[0]
	if skew := r.h.skew(); o.OccurredAt.Before(before.Add(-skew)) || o.OccurredAt.After(after.Add(skew)) {
		t.Errorf("act %d occurred at %v, outside its window %v to %v", i, o.OccurredAt, before, after)
	}
	return o
}

// settle waits until nothing has been emitted for the harness's quiet time.
func (r *running) settle() {
	for n := -1; n != len(r.sink.Seen()); {
		n = len(r.sink.Seen())
		time.Sleep(r.h.quiet()) // quiet: no order between acts holds for every adapter
	}
}

func checkInfo(t *testing.T, a adapters.Adapter) {
	info := a.Info()
	if !slices.Contains(capture.Kinds, info.Kind) {
		t.Errorf("kind %q is not of the mission", info.Kind)
	}
	for name, text := range map[string]string{"id": info.ID, "title": info.Title} {
		if strings.TrimSpace(text) == "" || len(text) > 80 {
			t.Errorf("%s is empty or too long: %q", name, text)
		}
	}
	for name, list := range map[string][]string{"sees": info.Sees, "never_sees": info.NeverSees,
		"data_classes": info.DataClasses, "platforms": info.Platforms} {
		if len(list) == 0 || slices.ContainsFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" }) {
			t.Errorf("%s is empty or has an empty entry: %q", name, list)
		}
	}
	if !slices.Contains([]string{"phase_1", "phase_2", "phase_3"}, info.Phase) {
		t.Errorf("phase %q", info.Phase)
	}
	if slices.Contains(info.Alternatives, info.Kind) {
		t.Error("an adapter is no alternative to itself")
	}
	if info.Alternatives == nil || info.Permissions == nil {
		t.Error("alternatives and permissions are lists, possibly empty, never nil")
	}
	if slices.Contains(info.Platforms, runtime.GOOS) && a.Probe(t.Context()).State == adapters.Unavailable {
		t.Logf("declared for %s but unavailable here: %s", runtime.GOOS, a.Probe(t.Context()).Reason)
	}
}

func checkProbe(t *testing.T, h Harness) {
	w := h.Start(t)
	children, goroutines := childProcesses(), goleak.IgnoreCurrent()
	begin := time.Now()
	for range 3 {
		health := w.Adapter.Probe(t.Context())
		switch health.State {
		case adapters.Ready:
		case adapters.Degraded, adapters.Unavailable:
			if health.Code == "" || health.Reason == "" || health.Fix == "" {
				t.Errorf("%s without code, reason or fix: %+v", health.State, health)
			}
		default:
			t.Errorf("state %q", health.State)
		}
	}
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("three probes took %v", d)
	}
	if err := goleak.Find(goroutines); err != nil {
		t.Errorf("Probe left a goroutine: %v", err)
	}
	if more := h.appeared(children); len(more) > 0 {
		t.Errorf("Probe left processes: %v", more)
	}
}

func checkInScope(t *testing.T, h Harness) {
	r := h.start(t, inside)
	const acts = 5
	var at []Seen
	from := len(r.sink.Seen())
	for i := range acts {
		at = append(at, r.act(t, i))
	}
	r.settle()
	seen := r.sink.Seen()
	keys := map[string]bool{}
	for i := range acts {
		if n := len(r.of(seen, from, i)); r.Is != nil && n != 1 {
			t.Errorf("act %d yielded %d observations:\n%s", i, n, Describe(seen[from:]))
		}
		if i > 0 && at[i].OccurredAt.Before(at[i-1].OccurredAt) {
			t.Errorf("act %d occurred before act %d", i, i-1)
		}
	}
	if n := len(seen) - from; r.Is == nil && n != acts {
		t.Errorf("%d acts yielded %d observations:\n%s", acts, n, Describe(seen[from:]))
	}
	for _, o := range seen {
		if o.Key == "" || keys[o.Key] {
			t.Errorf("key %q is empty or used twice", o.Key)
		}
		keys[o.Key] = true
		if o.Kind != r.Adapter.Info().Kind || o.Verb == "" || o.OccurredAt.IsZero() {
			t.Errorf("incomplete: kind %q verb %q at %v", o.Kind, o.Verb, o.OccurredAt)
		}
		if o.CauseKey == o.Key {
			t.Errorf("%q is its own cause", o.Key)
		}
	}
}

const canary = "canaryq7fz2v9"

func checkOffScope(t *testing.T, h Harness) {
	r := h.start(t, inside)
	r.act(t, 0)
	r.Off(t, canary)
	r.act(t, 1) // whatever Off did has passed the adapter by now, or does while it settles
	r.settle()
	if all := Everything(r.sink.Seen()); strings.Contains(all, canary) {
		t.Errorf("something outside the scope was described:\n%s", Describe(r.sink.Seen()))
	}
	empty := h.start(t, func(World) capture.Scope { return capture.Scope{} })
	empty.In(t, 0)
	empty.Off(t, canary)
	empty.settle()
	if seen := empty.sink.Seen(); len(seen) > 0 {
		t.Errorf("an empty scope admits nothing, seen:\n%s", Describe(seen))
	}
}

// hangs is longer than a call that must not wait takes on the busiest machine. The benchmarks measure the actual
// speed.
const hangs = 3 * time.Second

// effective waits until a change has taken effect.
func (r *running) effective() {
	time.Sleep(100 * time.Millisecond) // quiet: the contract's own bound
	if r.Told != nil {
		r.Told()
	}
}

func checkPause(t *testing.T, h Harness) {
	r := h.start(t, inside)
	r.act(t, 0)
	r.settle()
	begin := time.Now()
	r.control.Pause()
	if d := time.Since(begin); d > hangs {
		t.Errorf("Pause took %v", d)
	}
	r.effective()
	n := len(r.sink.Seen())
	r.In(t, 1)
	r.settle()
	if seen := r.sink.Seen()[n:]; len(seen) > 0 {
		t.Errorf("seen while paused:\n%s", Describe(seen))
	}
	r.control.Resume()
	r.effective()
	resumed := time.Now()
	r.act(t, 2)
	r.settle()
	for _, o := range r.sink.Seen()[n:] {
		if o.OccurredAt.Before(resumed.Add(-100*time.Millisecond - r.h.skew())) {
			t.Errorf("what happened while paused came after all:\n%s", Describe([]Seen{o}))
		}
	}
}

func checkRescope(t *testing.T, h Harness) {
	r := h.start(t, inside)
	r.act(t, 0)
	r.settle()
	r.control.Rescope(r.OffScope)
	r.effective()
	n := len(r.sink.Seen())
	r.In(t, 1)
	r.settle()
	if seen := r.of(r.sink.Seen(), n, 1); len(seen) > 0 {
		t.Errorf("no longer in the scope, but seen:\n%s", Describe(seen))
	}
	n = len(r.sink.Seen())
	r.Off(t, "nowallowed")
	r.sink.Wait(t, "what the new scope admits", r.h.patience(), func(s []Seen) bool { return len(s) > n })
	r.settle()
	r.control.Rescope(r.Scope)
	r.effective()
	r.act(t, 2)
}

func checkEnd(t *testing.T, h Harness) {
	children, goroutines := childProcesses(), goleak.IgnoreCurrent()
	t.Run("world", func(t *testing.T) {
		r := h.start(t, inside)
		r.act(t, 0)
		r.settle()
		n := len(r.sink.Seen())
		r.stop(t)
		r.In(t, 1)
		time.Sleep(h.quiet()) // quiet: nothing comes after the end
		if seen := r.sink.Seen()[n:]; len(seen) > 0 {
			t.Errorf("seen after the end:\n%s", Describe(seen))
		}
		if r.Stop != nil {
			r.Stop()
		}
	})
	if err := goleak.Find(goroutines); err != nil {
		t.Errorf("left behind: %v", err)
	}
	if !await.Within(30*time.Second, func() bool { return len(h.appeared(children)) == 0 }) {
		t.Errorf("processes left behind: %v", h.appeared(children))
	}
}

// childProcesses lists this process's descendants by pid; nil where /proc does not exist.
func childProcesses() map[int]string {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parent, name := map[int]int{}, map[int]string{}
	for _, e := range entries {
		var pid, ppid int
		if _, err := fmt.Sscan(e.Name(), &pid); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		open, end := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
		if open < 0 || end < open {
			continue
		}
		var state string
		if _, err := fmt.Sscan(string(stat[end+1:]), &state, &ppid); err == nil && state != "Z" {
			parent[pid], name[pid] = ppid, string(stat[open+1:end])
		}
	}
	out := map[int]string{}
	for pid := range parent {
		for p := parent[pid]; p > 1; p = parent[p] {
			if p == os.Getpid() {
				out[pid] = name[pid]
				break
			}
		}
	}
	return out
}

func (h Harness) appeared(before map[int]string) []string {
	var out []string
	for pid, name := range childProcesses() {
		if _, old := before[pid]; !old && (h.Shared == nil || !h.Shared(name)) {
			out = append(out, fmt.Sprintf("%s (%d)", name, pid))
		}
	}
	return out
}
