package folder

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/internal/fault"
)

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func sync(t *testing.T, f *Folder) State {
	t.Helper()
	s, err := f.Sync()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func commit(t *testing.T, f *Folder, w map[string]Write) string {
	t.Helper()
	h, err := f.Commit(w, "Test\n")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// git runs git itself in the folder, as the judge.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	as := []string{"-C", dir, "-c", "user.name=p", "-c", "user.email=p@example.com", "-c", "safe.directory=*"}
	cmd := exec.Command("git", append(as, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGitUnderstandsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f)
	commit(t, f, map[string]Write{"notes/a.md": {Data: []byte("one\n")}, "b.md": {Data: []byte("two\n")}})
	put(t, dir, "notes/a.md", "edited\n")
	put(t, dir, "会议.md", "笔记\n")
	put(t, dir, "picture.bin", "x")
	s := sync(t, f)
	commit(t, f, map[string]Write{"b.md": {Base: s.Files["b.md"]}, "notes/a.md": {Base: s.Files["notes/a.md"], Data: []byte("both\n")}})
	git(t, dir, "fsck", "--strict")
	if got := git(t, dir, "status", "--porcelain"); got != "?? picture.bin" {
		t.Errorf("git status says %q", got)
	}
	if got := git(t, dir, "rev-list", "--count", "HEAD"); got != "3" {
		t.Errorf("%s commits", got)
	}
	if got := git(t, dir, "show", "HEAD~1:notes/a.md"); got != "edited" {
		t.Errorf("the edit is committed as %q", got)
	}
	// What git does is understood, too: packing, a commit of somebody's own.
	put(t, dir, "notes/a.md", "by git\n")
	git(t, dir, "add", "notes/a.md", "picture.bin")
	git(t, dir, "commit", "-qm", "mine")
	git(t, dir, "gc", "-q")
	s = sync(t, f)
	b, err := f.Read(s.Files["notes/a.md"])
	if err != nil || string(b) != "by git\n" {
		t.Errorf("%q %v", b, err)
	}
	commit(t, f, map[string]Write{"c.md": {Data: []byte("c")}})
	if got := git(t, dir, "ls-tree", "--name-only", "HEAD", "picture.bin"); got != "picture.bin" {
		t.Error("a file that somebody committed is gone")
	}
	git(t, dir, "fsck", "--strict")
}

func TestAChangeForAnotherContentIsRefused(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f)
	commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}})
	base := sync(t, f).Files["a.md"]
	put(t, dir, "a.md", "by hand")
	sync(t, f)
	_, err := f.Commit(map[string]Write{"a.md": {Base: base, Data: []byte("ours")}, "b.md": {Data: []byte("x")}}, "m")
	if !fault.Is(err, fault.NotesConflict) {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(b) != "by hand" {
		t.Errorf("the edit became %q", b)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.md")); err == nil {
		t.Error("a half of the change was written")
	}
}

// An edit between the look at a file and its replacement stays in the file, and both contents are in the history.
func TestAnEditWhileAFileIsWrittenIsKept(t *testing.T) {
	for _, moment := range []string{"branch", "files", "part"} {
		t.Run(moment, func(t *testing.T) {
			dir := t.TempDir()
			f := open(t, dir)
			sync(t, f)
			commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}})
			base := sync(t, f).Files["a.md"]
			f.step = func(s string) {
				if s == moment {
					put(t, dir, "a.md", "by hand")
					put(t, dir, "new.md", "mine")
				}
			}
			commit(t, f, map[string]Write{"a.md": {Base: base, Data: []byte("ours")}, "new.md": {Data: []byte("ours too")}})
			f.step = func(string) {}
			sync(t, f)
			for name, want := range map[string][2]string{"a.md": {"by hand", "ours"}, "new.md": {"mine", "ours too"}} {
				if b, _ := os.ReadFile(filepath.Join(dir, name)); string(b) != want[0] {
					t.Errorf("%s has %q", name, b)
				}
				if got := git(t, dir, "show", "HEAD:"+name); got != want[0] {
					t.Errorf("HEAD has %q in %s", got, name)
				}
				if got := git(t, dir, "show", "HEAD~1:"+name); got != want[1] {
					t.Errorf("the commit before has %q in %s", got, name)
				}
			}
		})
	}
}

func TestNothingLeavesTheFolder(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret.md", "not ours")
	dir := t.TempDir()
	f := open(t, dir)
	if err := os.Symlink(outside, filepath.Join(dir, "linked")); err != nil {
		t.Skip("no links here")
	}
	os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "link.md"))
	s := sync(t, f)
	if len(s.Files) != 0 || !slices.Contains(s.Skipped, "link.md") {
		t.Errorf("a link was followed: %+v", s)
	}
	for _, p := range []string{"../x.md", "/x.md",
		"a/../../x.md", ".git/x.md", "a/.hidden.md", "a\\b.md", "x:y.md", "x.txt", "", "a//b.md", "./a.md"} {
		if _, err := f.Commit(map[string]Write{p: {Data: []byte("x")}}, "m"); !fault.Is(err, fault.NotesFolder) {
			t.Errorf("%q: %v", p, err)
		}
	}
	// The commit stands in git; the file is not written through the link.
	commit(t, f, map[string]Write{"linked/new.md": {Data: []byte("x")}})
	if _, err := os.Stat(filepath.Join(outside, "new.md")); err == nil {
		t.Error("a file was written outside of the folder")
	}
	bad := t.TempDir()
	put(t, bad, ".git", "gitdir: "+outside)
	if _, err := Open(bad, Options{}); !fault.Is(err, fault.NotesFolder) {
		t.Errorf("a repository elsewhere: %v", err)
	}
	bad = t.TempDir()
	os.Mkdir(filepath.Join(bad, ".git"), 0o700)
	os.Symlink(outside, filepath.Join(bad, ".git", "objects"))
	if _, err := Open(bad, Options{}); err == nil {
		t.Error("a repository with its objects elsewhere was opened")
	}
}

func TestOtherProgramsAtWork(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f)
	put(t, dir, ".git/refs/heads/main.lock", "")
	if _, err := f.Commit(map[string]Write{"a.md": {Data: []byte("x")}}, "m"); !fault.Is(err, fault.NotesBusy) {
		t.Error(err)
	}
	os.Remove(filepath.Join(dir, ".git/refs/heads/main.lock"))
	commit(t, f, map[string]Write{"a.md": {Data: []byte("x")}})
	put(t, dir, ".git/MERGE_HEAD", "x")
	if _, err := f.Sync(); !fault.Is(err, fault.NotesBusy) {
		t.Error(err)
	}
}

// TestKilled kills a process at each step of a commit, and opens what it left.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("NOTES_KILL_DIR"); dir != "" {
		killed(dir, os.Getenv("NOTES_KILL_AT"))
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	for n := 1; !ended; n++ {
		dir := t.TempDir()
		f := open(t, dir)
		sync(t, f)
		first := map[string]string{"a.md": "one", "gone.md": "old"}
		commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}, "gone.md": {Data: []byte("old")}})
		f.Close()
		cmd := exec.Command(exe, "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "NOTES_KILL_DIR="+dir, fmt.Sprint("NOTES_KILL_AT=", n))
		if out, err := cmd.CombinedOutput(); err == nil {
			ended = true
			if n < 12 {
				t.Errorf("only %d steps: %s", n, out)
			}
		}
		f = open(t, dir)
		s := sync(t, f)
		got := map[string]string{}
		for p, h := range s.Files {
			b, err := f.Read(h)
			if err != nil {
				t.Fatal(err)
			}
			got[p] = string(b)
			if d, _ := os.ReadFile(filepath.Join(dir, p)); string(d) != got[p] {
				t.Errorf("step %d: %s is %q on the disk and %q in git", n, p, d, b)
			}
		}
		second := map[string]string{"a.md": "two", "sub/b.md": "new"}
		if !maps.Equal(got, first) && !maps.Equal(got, second) {
			t.Errorf("step %d left %v", n, got)
		}
		if ended && !maps.Equal(got, second) {
			t.Error("nothing was killed and the change is not there")
		}
		if log := git(t, dir, "log", "--format=%b"); strings.Contains(log, Outside) {
			t.Errorf("step %d: what was begun is taken for somebody's edit", n)
		}
		if n%4 == 0 {
			git(t, dir, "fsck", "--strict")
		}
		commit(t, f, map[string]Write{"next.md": {Data: []byte("works")}})
		if got := git(t, dir, "status", "--porcelain"); got != "" {
			t.Errorf("step %d: git status says %q", n, got)
		}
	}
}

func killed(dir, at string) {
	n := 0
	f, err := Open(dir, Options{Step: func(string) {
		if n++; fmt.Sprint(n) == at {
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
	}})
	if err != nil {
		panic(err)
	}
	s, err := f.Sync()
	if err != nil {
		panic(err)
	}
	if _, err := f.Commit(map[string]Write{"a.md": {Base: s.Files["a.md"], Data: []byte("two")}, "gone.md": {Base: s.Files["gone.md"]},
		"sub/b.md": {Data: []byte("new")}}, "Killed\n"); err != nil {
		panic(err)
	}
}
