package own

import (
	"context"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Notes is the part of *notes.Service that agents use.
type Notes interface {
	Capture(ctx context.Context, by notes.Actor, c wire.NoteCapture) (wire.NoteCaptured, error)
	Search(ctx context.Context, by notes.Actor, q wire.NotesSearch) (wire.NotesPage, error)
	List(ctx context.Context, by notes.Actor, q wire.TasksList) (wire.NotesPage, error)
	Show(ctx context.Context, by notes.Actor, id string) (wire.NoteItem, error)
	Propose(ctx context.Context, by notes.Actor, q wire.ChangesPropose) (wire.ChangesProposed, error)
}

// noteTools are the tools for notes and tasks, which never leave this computer. Committing and undoing are none: a person does that.
func (h *House) noteTools() []tool {
	if h.o.Notes == nil {
		return nil
	}
	enum := func(s *jsonschema.Schema, list string) {
		for v := range strings.SplitSeq(list, ",") {
			s.Enum = append(s.Enum, v)
		}
	}
	paged := func(p map[string]*jsonschema.Schema) {
		least, most := 1.0, 100.0
		p["page"].Minimum, p["page_size"].Minimum, p["page_size"].Maximum = &least, &least, &most
		within(p["query"], 0, 400)
	}
	tools := []tool{
		newTool[wire.NotesSearch, wire.NotesPage]("search_notes",
			"Find the person's notes and captured items by words, in any language; without a query the newest. Secrets are masked.",
			hints("Search notes", true, true), func(p map[string]*jsonschema.Schema) {
				paged(p)
				enum(p["kind"], "note,captured")
				enum(p["status"], "open,archived")
			}, noted(h.o.Notes.Search)),
		newTool[wire.TasksList, wire.NotesPage]("list_tasks",
			"List the person's tasks, the most urgent first: what is due today, overdue, this week, blocked, done. Secrets are masked.",
			hints("List tasks", true, true), func(p map[string]*jsonschema.Schema) {
				paged(p)
				enum(p["view"], "open,today,overdue,this_week,backlog,blocked,done")
				enum(p["status"], "todo,in_progress,done,cancelled")
				enum(p["priority"], "P0,P1,P2,P3")
			}, noted(h.o.Notes.List)),
		newTool[noteArgs, wire.NoteItem]("show_note", "Show a note, a task or a captured item with its whole text. Secrets are masked.",
			hints("Show a note", true, true), func(p map[string]*jsonschema.Schema) { within(p["id"], 1, 90) },
			noted(func(ctx context.Context, by notes.Actor, in noteArgs) (wire.NoteItem, error) {
				return h.o.Notes.Show(ctx, by, in.ID)
			})),
		newTool[wire.NoteCapture, wire.NoteCaptured]("capture_note",
			"Keep something that was said in this chat, so that the person can sort it later. source is chat:// and the chat's name.",
			hints("Capture", false, false), func(p map[string]*jsonschema.Schema) {
				within(p["text"], 1, 16000)
				within(p["source"], 8, 500)
				p["source"].Pattern = "^chat://.+"
			}, noted(h.o.Notes.Capture)),
		newTool[proposeNotesArgs, wire.ChangesProposed]("propose_notes",
			"Propose tasks, notes, changes of tasks and links. Nothing is written before the person commits it; they see every line.",
			hints("Propose notes and tasks", false, false), func(p map[string]*jsonschema.Schema) {
				least, most := 1, 50
				p["actions"].MinItems, p["actions"].MaxItems = &least, &most
				enum(p["actions"].Items.Properties["type"], "create_task,append_note,link_entities,update_task")
				p["actions"].Items.Properties["payload"].Description = payloads
			}, noted(func(ctx context.Context, by notes.Actor, in proposeNotesArgs) (wire.ChangesProposed, error) {
				return h.o.Notes.Propose(ctx, by, wire.ChangesPropose{Actions: in.Actions, Tool: wire.NotesTool,
					Actor: wire.NoteAgent(by.Agent)})
			})),
	}
	for i := range tools {
		tools[i].local = true
	}
	return tools
}

type noteArgs struct {
	ID string `json:"id" jsonschema:"of a note, a task or a captured item"`
}

type proposeNotesArgs struct {
	Actions []wire.NoteAction `json:"actions" jsonschema:"in order; later ones see the earlier ones"`
}

const payloads = "create_task: title, status (todo, in_progress, done, cancelled), source, and if known priority (P0 to P3), " +
	"due (2026-12-31), project, blocked_by_task_id. append_note: title, body, sources [{type: text, url, " +
	"doc_id or message_id; value}], tags. " +
	"update_task: task_id and the fields to change, null clears one. link_entities: from_id, to_id."

// noted calls the notes as the agent; reason of an error is its code in the notes' own schema.
func noted[In, Out any](do func(context.Context, notes.Actor, In) (Out, error)) func(context.Context, call, In) (Out, error) {
	return func(ctx context.Context, c call, in In) (Out, error) {
		out, err := do(ctx, notes.Actor{Agent: c.Agent}, in)
		if err != nil {
			f := *fault.From(err)
			err = (&f).WithDetail("reason", notes.CodeOf(err))
		}
		return out, err
	}
}
