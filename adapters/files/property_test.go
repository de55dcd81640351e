package files

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
)

// TestChangesLeadFromStartToEnd makes random changes at random speed and applies the settled changes to the initial
// listing: the result must equal the final folder. Temporary names and bounds are left aside here.
func TestChangesLeadFromStartToEnd(t *testing.T) {
	const walks = 16
	type walk struct {
		seed uint64
		dir  string
		w    *watcher
		was  map[string]int64
		rnd  *rand.Rand
		acts []string
	}
	var all []*walk
	for i := range walks {
		seed := uint64(time.Now().UnixNano()) + uint64(i)
		k := &walk{seed: seed, dir: filepath.Join(t.TempDir(), "r"), rnd: rand.New(rand.NewPCG(seed, 1))}
		if err := os.Mkdir(k.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			randomAct(k.dir, k.rnd)
		}
		w, err := newWatcher(New(), adaptertest.NewSink())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.fs.Close() })
		k.w = w
		w.rescope(scopeOf(k.dir))
		k.was = disk(t, k.dir)
		all = append(all, k)
	}
	for round := range 30 {
		for _, k := range all {
			for range k.rnd.IntN(12) {
				k.acts = append(k.acts, randomAct(k.dir, k.rnd))
				if k.rnd.IntN(3) == 0 {
					drain(k.w)
				}
			}
		}
		for _, k := range all {
			drainAll(t, k.w, k.dir)
			changes := k.w.settle(func(*mark) bool { return true })
			got := apply(k.was, changes)
			if k.w.stale {
				if err := k.w.rebuild(); err != nil {
					t.Fatal(err)
				}
				more := k.w.settle(func(*mark) bool { return true })
				got, changes = apply(got, more), append(changes, more...)
			}
			is := disk(t, k.dir)
			if diff := compare(got, is); diff != "" {
				t.Fatalf("seed %d round %d:\n%s\nacts:\n  %s\nchanges:\n  %s", k.seed, round, diff, strings.Join(k.acts, "\n  "), describe(changes))
			}
			k.was, k.acts = is, nil
		}
	}
	for _, k := range all {
		if k.w.health.State != adapters.Ready {
			t.Errorf("health %+v", k.w.health)
		}
	}
}

// drain takes the pending notifications.
func drain(w *watcher) {
	for {
		select {
		case ev := <-w.fs.Events:
			w.heard(ev)
		default:
			return
		}
	}
}

// drainAll takes notifications until one arrives for a change of its own: they come in order.
func drainAll(t *testing.T, w *watcher, dir string) {
	t.Helper()
	mark := filepath.Join(dir, "mark")
	write(t, mark, "")
	limit := time.After(time.Minute)
	for {
		select {
		case ev := <-w.fs.Events:
			w.heard(ev)
			if ev.Name == mark && ev.Has(fsnotify.Create) {
				if err := os.Remove(mark); err != nil {
					t.Fatal(err)
				}
				return
			}
		case <-limit:
			t.Fatal("no notification")
		}
	}
}

var names = []string{"a", "b", "c", "d"}

func randomPath(dir string, r *rand.Rand) string {
	p := dir
	for range 1 + r.IntN(3) {
		p = filepath.Join(p, names[r.IntN(len(names))])
	}
	return p
}

// randomAct makes one random change; many fail, as they should.
func randomAct(dir string, r *rand.Rand) string {
	p, q := randomPath(dir, r), randomPath(dir, r)
	switch what := r.IntN(10); what {
	case 0, 1, 2:
		_ = os.WriteFile(p, make([]byte, r.IntN(1000)), 0o644)
		return "write " + p
	case 3:
		if f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0); err == nil {
			f.WriteString("more")
			f.Close()
		}
		return "append " + p
	case 4, 5:
		_ = os.MkdirAll(p, 0o755)
		return "mkdir " + p
	case 6, 7, 8:
		err := os.Rename(p, q)
		return fmt.Sprintf("mv %s %s: %v", p, q, err)
	default:
		_ = os.RemoveAll(p)
		return "rm " + p
	}
}

// disk lists a folder: sizes of files, -1 for folders.
func disk(t testing.TB, dir string) map[string]int64 {
	out := map[string]int64{}
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		if e.IsDir() {
			out[p] = -1
		} else {
			out[p] = fi.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// apply applies changes: moved entries are removed first, innermost first, since removals and origins refer to the
// listing before.
func apply(was map[string]int64, changes []change) map[string]int64 {
	out := map[string]int64{}
	for p, s := range was {
		out[p] = s
	}
	take := func(path string) map[string]int64 {
		sub := map[string]int64{}
		for p, s := range out {
			if within(p, path) {
				sub[strings.TrimPrefix(p, path)] = s
				delete(out, p)
			}
		}
		return sub
	}
	moves := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.what != moved })
	slices.SortFunc(moves, func(a, b change) int { return cmp.Compare(len(b.from), len(a.from)) })
	taken := map[string]map[string]int64{}
	removals := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.what != removed })
	slices.SortFunc(removals, func(a, b change) int { return cmp.Compare(len(b.path), len(a.path)) })
	for _, c := range removals { // a removal inside a moved folder is of the listing before, too
		for _, m := range moves {
			if within(m.from, c.path) {
				taken[m.path] = take(m.from)
			}
		}
		take(c.path)
	}
	for _, m := range moves {
		if taken[m.path] == nil {
			taken[m.path] = take(m.from)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.what == removed })
	slices.SortStableFunc(rest, func(a, b change) int { return cmp.Compare(a.path, b.path) })
	for _, c := range rest {
		if c.what == moved {
			take(c.path)
			for p, s := range taken[c.path] {
				out[c.path+p] = s
			}
		}
		if out[c.path] = c.now.size; c.now.kind == aFolder {
			out[c.path] = -1
		}
	}
	return out
}

func compare(got, want map[string]int64) string {
	var b strings.Builder
	for p, s := range want {
		if g, ok := got[p]; !ok || g != s {
			fmt.Fprintf(&b, "  %s is %d, told %d %v\n", p, s, g, ok)
		}
	}
	for p := range got {
		if _, ok := want[p]; !ok {
			fmt.Fprintf(&b, "  %s is gone, untold\n", p)
		}
	}
	return b.String()
}

func describe(changes []change) string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%s %s from %s (%d)", c.what, c.path, c.from, c.now.size))
	}
	return strings.Join(out, "\n  ")
}
