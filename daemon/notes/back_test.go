package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// A change that would not be read as it is meant is refused, and the file stays as it is.
func TestOnlyWhatReadsBackIsWritten(t *testing.T) {
	h := newHouse(t)
	set := func(field, value string) error {
		_, err := h.propose(person, user, wire.NoteAction{Type: "update_task", Payload: map[string]any{"task_id": "tsk_mine", field: value}})
		return err
	}
	const file = "---\nid: tsk_mine\ntitle: &name Water the plants\nstatus: todo\nsource: me\n%s---\n\nText\n"
	for name, c := range map[string]struct {
		rest, field, value string
		ok                 bool
	}{
		"plain":                           {"project: garden\n", "title", "Feed the cat", true},
		"an alias of what is set":         {"project: *name\n", "title", "Feed the cat", false},
		"an alias in a field of theirs":   {"mine: [*name]\n", "title", "Feed the cat", false},
		"an alias, something else is set": {"project: *name\n", "priority", "P1", true},
		"a value merged from elsewhere":   {"base: &b {due: \"2026-12-01\"}\n<<: *b\n", "due", "", false},
		"not UTF-8 in the text":           {"project: garden\n---\n\nCaf\xe9 \x00\n", "title", "Feed the cat", false},
		"not UTF-8 in the head":           {"# Caf\xe9\n", "title", "Feed the cat", false},
		"a head that is almost too long":  {"mine: " + strings.Repeat("x", 64<<10-150) + "\n", "project", strings.Repeat("y", 119), false},
		"a status that nobody knows":      {"mine: 1\n", "title", "Feed the cat", true},
	} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf(file, c.rest)
			if strings.HasPrefix(name, "a status") {
				text = strings.Replace(text, "todo", "some day", 1)
			}
			h.t = t
			h.byHand("plants.md", text)
			var err error
			if c.value == "" {
				_, err = h.propose(person, user, wire.NoteAction{Type: "update_task", Payload: map[string]any{"task_id": "tsk_mine", c.field: nil}})
			} else {
				err = set(c.field, c.value)
			}
			if c.ok && err != nil || !c.ok && !fault.Is(err, fault.NotesInvalid) {
				t.Errorf("%v", err)
			}
			if !c.ok && err != nil && fault.From(err).Hint == "" {
				t.Error("it does not say what to do")
			}
		})
	}
	h.t = t
	var from []wire.NoteSource
	for i := range 40 {
		from = append(from, wire.NoteSource{Type: "text", Value: fmt.Sprint(i, strings.Repeat(" 会", 900))})
	}
	n := wire.NoteAppend{Title: "Meeting", Body: "Text", Sources: from}
	if _, err := h.AppendNote(t.Context(), person, n); !fault.Is(err, fault.NotesInvalid) || !strings.Contains(err.Error(), "64 KiB") {
		t.Errorf("a head that is too long: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(h.dir, "notes", "*.md")); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
	n.Sources = []wire.NoteSource{{Type: "text", Value: " - a: &x\n\t*y  \n\n# 会\r\n'\"---\n--- \n"}, {Type: "text", Value: "~"}}
	n.Title, n.Tags = "yes: [no] # *x", []string{"null", "0x1f", "2026-12-01", "!!str", "- ", "é\u00a0"}
	made, err := h.AppendNote(t.Context(), person, n)
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.Search(t.Context(), notes.Actor{}, wire.NotesSearch{Query: "yes no"})
	if err != nil || len(p.Items) != 1 || p.Items[0].ID != made.ID {
		t.Fatalf("%+v %v", p.Items, err)
	}
	if i := p.Items[0]; !slices.Equal(i.Sources, n.Sources) || !slices.Equal(i.Tags, n.Tags) {
		t.Errorf("%+v %v", p.Items, err)
	}
}

func (h *house) byHand(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}
