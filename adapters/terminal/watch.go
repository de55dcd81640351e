package terminal

import (
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
	spools     string // where fish may write; "" when nowhere
	now        func() time.Time
	sink       adapters.Sink

	mu     sync.Mutex
	wanted []string // terminals of the scope
	paused bool
	ended  bool
	pipes  map[string]*pipe // by terminal
	health adapters.Health  // as last reported

	seen sync.Mutex
	mark map[int]process // shells that showed a mark: they are signalled when it changes
}

func newWatch(a *Adapter, dir string, sink adapters.Sink) *watch {
	return &watch{dir: dir, runtimeDir: a.runtimeDir, now: a.now, sink: sink,
		pipes: map[string]*pipe{}, mark: map[int]process{}, health: adapters.Health{State: adapters.Ready}}
}

// Pause replaces the pipes by ones that nobody opens: shells stop reporting, and show that they are paused from the
// next prompt on. Earlier reports are still read.
func (w *watch) Pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = true
	w.report(w.settle())
	w.nudge()
}

// Resume creates new, empty pipes.
func (w *watch) Resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = false
	w.report(w.settle())
	w.nudge()
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
func (w *watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	_ = w.settle()
	w.nudge()
}

// settle opens and closes pipes to match the scope and the current state; none remain once ended. w.mu is held.
func (w *watch) settle() error {
	for tty, p := range w.pipes {
		if w.ended || (p.file == nil) != w.paused || !slices.Contains(w.wanted, tty) {
			p.close()
			delete(w.pipes, tty)
		}
	}
	if w.ended {
		return nil
	}
	for _, tty := range w.wanted {
		if w.pipes[tty] == nil {
			p, err := w.open(tty, w.paused)
			if err != nil {
				return unusable(err)
			}
			w.pipes[tty] = p
		}
	}
	return nil
}

// showed notes that a shell shows the mark.
func (w *watch) showed(p process) {
	w.seen.Lock()
	defer w.seen.Unlock()
	w.mark[p.pid] = p
}

// nudge makes the shells that support it check the mark and redraw their prompt while they wait for input. It uses
// the signal for a resized window, which others ignore.
func (w *watch) nudge() {
	w.seen.Lock()
	defer w.seen.Unlock()
	for pid, p := range w.mark {
		if now, ok := look(pid); ok && now.same(p) {
			resized(pid)
		} else {
			delete(w.mark, pid)
		}
	}
}

// report tells the daemon when the pipes cannot be created any more, and when they can again.
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
