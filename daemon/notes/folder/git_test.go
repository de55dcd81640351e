package folder

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// TestGitGoesToAnotherCommit calls Sync in the middle of what git does: while it brings the files, and between its last
// step with them and its step with HEAD.
func TestGitGoesToAnotherCommit(t *testing.T) {
	if dir := os.Getenv("NOTES_GIT_DIR"); dir != "" {
		amid(dir)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const call = `"$NOTES_GIT_EXE" -test.run='^TestGitGoesToAnotherCommit$' >>"$NOTES_GIT_OUT" 2>&1`
	for _, moment := range []string{"files", "head"} {
		for _, command := range []string{"checkout -q other", "reset -q --hard other", "pull -q . other"} {
			t.Run(moment+" "+command, func(t *testing.T) {
				dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
				git(t, dir, "init", "-qb", "main")
				put(t, dir, "a.md", "one\n")
				put(t, dir, "gone.md", "of main\n")
				put(t, dir, "y.md", "one\n")
				git(t, dir, "add", ".")
				git(t, dir, "commit", "-qm", "of main")
				git(t, dir, "checkout", "-qb", "other")
				put(t, dir, "a.md", "two\n")
				put(t, dir, "new.md", "of the other\n")
				put(t, dir, "y.md", "two\n")
				git(t, dir, "rm", "-q", "gone.md")
				git(t, dir, "add", ".")
				git(t, dir, "commit", "-qm", "of the other")
				git(t, dir, "checkout", "-q", "main")
				if moment == "files" { // y.md is the last
					put(t, dir, ".git/info/attributes", "y.md filter=amid\n")
					git(t, dir, "config", "filter.amid.smudge", call+"; cat")
				} else {
					put(t, dir, ".git/hooks/post-index-change", "#!/bin/sh\n"+call+"\n")
					os.Chmod(filepath.Join(dir, ".git/hooks/post-index-change"), 0o700)
				}
				cmd := exec.Command("git", append([]string{"-C", dir}, strings.Fields(command)...)...)
				cmd.Env = append(os.Environ(), "NOTES_GIT_DIR="+dir, "NOTES_GIT_EXE="+exe, "NOTES_GIT_OUT="+out)
				if b, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("git %s fails: %v %s", command, err, b)
				}
				if b, _ := os.ReadFile(out); !strings.Contains(string(b), "NOTES_BUSY") {
					t.Errorf("Sync says %q", b)
				}
				os.RemoveAll(filepath.Join(dir, ".git/hooks"))
				os.Remove(filepath.Join(dir, ".git/info/attributes"))
				s := sync(t, open(t, dir))
				if s.Commit != git(t, dir, "rev-parse", "other") {
					t.Errorf("HEAD is %s", s.Commit)
				}
				if log := git(t, dir, "log", "--all", "--format=%b"); strings.Contains(log, Outside) {
					t.Error("what git brought is taken for somebody's edit")
				}
				if got := git(t, dir, "status", "--porcelain"); got != "" {
					t.Errorf("git status says %q", got)
				}
			})
		}
	}
}

func amid(dir string) {
	f, err := Open(dir, Options{})
	if err != nil {
		panic(err)
	}
	_, err = f.Sync()
	if err == nil {
		println("it committed, or saw nothing")
		return
	}
	println(string(fault.From(err).Code))
}

// What git or somebody else keeps locked is left alone; nothing is committed.
func TestALockedRepositoryIsBusy(t *testing.T) {
	for _, lock := range []string{indexLock, headLock} {
		dir := t.TempDir()
		f := open(t, dir)
		sync(t, f)
		commit(t, f, map[string]Write{"a.md": {Data: []byte("one")}})
		put(t, dir, "a.md", "by hand")
		put(t, dir, lock, "")
		if _, err := f.Sync(); !fault.Is(err, fault.NotesBusy) {
			t.Errorf("%s: %v", lock, err)
		}
		if got := git(t, dir, "rev-list", "--count", "HEAD"); got != "1" {
			t.Errorf("%s: %s commits", lock, got)
		}
		if _, err := os.Stat(filepath.Join(dir, lock)); err != nil {
			t.Errorf("the lock of another program: %v", err)
		}
		os.Remove(filepath.Join(dir, lock))
		sync(t, f)
		if got := git(t, dir, "show", "HEAD:a.md"); got != "by hand" {
			t.Errorf("%s: HEAD has %q", lock, got)
		}
		left, _ := filepath.Glob(filepath.Join(dir, ".git/*.lock"))
		if len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	}
}
