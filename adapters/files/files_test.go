package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

func TestChangesAreTold(t *testing.T) {
	tell(t, map[string]example{
		"created":            {"", "printf 'a,b\\n' >report.csv", []string{"created reports/report.csv"}},
		"changed":            {"echo 1 >a", "echo 2 >>a", []string{"changed reports/a"}},
		"removed":            {"echo 1 >a", "rm a", []string{"removed reports/a"}},
		"moved":              {"echo 1 >a", "mv a b", []string{"moved reports/b from reports/a"}},
		"moved and changed":  {"echo 1 >a", "mv a b; echo 2 >>b", []string{"moved reports/b from reports/a"}},
		"moved over another": {"echo 1 >a; echo 2 >b", "mv a b", []string{"moved reports/b from reports/a"}},
		"moved into a new folder": {"echo 1 >a", "mkdir d; mv a d/a",
			[]string{"created reports/d (1 files)", "moved reports/d/a from reports/a"}},
		"moved in from outside": {"", "echo 1 >../out; mv ../out in", []string{"created reports/in"}},
		"moved out":             {"echo 1 >a", "mv a ../a", []string{"removed reports/a"}},
		"came and went":         {"", "echo 1 >a; rm a", nil},
		"swapped":               {"echo 1 >a; echo 22 >b", "mv a t; mv b a; mv t b", []string{"changed reports/a", "changed reports/b"}},
		"a folder with files": {"", "mkdir -p d/e; echo 1 >d/e/a; echo 2 >d/b",
			[]string{"created reports/d (2 files)", "created reports/d/b", "created reports/d/e (1 files)", "created reports/d/e/a"}},
		"a folder moved in": {"", "mkdir -p ../x/y; echo 1 >../x/y/a; mv ../x d",
			[]string{"created reports/d (1 files)", "created reports/d/y (1 files)", "created reports/d/y/a"}},
		"a folder renamed": {"mkdir -p d/e; echo 1 >d/e/a; echo 2 >d/b", "mv d f",
			[]string{"moved reports/f from reports/d (2 files)"}},
		"a folder renamed, then in": {"mkdir -p d/e; echo 1 >d/e/a", "mv d f; echo 2 >f/e/b; echo 3 >>f/e/a",
			[]string{"changed reports/f/e/a", "created reports/f/e/b", "moved reports/f from reports/d (2 files)"}},
		"a folder and what was left": {"mkdir d; echo 1 >d/a; echo 2 >d/b", "mv d/a .; mv d f; rm f/b",
			[]string{"moved reports/a from reports/d/a", "moved reports/f from reports/d (0 files)", "removed reports/d/b"}},
		"a folder removed": {"mkdir -p d/e; echo 1 >d/e/a; echo 2 >d/b", "rm -r d", []string{"removed reports/d (2 files)"}},
		"a folder replaced": {"mkdir d; echo 1 >d/a", "rm -r d; mkdir d; echo 2 >d/b",
			[]string{"created reports/d (1 files)", "created reports/d/b", "removed reports/d (1 files)"}},
		"a file became a folder": {"echo 1 >a", "rm a; mkdir a", []string{"created reports/a (0 files)", "removed reports/a"}},
		"touched":                {"echo 1 >a; touch -d 2020-01-01 a", "touch a", []string{"changed reports/a"}},
		"mode only":              {"echo 1 >a", "chmod 600 a", nil},
		"read only":              {"echo 1 >a", "cat a >/dev/null", nil},
		"a link":                 {"echo 1 >../out", "ln -s ../out link", []string{"created reports/link"}},
		"behind a link":          {"mkdir ../out; ln -s ../out link", "echo 1 >../out/a; echo 2 >link/b", nil},
		"a pipe and a socket":    {"", "mkfifo p", nil},
		"left out": {"mkdir .git node_modules",
			"echo 1 >.git/a; echo 1 >node_modules/b; mkdir -p x/__pycache__; echo 1 >x/__pycache__/m.pyc", []string{"created reports/x (0 files)"}},
		"strange names": {"", "echo 1 >'a b  c'; echo 1 >'ä\u00adé.csv'; echo 1 >'-n'; echo 1 >\"$(printf 'x\\ny')\"",
			[]string{"created reports/-n", "created reports/a b  c", "created reports/x\ny", "created reports/ä\u00adé.csv"}},
	})
}

func TestFileIsDescribed(t *testing.T) {
	r := watchFolder(t, nil)
	if err := os.MkdirAll(filepath.Join(r.dir, "2026"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.want("created reports/2026 (0 files)")
	path, text := filepath.Join(r.dir, "2026", "Orders.CSV"), "id,total\nA-1,5\n"
	before := time.Now()
	write(t, path, text)
	seen := r.sink.Wait(t, "the file", time.Minute, func(s []adaptertest.Seen) bool { return len(s) > r.from })
	o := seen[r.from]
	sum := sha256.Sum256([]byte(text))
	want := capture.File{Name: "Orders.CSV", Path: "reports/2026/Orders.CSV", Folder: filepath.Dir(path), Ext: ".csv", Size: int64(len(text)),
		Hash: hex.EncodeToString(sum[:]), Change: created}
	if *o.File != want {
		t.Errorf("got  %+v\nwant %+v", *o.File, want)
	}
	if o.Origin.Folder != path || o.Verb != capture.FileChange || !o.Changed {
		t.Errorf("folder %q verb %q changed %v", o.Origin.Folder, o.Verb, o.Changed)
	}
	if o.OccurredAt.Before(before.Add(-20*time.Millisecond)) || o.OccurredAt.After(o.At) {
		t.Errorf("occurred at %v, written at %v, told at %v", o.OccurredAt, before, o.At)
	}
}

// What is noticed late is told with the time at which it was done: a command is asked for what it did by that time.
func TestNoticedLate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gone", "away", "written"} {
		write(t, filepath.Join(dir, name), "x")
	}
	old := time.Now().Add(-time.Hour)
	for _, p := range []string{filepath.Join(dir, "away"), dir} {
		if err := os.Chtimes(p, old, old); err != nil {
			t.Fatal(err)
		}
	}
	w, err := newWatcher(New(), adaptertest.NewSink())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.fs.Close() }()
	w.rescope(scopeOf(dir))
	for _, err := range []error{os.Remove(filepath.Join(dir, "gone")), os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "here")),
		os.Mkdir(filepath.Join(dir, "new"), 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "written"), "xx")
	done := time.Now()
	w.now = func() time.Time { return done.Add(time.Second) }
	for _, name := range []string{"gone", "away", "here", "new", "written"} {
		w.note(filepath.Join(dir, name))
	}
	changes := w.settle(func(*mark) bool { return true })
	if got := describe(changes); len(changes) != 4 {
		t.Fatalf("told %s", got)
	}
	for _, c := range changes {
		if at := c.occurred(); at.After(done.Add(tick)) {
			t.Errorf("%s %s: told %v after it was done", c.what, filepath.Base(c.path), at.Sub(done))
		}
	}
}

func TestLargeFileHasNoHash(t *testing.T) {
	r := watchFolder(t, nil)
	f, err := os.Create(filepath.Join(r.dir, "big.iso"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(maxHashed + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	r.want("created reports/big.iso")
	if o := r.sink.Seen()[0]; o.File.Hash != "" || o.File.Size != maxHashed+1 {
		t.Errorf("%+v", o.File)
	}
}

// reported counts the files that observations name or stand for.
func reported(s []adaptertest.Seen) (oneByOne, total int) {
	for _, o := range s {
		switch {
		case o.File.Dir && o.File.Change == changed:
			total += o.File.Files
		case !o.File.Dir:
			oneByOne, total = oneByOne+1, total+1
		}
	}
	return oneByOne, total
}

func TestManyFilesBecomeANumber(t *testing.T) {
	const n = 600
	r := watchFolder(t, func(dir string) {
		src := filepath.Join(dir, "..", "src", "pkg")
		if err := os.MkdirAll(src, 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			write(t, filepath.Join(src, fmt.Sprintf("f%d", i)), "x")
		}
	})
	r.sh("tar -C ../src -cf ../all.tar pkg; tar xf ../all.tar")
	seen := r.sink.Wait(t, "all of them", time.Minute, func(s []adaptertest.Seen) bool { _, total := reported(s); return total >= n })
	if told, total := reported(seen); total < n || len(seen) > 4*maxTold { // on a slow machine it settles in parts
		t.Errorf("%d observations, %d files one by one, %d in all", len(seen), told, total)
	}
	for _, o := range seen {
		if o.File.Dir && o.File.Change == changed && o.File.Path != "reports/pkg" {
			t.Errorf("the sum is in %s", o.File.Path)
		}
	}
}

// The kernel queues 16,384 notifications; here nobody reads them until there have been more.
func TestOverflowLosesNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := newWatcher(New(), adaptertest.NewSink())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.fs.Close() }()
	w.rescope(scopeOf(dir))
	var files [2]*os.File
	for i := range files {
		if files[i], err = os.Create(filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		defer files[i].Close()
	}
	for i := range 30_000 { // by turns: the kernel joins what repeats
		if _, err := files[i%2].WriteString("x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "d", "unheard"), "x")
	l := newLoop(New(), w)
	defer l.end()
	for limit := time.After(time.Minute); !w.stale; {
		select {
		case ev := <-w.fs.Events:
			w.heard(ev)
		case <-w.fs.Lost:
			w.stale = true
		case <-limit:
			t.Skip("this system keeps more notifications")
		}
	}
	if err := w.rebuild(); err != nil {
		t.Fatal(err)
	}
	got := describe(w.settle(func(*mark) bool { return true }))
	for _, want := range []string{"/d/unheard", "/0 ", "/1 "} {
		if !strings.Contains(got, "created "+dir+want) {
			t.Errorf("%s is missing in\n  %s", want, got)
		}
	}
}

func TestScopeChanges(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, d := range []string{a, b} {
		if err := os.MkdirAll(filepath.Join(d, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := watchScope(t, New(), a, a)
	write(t, filepath.Join(b, "1"), "x")
	write(t, filepath.Join(a, "1"), "x")
	r.want("created a/1")
	r.ctl.Rescope(capture.Scope{Folders: []string{b}})
	write(t, filepath.Join(a, "sub", "2"), "x")
	write(t, filepath.Join(b, "sub", "2"), "x")
	r.dir = b
	r.want("created b/sub/2")
	r.ctl.Rescope(capture.Scope{Folders: []string{a + "/", b, filepath.Join(b, "sub")}})
	write(t, filepath.Join(a, "sub", "3"), "x")
	if err := os.Rename(filepath.Join(b, "sub", "2"), filepath.Join(a, "two")); err != nil {
		t.Fatal(err)
	}
	r.want("created a/sub/3", "moved a/two from b/sub/2")
}

func TestNamedFolderIsALink(t *testing.T) {
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "reports")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	r := watchScope(t, New(), link, link)
	write(t, filepath.Join(link, "a.csv"), "x")
	r.want("created reports/a.csv")
	if o := r.sink.Seen()[0]; o.Origin.Folder != filepath.Join(link, "a.csv") {
		t.Errorf("origin %s", o.Origin.Folder)
	}
}

func TestNamedFolderComesAndGoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reports")
	r := watchScope(t, New(), dir, dir)
	if h := r.sink.LastHealth(); h.Code != "folder_missing" || h.Fix == "" {
		t.Errorf("health %+v", h)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a.csv"), "x")
	r.want("created reports (2 files)", "created reports/a.csv")
	if h := r.sink.LastHealth(); h.State != "ready" {
		t.Errorf("health %+v", h)
	}
	r.sh("mv ../reports ../gone; mkdir ../reports")
	r.dir = dir
	r.sink.Wait(t, "the removal", time.Minute, func(s []adaptertest.Seen) bool {
		return s[len(s)-1].File.Change == removed || len(s) > 3 && s[len(s)-2].File.Change == removed
	})
	r.seen()
	write(t, filepath.Join(dir, "b.csv"), "x")
	r.want("created reports/b.csv")
}

func TestOwnFoldersAreLeftOut(t *testing.T) {
	home := t.TempDir()
	own := filepath.Join(home, "data")
	if err := os.MkdirAll(own, 0o755); err != nil {
		t.Fatal(err)
	}
	r := watchScope(t, New(own), home, home, filepath.Join(own, "deep"))
	write(t, filepath.Join(own, "showhow.db"), "x")
	write(t, filepath.Join(home, "a"), "x")
	if got := r.seen(); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	if n := r.sink.Withheld(capture.OwnWindow); n != 1 {
		t.Errorf("%d withheld", n)
	}
}

func TestAFileWrittenAllTheTime(t *testing.T) {
	a := New()
	a.quiet = 10 * time.Minute // never quiet
	dir := t.TempDir()
	r := watchScope(t, a, dir, dir)
	write(t, filepath.Join(dir, "log"), "x")
	info, err := os.Stat(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "a moment that the file's own time is before", func() bool { return time.Since(info.ModTime()) > tick })
	r.ctl.Pause() // what occurred before is handed over
	if s := r.sink.Seen(); len(s) != 1 || s[0].File.Name != "log" {
		t.Errorf("seen\n%s", adaptertest.Describe(s))
	}
}

func TestWhatChangedWhilePausedIsNotTold(t *testing.T) {
	r := watchFolder(t, func(dir string) { write(t, filepath.Join(dir, "a"), "1") })
	r.ctl.Pause()
	r.sh("echo 2 >>a; mkdir d; echo 3 >d/b; mkdir -p e/f")
	r.ctl.Resume()
	r.sh("mv d/b d/c; echo 4 >e/f/x")
	r.want("created reports/e/f/x", "moved reports/d/c from reports/d/b")
}
