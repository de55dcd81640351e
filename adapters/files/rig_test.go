package files

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// rig is the source, watching a folder of its own.
type rig struct {
	t      testing.TB
	dir    string
	sink   *adaptertest.Sink
	ctl    adapters.Control
	from   int // observations looked at
	marked string
}

func watchFolder(t testing.TB, prepare func(dir string)) *rig {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "reports")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(dir)
	}
	return watchScope(t, New(), dir, dir)
}

func watchScope(t testing.TB, a *Adapter, dir string, folders ...string) *rig {
	t.Helper()
	r := &rig{t: t, dir: dir, sink: adaptertest.NewSink()}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan adapters.Control, 1), make(chan error, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{Scope: capture.Scope{Folders: folders}}, r.sink, func(c adapters.Control) { ready <- c })
	}()
	select {
	case r.ctl = <-ready:
	case err := <-done:
		t.Fatal(err)
	case <-time.After(time.Minute):
		t.Fatal("not ready")
	}
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return r
}

// sh runs a script in the folder.
func (r *rig) sh(script string) {
	r.t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.test", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@b.test")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// mark creates a file; await returns when it was reported.
func (r *rig) mark() {
	r.t.Helper()
	r.marked = fmt.Sprintf("mark-%d", time.Now().UnixNano())
	write(r.t, filepath.Join(r.dir, r.marked), "x")
}

func (r *rig) await() []adaptertest.Seen {
	r.t.Helper()
	return r.sink.Wait(r.t, "the mark", time.Minute, func(s []adaptertest.Seen) bool {
		return slices.ContainsFunc(s, func(o adaptertest.Seen) bool { return o.File.Name == r.marked })
	})
}

// rest returns the reports since the last call, sorted.
func (r *rig) rest() []string {
	all := r.sink.Seen()
	var out []string
	for _, o := range all[r.from:] {
		if !strings.HasPrefix(o.File.Name, "mark-") {
			out = append(out, words(o.File))
		}
	}
	r.from = len(all)
	slices.Sort(out)
	return out
}

// seen returns what was reported since the last call, sorted. It creates a file and waits for its report, twice,
// since changes that settle together come in order of occurrence.
func (r *rig) seen() []string {
	r.t.Helper()
	for range 2 {
		r.mark()
		r.await()
	}
	return r.rest()
}

// example is a script and the expected reports. At each "then", the script waits until the folder has been quiet.
type example struct {
	begin, script string
	want          []string
}

// tell runs examples without a clock: a script may be as slow as the machine is.
func tell(t *testing.T, examples map[string]example) {
	for name, e := range examples {
		t.Run(name, func(t *testing.T) {
			r := &rig{t: t, dir: filepath.Join(t.TempDir(), "reports")}
			if err := os.Mkdir(r.dir, 0o755); err != nil {
				t.Fatal(err)
			}
			r.sh(e.begin + "\n:")
			w, err := newWatcher(New(), adaptertest.NewSink())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { w.fs.Close() }()
			w.rescope(scopeOf(r.dir))
			var got []string
			for part := range strings.SplitSeq(e.script, "\nthen\n") {
				r.sh(part)
				for _, c := range settled(t, w, r.dir) {
					_, f := file(c, w.roots)
					got = append(got, words(f))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, e.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(e.want, "\n  "))
			}
		})
	}
}

// settled returns what has changed in a folder by now, as it would be reported.
func settled(t *testing.T, w *watcher, dir string) []change {
	t.Helper()
	drainAll(t, w, dir)
	all := func(*mark) bool { return true }
	changes := visible(w.settle(all), w.temporary)
	if w.stale {
		if err := w.rebuild(); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, visible(w.settle(all), w.temporary)...)
	}
	return changes
}

func words(f *capture.File) string {
	s := f.Change + " " + f.Path
	if f.From != "" {
		s += " from " + f.From
	}
	if f.Dir {
		s += fmt.Sprintf(" (%d files)", f.Files)
	}
	return s
}

func (r *rig) want(want ...string) {
	r.t.Helper()
	if got := r.seen(); !slices.Equal(got, want) {
		r.t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// need fails in CI, and skips elsewhere, if a program is missing.
func need(t testing.TB, program, pkg string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: apt-get install %s", program, pkg)
	}
	t.Skipf("%s is missing: apt-get install %s", program, pkg)
}

func scopeOf(folders ...string) capture.Scope { return capture.Scope{Folders: folders} }
