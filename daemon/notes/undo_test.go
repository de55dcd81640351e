package notes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func (h *house) undoOf(id string) (wire.Undone, error) {
	return h.Undo(h.t.Context(), person, wire.UndoLast{RequestedBy: user, Reason: "test", CommitID: id})
}

func (h *house) says(text string) wire.NoteCaptured {
	h.t.Helper()
	c, err := h.Capture(h.t.Context(), robot, wire.NoteCapture{Text: text, Source: "chat://one"})
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// last is the id of the newest change set's commit.
func (h *house) last() string {
	h.t.Helper()
	l, err := h.Changes(h.t.Context(), person, "committed")
	if err != nil || len(l.ChangeSets) == 0 {
		h.t.Fatalf("%v %v", l, err)
	}
	return l.ChangeSets[0].CommitID
}

// What an agent captures never takes the place of the person's last change.
func TestUndoIsOfThePersonsLastChange(t *testing.T) {
	h := newHouse(t)
	mine := h.task("Order paper", nil)
	made := h.last()
	h.says("one")
	captured := h.last()
	h.says("two")
	u, err := h.undo()
	if err != nil || u.UndoneCommitID != made {
		t.Fatalf("%+v %v", u, err)
	}
	if _, err := h.Show(t.Context(), person, mine.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the task is still there: %v", err)
	}
	if got := strings.Join(h.find(person, ""), " "); got != "one two" {
		t.Errorf("captured: %s", got)
	}
	if _, err := h.undo(); !fault.Is(err, fault.NotesNoUndo) {
		t.Errorf("a second undo: %v", err)
	}
	h.note("Wifi", "text")
	note := h.last()
	if u, err := h.undoOf(captured); err != nil || u.UndoneCommitID != captured {
		t.Fatalf("%+v %v", u, err)
	}
	if _, err := h.undoOf(captured); !fault.Is(err, fault.NotesNoUndo) {
		t.Errorf("twice: %v", err)
	}
	if u, err := h.undo(); err != nil || u.UndoneCommitID != note {
		t.Errorf("the undo of a captured item takes the note's place: %+v %v", u, err)
	}
}

func TestUndoByID(t *testing.T) {
	h := newHouse(t)
	h.note("First", "text")
	first := h.last()
	x := h.task("Order paper", nil)
	made := h.last()
	p, err := h.propose(person, user, action("update_task", map[string]any{"task_id": x.ID, "status": "done"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.commit(p.ChangeSetID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.undoOf(made); !fault.Is(err, fault.NotesConflict) {
		t.Errorf("a later change would be lost: %v", err)
	}
	u, err := h.undoOf(first)
	if err != nil || u.UndoneCommitID != first {
		t.Fatalf("%+v %v", u, err)
	}
	if i, err := h.Show(t.Context(), person, x.ID); err != nil || i.Status != "done" || len(h.find(person, "First")) != 0 {
		t.Errorf("%+v %v %v", i, err, h.files())
	}
	for id, code := range map[string]fault.Code{u.RevertCommitID: fault.NotesNoUndo, "cmt_" + strings.Repeat("0", 40): fault.NotFound,
		"cmt_HEAD": fault.NotesInvalid} {
		if _, err := h.undoOf(id); !fault.Is(err, code) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// What nobody proposed does not wait for anybody when it fails.
func TestADirectActionThatFailsIsNoProposal(t *testing.T) {
	h := newHouse(t)
	h.task("Order paper", nil)
	refs, err := filepath.Glob(filepath.Join(h.dir, ".git", "refs", "heads", "*"))
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	if err := os.WriteFile(refs[0]+".lock", []byte("git's"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err1 := h.Capture(t.Context(), robot, wire.NoteCapture{Text: "one", Source: "chat://one"})
	_, err2 := h.undo()
	if !fault.Is(err1, fault.NotesBusy) || !fault.Is(err2, fault.NotesBusy) {
		t.Fatal(err1, err2)
	}
	all := stored(t, h.store)
	for _, c := range all {
		if c.Status != "committed" && c.Status != "discarded" || c.Writes != nil {
			t.Errorf("%s: %+v", c.Status, c)
		}
	}
	if s, err := h.Status(t.Context()); err != nil || s.Waiting != 0 || len(all) != 3 {
		t.Errorf("%d wait, %d are kept: %v", s.Waiting, len(all), err)
	}
	if err := os.Remove(refs[0] + ".lock"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.undo(); err != nil {
		t.Error(err)
	}
}
