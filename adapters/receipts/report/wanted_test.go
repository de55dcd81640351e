package report

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestMarks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "receipts")
	if Wanted(dir, "codex") || AnyWanted(dir) {
		t.Fatal("wanted before anything was")
	}
	must(t, Mark(dir, nil, false))
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made for nothing")
	}
	must(t, Mark(dir, map[string]string{"codex": ForSession, "claude-code": ForJournal}, true))
	if !Wanted(dir, "codex") || !Wanted(dir, "claude-code") || Wanted(dir, "openclaw") || !AnyWanted(dir) {
		t.Error("marks are not as they were made")
	}
	now := time.Now()
	if MayStart(dir, "codex", now) {
		t.Error("a session alone starts no daemon")
	}
	if !MayStart(dir, "claude-code", now) || MayStart(dir, "claude-code", now) || !MayStart(dir, "claude-code", now.Add(2*time.Minute)) {
		t.Error("the daemon is to be started once a minute at most")
	}
	Miss(dir, "codex")
	Miss(dir, "codex")
	must(t, Mark(dir, nil, false))
	if AnyWanted(dir) || Missed(dir, "codex") != 2 || Missed(dir, "claude-code") != 0 {
		t.Error("marks must go and counts stay")
	}
	must(t, Forget(dir, "codex"))
	must(t, Forget(dir, "codex"))
	if Missed(dir, "codex") != 0 {
		t.Error("still counted")
	}
}

// A hook may read a mark while it changes.
func TestAMarkIsNeverHalf(t *testing.T) {
	dir := t.TempDir()
	must(t, Mark(dir, map[string]string{"codex": ForJournal}, false))
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for why := ForSession; ; why = map[string]string{ForSession: ForJournal, ForJournal: ForSession}[why] {
			select {
			case <-end:
				return
			default:
			}
			if err := Mark(dir, map[string]string{"codex": why}, false); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 2000 {
		if b, err := os.ReadFile(filepath.Join(dir, "codex")); err != nil || string(b) != ForSession && string(b) != ForJournal {
			t.Errorf("a hook reads %q: %v", b, err)
			break
		}
	}
	close(end)
	<-ended
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
