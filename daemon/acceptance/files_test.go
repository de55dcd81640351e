package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
)

// told is what was kept, one line per observation: its label and its files.
func (w *world) told(id string) (out []string) {
	w.t.Helper()
	l := got(w.c.Observations(w.t.Context(), id, client.PageQuery{Page: 1, PageSize: 100}))(w.t)
	for _, o := range l.Observations {
		line := o.Event.ActionLabel
		if o.After != nil {
			for _, f := range o.After.Files {
				line += fmt.Sprintf("; after: %s %s in %s", f.Name, f.Change, f.Folder)
			}
		}
		if o.Before != nil {
			for _, f := range o.Before.Files {
				line += fmt.Sprintf("; before: %s %s in %s", f.Name, f.Change, f.Folder)
			}
		}
		out = append(out, line)
	}
	return out
}

// Files in a folder of the scope are evidence: of the command that wrote them, wherever that ran, or else on their
// own; and only while the scope names the folder.
func TestR11_2_FilesAreEvidence(t *testing.T) {
	t.Parallel()
	w := begin(t)
	s := w.shell()
	reports, other := filepath.Join(w.o.Roots.Home, "reports"), filepath.Join(w.o.Roots.Home, "other")
	for _, d := range []string{reports, other} {
		must(t, os.MkdirAll(d, 0o700))
	}
	r := asked(s)
	r.Scope.Folders = []string{reports}
	sess := w.capturing(s, r)
	var kept []string
	told := func() []string { kept = w.told(sess.LearnSessionID); return kept }
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("kept: %q", kept)
		}
	})
	if !slices.Contains(sess.AdaptersArmed, "files") {
		t.Errorf("armed %v", sess.AdaptersArmed)
	}
	scope := got(w.c.ObservationScope(t.Context(), sess.LearnSessionID))(t)
	if !slices.Contains(scope.AdaptersActive, "files") || !slices.Contains(scope.DataClassesObserved, "file_changes") {
		t.Errorf("active %v, data classes %v", scope.AdaptersActive, scope.DataClassesObserved)
	}
	for _, a := range got(w.c.Adapters(t.Context()))(t).Adapters {
		if a.Evidence != (a.ID == "files") || a.ID == "files" && (!a.Active || a.Health.State != "ready") {
			t.Errorf("%s: evidence %v active %v health %+v", a.ID, a.Evidence, a.Active, a.Health)
		}
		if a.ID == "files" && (!a.Enabled || !a.Healthy || a.LastSeenAt == nil || a.LastErrorCode != "") {
			t.Errorf("%s: enabled %v healthy %v last seen %v last error %q", a.ID, a.Enabled, a.Healthy, a.LastSeenAt, a.LastErrorCode)
		}
	}
	const canary = "canaryq7fz2v9"
	s.run("printf 'a,b\\n' > ../reports/report.csv", "printf x > ../other/"+canary[:6]+"'"+canary[6:]+"'")
	w.until("the file hangs on its command", func() bool {
		told := told()
		return len(told) == 2 && strings.HasSuffix(told[0], "; after: report.csv created in ~/reports")
	})
	must(t, os.WriteFile(filepath.Join(reports, "by-hand.txt"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(other, canary), []byte("x"), 0o600))
	w.until("a file that nothing caused is an event", func() bool {
		told := told()
		return len(told) == 3 && told[2] == "Created 'by-hand.txt'"
	})

	// The scope changes: another folder, then none.
	got(w.c.SetScope(t.Context(), sess.LearnSessionID,
		client.ScopeRequest{Scope: client.Scope{Shells: r.Scope.Shells, Folders: []string{other}}}))(t)
	must(t, os.WriteFile(filepath.Join(reports, "no-longer"), []byte("x"), 0o600))
	must(t, os.WriteFile(filepath.Join(other, "now"), []byte("x"), 0o600))
	w.until("the other folder is watched", func() bool {
		told := told()
		return len(told) == 4 && told[3] == "Created 'now'"
	})
	got(w.c.SetScope(t.Context(), sess.LearnSessionID, client.ScopeRequest{Scope: client.Scope{Shells: r.Scope.Shells}}))(t)
	if scope := got(w.c.ObservationScope(t.Context(), sess.LearnSessionID))(t); slices.Contains(scope.AdaptersActive, "files") ||
		slices.Contains(scope.DataClassesObserved, "file_changes") {
		t.Errorf("no folder is named, active %v, data classes %v", scope.AdaptersActive, scope.DataClassesObserved)
	}
	must(t, os.WriteFile(filepath.Join(other, "too-late"), []byte("x"), 0o600))
	got(w.c.SetScope(t.Context(), sess.LearnSessionID,
		client.ScopeRequest{Scope: client.Scope{Shells: r.Scope.Shells, Folders: []string{reports}}}))(t)
	w.until("the folder is watched again", func() bool { // a change of scope waits for it, but not for ever
		for _, a := range got(w.c.Adapters(t.Context()))(t).Adapters {
			if a.ID == "files" {
				return a.Active && a.Health.State == "ready"
			}
		}
		return false
	})
	s.run("rm ../reports/report.csv")
	w.until("the removal hangs on its command", func() bool {
		told := told()
		return len(told) == 5 && strings.HasSuffix(told[4], "; before: report.csv removed in ~/reports")
	})
	w.stopped(sess, 5)
	for _, line := range told() {
		if strings.Contains(line, canary) || strings.Contains(line, "no-longer") || strings.Contains(line, "too-late") {
			t.Errorf("out of scope: %s", line)
		}
	}
}

// A session that names nothing but a folder keeps what becomes of its files.
func TestR11_2_OnlyAFolder(t *testing.T) {
	t.Parallel()
	w := begin(t)
	dir := filepath.Join(w.o.Roots.Home, "reports")
	must(t, os.MkdirAll(dir, 0o700))
	sess := w.armed(client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent", Goal: "x",
		Scope: &client.Scope{Folders: []string{dir}}})
	got(w.c.StartSession(t.Context(), sess.LearnSessionID))(t)
	got(w.c.PauseSession(t.Context(), sess.LearnSessionID))(t)
	must(t, os.WriteFile(filepath.Join(dir, "meanwhile"), []byte("x"), 0o600))
	got(w.c.ResumeSession(t.Context(), sess.LearnSessionID))(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("x"), 0o600))
	w.until("the file is kept", func() bool { return len(w.told(sess.LearnSessionID)) > 0 })
	if told := w.told(sess.LearnSessionID); !slices.Equal(told, []string{"Created 'a.csv'"}) {
		t.Errorf("kept %q", told)
	}
}
