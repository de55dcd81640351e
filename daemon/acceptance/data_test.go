package acceptance_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
)

// What a person may do with everything that is kept: write it out, purge it now, erase it.
func TestEverythingIsExportedPurgedErased(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, d := w.installed()
	id := d.Session.LearnSessionID

	got(w.c.AppendNote(t.Context(), client.NoteAppend{Title: "Sow the beans", Body: "in May",
		Sources: []client.NoteSource{{Type: "text", Value: "mine"}}}))(t)
	out := filepath.Join(w.o.Roots.Home, "out")
	must(t, os.MkdirAll(out, 0o700))
	x := got(w.c.ExportData(t.Context(), out))(t)
	info, err := os.Stat(x.File)
	must(t, err)
	if info.Mode().Perm() != 0o600 || filepath.Dir(x.File) != out || info.Size() != x.Bytes {
		t.Errorf("%s is %s with %d bytes: %+v", info.Name(), info.Mode(), info.Size(), x)
	}
	z, err := zip.OpenReader(x.File)
	must(t, err)
	defer z.Close()
	held := map[string]uint64{}
	for _, f := range z.File {
		held[f.Name] = f.UncompressedSize64
	}
	for _, name := range []string{"README.txt", "sessions.json", "proposals.json", "observations/" + id + ".jsonl"} {
		if held[name] == 0 {
			t.Errorf("%s is not in it, or empty", name)
		}
	}
	holds := func(part string) bool {
		return slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.Contains(f.Name, part) })
	}
	if len(held) != x.Files || !holds(a.SkillSlug+"/SKILL.md") || holds("keys") || holds("showhow.db") ||
		!holds("notes/notes/sow-the-beans-") || holds(".git") {
		t.Errorf("it holds %d files, %d were told: %v", len(held), x.Files, held)
	}
	if _, err := w.c.ExportData(t.Context(), filepath.Join(out, "none")); err == nil {
		t.Error("it was written into a folder that does not exist")
	}

	p := got(w.c.PurgeData(t.Context()))(t)
	if left := got(w.c.Observations(t.Context(), id, client.PageQuery{Page: 1, PageSize: 10}))(t); p.Sessions != 1 || p.Kept != 0 ||
		left.Total != 0 {
		t.Errorf("purged %+v, %d observations are left", p, left.Total)
	}
	if again := got(w.c.PurgeData(t.Context()))(t); again.Sessions != 0 {
		t.Errorf("a second purge found %+v", again)
	}

	installed := filepath.Join(w.o.Config.Targets[0].Dir, a.SkillSlug)
	if _, err := os.Stat(installed); err != nil {
		t.Fatal(err)
	}
	note := got(w.c.CreateTask(t.Context(), client.TaskCreate{Title: "Water the plants", Status: "todo", Source: "mine"}))(t)
	mine := got(w.c.NotesStatus(t.Context()))(t).Folder
	kept := filepath.Join(mine, got(w.c.Note(t.Context(), note.ID))(t).Path)
	if e := got(w.c.EraseData(t.Context()))(t); !slices.Contains(e.Left, mine) {
		t.Errorf("the notes stay and are not named: %q", e.Left)
	}
	must(t, w.ended())
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("the person's task is gone: %v", err)
	}
	if rest, err := os.ReadDir(w.o.Roots.Data); err != nil || len(rest) != 1 {
		t.Errorf("beside the notes there is %v %v", rest, err)
	}
	for _, gone := range []string{w.o.Roots.State, installed} {
		if _, err := os.Stat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}
