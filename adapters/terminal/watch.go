package terminal

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// watch is one Run: the pipes of the terminals in scope. It is the adapter's Control.
type watch struct {
	dir        string
	runtimeDir string
	now        func() time.Time
	sink       adapters.Sink

	mu     sync.Mutex
	wanted []string // terminals of the scope
	paused bool
	ended  bool
	pipes  map[string]*pipe // by terminal
	health adapters.Health  // as last reported
}

func newWatch(a *Adapter, dir string, sink adapters.Sink) *watch {
	return &watch{dir: dir, runtimeDir: a.runtimeDir, now: a.now, sink: sink,
		pipes: map[string]*pipe{}, health: adapters.Health{State: adapters.Ready}}
}

// Pause removes the pipes: from its next prompt on a shell is silent and unmarked. What it reported before is still read.
func (w *watch) Pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = true
	_ = w.settle()
}

// Resume makes new, empty pipes.
func (w *watch) Resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = false
	w.report(w.settle())
}

// Rescope replaces the terminals that are captured.
func (w *watch) Rescope(s capture.Scope) { w.report(w.want(s.Shells)) }

func (w *watch) want(ttys []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = nil
	for _, tty := range ttys {
		if ValidTTY(tty) {
			w.wanted = append(w.wanted, tty)
		}
	}
	return w.settle()
}

// end removes everything and returns when every reader has ended.
func (w *watch) end(back string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	_ = w.settle()
	_ = os.Remove(back)
}

// settle opens and closes pipes until they are those of the scope; none while paused or ended. w.mu is held.
func (w *watch) settle() error {
	on := !w.paused && !w.ended
	for tty, p := range w.pipes {
		if !on || !slices.Contains(w.wanted, tty) {
			p.close()
			delete(w.pipes, tty)
		}
	}
	if !on {
		return nil
	}
	for _, tty := range w.wanted {
		if w.pipes[tty] == nil {
			p, err := w.open(tty)
			if err != nil {
				return unusable(err)
			}
			w.pipes[tty] = p
		}
	}
	return nil
}

// report tells the daemon when the pipes cannot be made any more, and when they can again.
func (w *watch) report(err error) {
	h := adapters.Health{State: adapters.Ready}
	if err != nil {
		h = adapters.Health{State: adapters.Degraded, Code: "runtime_dir_unusable",
			Reason: "the folder for the shells' pipes cannot be used", Fix: "check $XDG_RUNTIME_DIR, then pause and resume"}
	}
	w.tell(h)
}

func (w *watch) tell(h adapters.Health) {
	if h != w.health {
		w.health = h
		w.sink.Health(h)
	}
}

// check repairs pipes that somebody removed and renews the lease while a living shell shows the mark.
func (w *watch) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	marked := false
	for tty, p := range w.pipes {
		switch p.inPlace() {
		case gone:
			p.close()
			delete(w.pipes, tty)
		case taken:
			w.tell(adapters.Health{State: adapters.Degraded, Code: "terminal_taken",
				Reason: "another Showhow captures this terminal", Fix: "stop its session, then pause and resume this one"})
			continue
		}
		marked = marked || p.marked()
	}
	if err := EnsureDir(w.runtimeDir); err != nil {
		w.report(err)
	} else if err := w.settle(); err != nil || w.health.Code == "runtime_dir_unusable" {
		w.report(err)
	}
	if marked {
		w.sink.Indicate(Indicator)
	}
}

func (w *watch) path(tty, ext string) string { return filepath.Join(w.dir, fileName(tty)+ext) }
