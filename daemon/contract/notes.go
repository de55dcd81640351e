package contract

import (
	"context"
	"encoding/json"
	"fmt"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
)

// Notes is the part of *notes.Service that the contract uses. It gives an agent texts without secrets.
type Notes interface {
	Search(ctx context.Context, by notes.Actor, q wire.NotesSearch) (wire.NotesPage, error)
	List(ctx context.Context, by notes.Actor, q wire.TasksList) (wire.NotesPage, error)
	Show(ctx context.Context, by notes.Actor, id string) (wire.NoteItem, error)
	Propose(ctx context.Context, by notes.Actor, q wire.ChangesPropose) (wire.ChangesProposed, error)
}

// actor is the caller as the notes know it. The contract's answers leave by a door whoever asks, so secrets are masked
// for a person, too.
func (c Caller) actor() notes.Actor { return notes.Actor{Agent: c.Agent} }

// notes answers the kinds note and task, which never leave this computer.
func (s *Service) notes(ctx context.Context, q Request, c Caller) (*Envelope, error) {
	if s.o.Notes == nil || !q.ownRoom() || c.elsewhere() {
		return noInformation(q.Verb), nil
	}
	if q.Verb == inserts {
		return s.proposeNote(ctx, q, c)
	}
	var page wire.NotesPage
	var err error
	switch {
	case q.FromID != "":
		var i wire.NoteItem
		if i, err = s.o.Notes.Show(ctx, c.actor(), q.FromID); err == nil && (i.Kind == notes.KindTask) == (q.FromKind == "task") {
			page.Items = []wire.NoteItem{i}
		}
	case q.FromKind == "task":
		page, err = s.o.Notes.List(ctx, c.actor(), wire.TasksList{Query: q.words(), PageSize: q.limit()})
	default:
		page, err = s.o.Notes.Search(ctx, c.actor(), wire.NotesSearch{Query: q.words(), PageSize: q.limit()})
	}
	if err != nil {
		return nil, err
	}
	rows, whole := []any{}, "user_authored"
	for _, i := range page.Items {
		if !q.within(i.UpdatedAt.Time) {
			continue
		}
		b, err := json.Marshal(i)
		if err != nil {
			return nil, err
		}
		var row map[string]any
		if err := json.Unmarshal(b, &row); err != nil {
			return nil, err
		}
		kind := sourceOf(i)
		if provenanceDelta[kind] < provenanceDelta[whole] || kind != "user_authored" && whole == "user_authored" {
			whole = kind // the most cautious one holds for all
		}
		row["source_kind"] = kind
		for _, text := range []string{"body", "excerpt"} {
			if said, _ := row[text].(string); said != "" && q.FromKind == "note" {
				row[text] = retrievedBegin + said + retrievedEnd
			}
		}
		rows = append(rows, project(row, q.Fields))
	}
	e := s.list(q, q.FromKind+"s", rows, whole)
	e.Retrieved = q.FromKind == "note"
	return e, nil
}

// sourceOf is who a note is from. What an agent proposed a person approved; what it captured nobody did.
func sourceOf(i wire.NoteItem) string {
	switch {
	case i.CreatedBy == "":
		return "user_authored"
	case i.Kind == notes.KindCaptured:
		return "llm_inferred"
	}
	return "user_confirmed"
}

// words are what is searched.
func (q Request) words() string {
	if q.FromMatch != "" {
		return q.FromMatch
	}
	return q.Ask
}

// proposeNote proposes a note or a task: a person commits it.
func (s *Service) proposeNote(ctx context.Context, q Request, c Caller) (*Envelope, error) {
	var payload map[string]any
	if json.Unmarshal(q.Payload, &payload) != nil {
		return s.refusal(q, "payload required", "it is that of create_task or append_note: docs/notes.md"), nil
	}
	kind, by := "append_note", notes.Actor{}
	if q.FromKind == "task" {
		kind = "create_task"
	}
	as := wire.NotePerson
	if !c.Person {
		by = c.actor()
		as = wire.NoteAgent(by.Agent)
	}
	p, err := s.o.Notes.Propose(ctx, by, wire.ChangesPropose{Actor: as, Tool: wire.NotesTool,
		Actions: []wire.NoteAction{{Type: kind, Payload: payload}}})
	if err != nil {
		return nil, err
	}
	provenance := "user_authored"
	if by.Agent != "" {
		provenance = "llm_inferred" // until a person commits it
	}
	e := s.of(q, q.FromKind+"s", map[string]any{"change_set_id": p.ChangeSetID, "status": p.Status, "provenance": provenance},
		fmt.Sprintf("It is proposed as %s and waits for the person.", p.ChangeSetID))
	e.ArtifactID, e.ApprovalRequired = p.ChangeSetID, true
	return e, nil
}
