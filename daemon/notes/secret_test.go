package notes_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/store"
)

// The person's secret is in a task's title, and so in its file's name; no answer to an agent has it.
func TestAnAgentsProposalDoesNotShowThePersonsSecret(t *testing.T) {
	h := newHouse(t)
	x := h.task("Router hunter2 change", func(q *wire.TaskCreate) { q.Source = "the label says hunter2" })
	p, err := h.propose(robot, agent,
		action("update_task", map[string]any{"task_id": x.ID, "title": "Router", "source": "chat"}),
		action("create_task", map[string]any{"title": "Router hunter2 change", "status": "todo", "source": "chat"}),
		action("create_task", map[string]any{"title": "router [secret] CHANGE", "status": "todo", "source": "chat"}))
	if err != nil {
		t.Fatal(err)
	}
	own, err := h.Changes(t.Context(), robot, "proposed")
	if err != nil || len(own.ChangeSets) != 1 {
		t.Fatalf("%v %v", own, err)
	}
	text := strings.Join(own.ChangeSets[0].Diff, "\n")
	if !strings.Contains(text, "-source: the label says [secret]\n") || !strings.Contains(text, "+source: chat") {
		t.Errorf("the agent sees\n%s", text)
	}
	dropped, err := h.Discard(t.Context(), robot, p.ChangeSetID)
	if err != nil {
		t.Fatal(err)
	}
	for what, answer := range map[string]any{"propose": p, "list": own, "discard": dropped} {
		if strings.Contains(fmt.Sprint(answer), "hunter2") {
			t.Errorf("%s: %v", what, answer)
		}
	}
}

// stored is all that the database keeps of change sets.
func stored(t *testing.T, s *store.Store) (out []notes.Change) {
	t.Helper()
	err := s.Notes().View(t.Context(), func(tx notes.Tx) (err error) {
		out, err = tx.NoteChanges("", "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatIsDecidedLeavesNoTextInTheDatabase(t *testing.T) {
	h := newHouse(t)
	h.note("Wifi", "the password is hunter2")
	for _, end := range []func(id string) error{
		func(id string) error { _, err := h.commit(id); return err },
		func(id string) error { _, err := h.Discard(t.Context(), person, id); return err },
	} {
		p, err := h.propose(person, user, action("create_task", map[string]any{"title": "Enter hunter2", "status": "todo", "source": "s"}))
		if err == nil && !strings.Contains(fmt.Sprint(p.Diff), "hunter2") {
			t.Errorf("the person does not see every line: %q", p.Diff)
		}
		if err == nil {
			err = end(p.ChangeSetID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	all := stored(t, h.store)
	if len(all) != 3 || strings.Contains(fmt.Sprintf("%+v", all), "hunter2") {
		t.Errorf("kept: %+v", all)
	}
	h.now = h.now.Add(91 * 24 * time.Hour)
	h.again()
	if _, err := h.Status(t.Context()); err != nil || len(stored(t, h.store)) != 0 {
		t.Errorf("old change sets stay: %v", err)
	}
}

// A proposal waits however much was decided, or proposed by somebody else, after it.
func TestAWaitingProposalIsAlwaysListed(t *testing.T) {
	h := newHouse(t)
	p, err := h.propose(robot, agent, action("create_task", map[string]any{"title": "Water the plants", "status": "todo", "source": "chat"}))
	if err != nil {
		t.Fatal(err)
	}
	put := func(prefix, status string) {
		t.Helper()
		err := h.store.Notes().Update(t.Context(), func(tx notes.Tx) error {
			c, _, err := tx.NoteChange(p.ChangeSetID)
			for i := 0; err == nil && i < 501; i++ {
				c.ChangeSetID, c.Status, c.Actor = fmt.Sprintf("chg_%s%d", prefix, i), status, user
				c.CreatedAt.Time = c.CreatedAt.Add(time.Millisecond)
				err = tx.PutNoteChange(c)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("a", "committed")
	if l, err := h.Changes(t.Context(), person, "proposed"); err != nil || len(l.ChangeSets) != 1 {
		t.Errorf("%d wait for the person, %v", len(l.ChangeSets), err)
	}
	put("b", "proposed")
	if l, err := h.Changes(t.Context(), robot, "proposed"); err != nil || len(l.ChangeSets) != 1 {
		t.Errorf("%d of the agent's wait, %v", len(l.ChangeSets), err)
	}
}

// What nobody would see, or what turns text around, is refused in a request and written out in a diff.
func TestConcealedCharacters(t *testing.T) {
	h := newHouse(t)
	for _, hidden := range []string{"\u202e", "\u2066", "\u2060", "\ufeff", "\U000e0041"} {
		for _, a := range []wire.NoteAction{
			action("create_task", map[string]any{"title": "pay" + hidden + "001", "status": "todo", "source": "s"}),
			action("append_note", map[string]any{"title": "t", "body": "pay" + hidden + "001",
				"sources": []any{map[string]any{"type": "text", "value": "v"}}})} {
			if _, err := h.propose(robot, agent, a); !fault.Is(err, fault.NotesInvalid) {
				t.Errorf("%+q: %v", hidden, err)
			}
		}
	}
	h.task("می\u200cخواهم 👩\u200d💻", nil) // joiners are part of words and signs
	x := h.task("Order paper", nil)
	path := h.pathOf(x.ID)
	b, _ := os.ReadFile(path)
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), "source: test", "source: \"a\u202eb\"", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := h.propose(robot, agent, action("update_task", map[string]any{"task_id": x.ID, "source": "chat"}))
	if text := strings.Join(p.Diff, "\n"); err != nil || !strings.Contains(text, "<U+202E>") || strings.Contains(text, "\u202e") {
		t.Errorf("%q %v", text, err)
	}
}

// A row that an older version indexed is made again, though its file is the same; one without a file goes.
func TestTheIndexOfAnOlderVersionIsMadeAgain(t *testing.T) {
	h := newHouse(t)
	n := h.note("Prices", "paper", "office")
	err := h.store.Notes().Update(t.Context(), func(tx notes.Tx) error {
		r, _, err := tx.NoteByID(n.ID)
		if err != nil {
			return err
		}
		r.Doc.Tags, r.Doc.Format = nil, 0
		if err := tx.PutNoteRow(r); err != nil {
			return err
		}
		r.Path, r.Doc.ID = "gone.md", "nte_gone"
		return tx.PutNoteRow(r)
	})
	if err != nil {
		t.Fatal(err)
	}
	h.again()
	p, err := h.Search(t.Context(), person, wire.NotesSearch{})
	if err != nil || p.Total != 1 || len(p.Items[0].Tags) != 1 || len(h.find(person, "office")) != 1 {
		t.Errorf("%+v %v", p, err)
	}
}

// A secret is in no file's name, and a list that cuts a text does not leave half of one.
func TestNoHalfOfASecret(t *testing.T) {
	h := newHouse(t)
	h.task("Router hunter2 change", nil)
	for n := 190; n < 200; n++ {
		h.byHand(fmt.Sprintf("heading%d.md", n), "# "+strings.Repeat("x", n)+" hunter2\n\n"+strings.Repeat("x", n+80)+" hunter2\n")
	}
	for n := 70; n < 80; n++ {
		c := wire.NoteCapture{Text: strings.Repeat("y", n) + " hunter2 z", Source: "chat://1"}
		if _, err := h.Capture(t.Context(), person, c); err != nil {
			t.Fatal(err)
		}
	}
	for name := range h.files() {
		if strings.Contains(name, "hunter2") {
			t.Errorf("the file is called %s", name)
		}
	}
	p, err1 := h.Search(t.Context(), robot, wire.NotesSearch{PageSize: 100})
	l, err2 := h.List(t.Context(), robot, wire.TasksList{})
	if err1 != nil || err2 != nil || p.Total != 20 || l.Total != 1 {
		t.Fatal(p.Total, l.Total, err1, err2)
	}
	for _, i := range append(p.Items, l.Items...) {
		if text := fmt.Sprintf("%+v", i); strings.Contains(text, "hun") {
			t.Errorf("an agent gets %s", text)
		}
	}
	p, err := h.Search(t.Context(), person, wire.NotesSearch{PageSize: 100})
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", p), "hunter2") {
		t.Errorf("the person's own list is masked: %v", err)
	}
}

// An agent that takes its proposals back cannot propose for ever; what it captures has a bound of its own.
func TestProposalsOfADay(t *testing.T) {
	h := newHouse(t)
	more := action("create_task", map[string]any{"title": "t", "status": "todo", "source": "s"})
	for range 200 {
		p, err := h.propose(robot, agent, more)
		if err == nil {
			_, err = h.Discard(t.Context(), robot, p.ChangeSetID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.propose(robot, agent, more); !fault.Is(err, fault.NotesTooMany) || fault.From(err).Hint == "" {
		t.Error(err)
	}
	h.says("still heard")
	if _, err := h.propose(person, user, more); err != nil {
		t.Error(err)
	}
	h.now = h.now.Add(24 * time.Hour)
	if _, err := h.propose(robot, agent, more); err != nil {
		t.Errorf("the next day: %v", err)
	}
}
