package folder

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// A file that vanishes again after it was taken in, as an editor does it that writes by a rename, is not brought back.
func TestTakingInWritesNoFile(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	sync(t, f)
	commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}})
	os.Remove(filepath.Join(dir, "a.md"))
	put(t, dir, "b.md", "two")
	f.step = func(s string) {
		if s == "files" { // undone in the meantime
			os.Remove(filepath.Join(dir, "b.md"))
			put(t, dir, "a.md", "one")
		}
	}
	sync(t, f)
	if _, err := os.Stat(filepath.Join(dir, "a.md")); err != nil {
		t.Errorf("a file that came back is gone: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.md")); err == nil {
		t.Error("a file that somebody removed is back")
	}
	f.step = func(string) {}
	if s := sync(t, f); len(s.Files) != 1 || s.Files["a.md"] == "" {
		t.Errorf("the folder holds %v", s.Files)
	}
	// The same after a kill between the branch and the end.
	put(t, dir, "c.md", "three")
	f.step = func(s string) {
		if s == "index" {
			panic("killed")
		}
	}
	func() {
		defer func() { recover() }()
		f.Sync()
	}()
	os.Remove(filepath.Join(dir, "c.md"))
	f = open(t, dir)
	sync(t, f)
	if _, err := os.Stat(filepath.Join(dir, "c.md")); err == nil {
		t.Error("the next start wrote a file of somebody else's")
	}
}

func TestAFolderThatCannotBeListedStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	for _, p := range []string{"open/a.md", "shut/b.md", "shut/deep/c.md"} {
		put(t, dir, p, p)
	}
	sync(t, f)
	shut := filepath.Join(dir, "shut")
	if err := os.Chmod(shut, 0o100); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o700) })
	if _, err := os.ReadDir(shut); err == nil {
		t.Skip("nothing is unreadable for this user")
	}
	put(t, dir, "open/a.md", "edited")
	s := sync(t, f)
	if !slices.Contains(s.Skipped, "shut") || len(s.Files) != 1 {
		t.Errorf("%+v", s)
	}
	if got := git(t, dir, "ls-tree", "-r", "--name-only", "HEAD"); got != "open/a.md\nshut/b.md\nshut/deep/c.md" {
		t.Errorf("HEAD holds %q", got)
	}
	os.Chmod(shut, 0o700)
	if s := sync(t, f); len(s.Files) != 3 || len(s.Skipped) != 0 {
		t.Errorf("%+v", s)
	}
}

// What is another repository, or has another one's name, never makes a commit that git cannot read.
func TestOtherRepositoriesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	put(t, dir, "a.md", "one")
	put(t, dir, "mine/kept.md", "before it was a repository")
	sync(t, f)
	other := t.TempDir()
	git(t, other, "init", "-q")
	put(t, other, "read.md", "of the other")
	git(t, other, "add", ".")
	git(t, other, "commit", "-qm", "one")
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "module")
	git(t, dir, "commit", "-qm", "a module")
	git(t, dir, "init", "-q", "loose")
	put(t, dir, "loose/x.md", "of the loose one")
	git(t, dir, "init", "-q", "mine")
	put(t, dir, "mine/new.md", "of mine")
	judge := func(want string) {
		t.Helper()
		if got := strings.Join(strings.Fields(git(t, dir, "ls-tree", "-r", "--name-only", "HEAD")), " "); got != want {
			t.Errorf("HEAD holds %q", got)
		}
		git(t, dir, "fsck", "--strict")
	}
	put(t, dir, "a.md", "two")
	s := sync(t, f)
	for _, p := range []string{"loose", "mine", "module"} {
		if !slices.Contains(s.Skipped, p) {
			t.Errorf("%s is not named: %v", p, s.Skipped)
		}
		if _, err := f.Commit(map[string]Write{p + "/ours.md": {Data: []byte("x")}}, "m"); !fault.Is(err, fault.NotesFolder) {
			t.Errorf("a file in %s: %v", p, err)
		}
	}
	judge(".gitmodules a.md mine/kept.md module")
	// Its place is not filled, as after a clone without modules.
	git(t, dir, "submodule", "--quiet", "deinit", "-f", "module")
	put(t, dir, "module/mine.md", "in the empty place")
	put(t, dir, "a.md", "three")
	sync(t, f)
	judge(".gitmodules a.md mine/kept.md module")
}

func TestAFileBecomesAFolderAndBack(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	put(t, dir, "plain", "no Markdown")
	put(t, dir, "x.md/other.txt", "below a folder of that name")
	put(t, dir, "y.md", "a file")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "theirs")
	sync(t, f)
	os.Remove(filepath.Join(dir, "plain"))
	put(t, dir, "plain/a.md", "a")
	os.RemoveAll(filepath.Join(dir, "x.md"))
	put(t, dir, "x.md", "a file now")
	os.Remove(filepath.Join(dir, "y.md"))
	put(t, dir, "y.md/b.md", "b")
	sync(t, f)
	if got := strings.Join(strings.Fields(git(t, dir, "ls-tree", "-r", "--name-only", "HEAD")), " "); got != "plain/a.md x.md y.md/b.md" {
		t.Errorf("HEAD holds %q", got)
	}
	git(t, dir, "fsck", "--strict")
	if got := git(t, dir, "status", "--porcelain"); got != "" {
		t.Errorf("git status says %q", got)
	}
	_, err := f.Commit(map[string]Write{"x.md/ours.md": {Data: []byte("x")}}, "m")
	if !fault.Is(err, fault.NotesFolder) {
		t.Errorf("a file below a file: %v", err)
	}
}

// What git leaves out is left out here: git itself is asked.
func TestIgnoredFilesAreNotTakenIn(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	put(t, dir, "drafts/old.md", "before the rule")
	put(t, dir, "old.tmp.md", "before the rule")
	sync(t, f)
	put(t, dir, ".git/info/exclude", "# by hand\n/private.md\n")
	put(t, dir, ".gitignore", "\ufeff*.tmp.md\r\ndrafts/\n/only/top.md\n!wanted.tmp.md\n**/cache/\nq?.md\n\\#x.md\n")
	put(t, dir, "sub/.gitignore", "local.md\n!drafts/in.md\n/deep/*.md\n!/deep/yes.md\n")
	for _, p := range []string{"private.md", "sub/private.md", "a.tmp.md", "wanted.tmp.md", "sub/b.tmp.md", "drafts/new.md",
		"sub/drafts/in.md",
		"drafts/deep/x.md", "only/top.md", "sub/only/top.md", "cache/x.md", "sub/cache/x.md", "sub/local.md", "local.md", "sub/deep/no.md",
		"sub/deep/yes.md", "q1.md", "q22.md", "#x.md", "plain.md"} {
		put(t, dir, p, p)
	}
	want := append(strings.Fields(git(t, dir, "ls-files", "-o", "--exclude-standard", "--", "*.md")), "drafts/old.md", "old.tmp.md")
	slices.Sort(want)
	put(t, dir, "drafts/old.md", "edited")
	s := sync(t, f)
	got := slices.Sorted(maps.Keys(s.Files))
	if !slices.Equal(got, want) {
		t.Errorf("taken in: %v\ngit takes: %v", got, want)
	}
	if len(want) < 8 || len(s.Skipped) > 0 {
		t.Errorf("%d files, %v", len(want), s.Skipped)
	}
	if got := git(t, dir, "show", "HEAD:drafts/old.md"); got != "edited" {
		t.Errorf("a file in the commit has %q there", got)
	}
	os.Remove(filepath.Join(dir, "old.tmp.md"))
	if s := sync(t, f); s.Files["old.tmp.md"] != "" {
		t.Error("a file that is gone is still there")
	}
	// Showhow's own files are there whatever the rules say.
	commit(t, f, map[string]Write{"drafts/ours.md": {Data: []byte("x")}})
	if s := sync(t, f); s.Files["drafts/ours.md"] == "" {
		t.Error("a file that was committed is not there")
	}
}
