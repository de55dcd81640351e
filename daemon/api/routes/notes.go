package routes

import (
	"context"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/notes"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagNotes = "notes"

// Notes keeps notes, tasks and captured items; *notes.Service implements it.
type Notes interface {
	Capture(ctx context.Context, by notes.Actor, c wire.NoteCapture) (wire.NoteCaptured, error)
	CreateTask(ctx context.Context, by notes.Actor, t wire.TaskCreate) (wire.Task, error)
	AppendNote(ctx context.Context, by notes.Actor, n wire.NoteAppend) (wire.NoteAppended, error)
	Search(ctx context.Context, by notes.Actor, q wire.NotesSearch) (wire.NotesPage, error)
	List(ctx context.Context, by notes.Actor, q wire.TasksList) (wire.NotesPage, error)
	Show(ctx context.Context, by notes.Actor, id string) (wire.NoteItem, error)
	Propose(ctx context.Context, by notes.Actor, q wire.ChangesPropose) (wire.ChangesProposed, error)
	Commit(ctx context.Context, by notes.Actor, q wire.ChangesCommit) (wire.ChangesCommitted, error)
	Discard(ctx context.Context, by notes.Actor, id string) (wire.ChangeSet, error)
	Undo(ctx context.Context, by notes.Actor, q wire.UndoLast) (wire.Undone, error)
	Archive(ctx context.Context, by notes.Actor, id string) (wire.NoteCaptured, error)
	Changes(ctx context.Context, by notes.Actor, status string) (wire.ChangeSets, error)
	ChangeOf(ctx context.Context, id string) (wire.ChangeSet, error)
	Status(ctx context.Context) (wire.NotesStatus, error)
}

// NoteRoutes are the routes of notes, tasks and captured items.
type NoteRoutes struct{ Notes Notes }

type notePath struct {
	ID string `path:"id" maxLength:"90" pattern:"^(nte|tsk|inb)_[A-Za-z0-9]+$"`
}

type changePath struct {
	ID string `path:"id" maxLength:"90" pattern:"^chg_[A-Za-z0-9]+$"`
}

type changesQuery struct {
	Status string `query:"status" enum:"proposed,committed,discarded,expired" doc:"omitted: all"`
}

// actor is the caller as the notes know it.
func actor(ctx context.Context) notes.Actor {
	c := caller.Of(ctx)
	if c.Agents() == nil {
		return notes.Actor{}
	}
	return notes.Actor{Agent: c.Agent()}
}

var (
	noteCodes   = []fault.Code{fault.NotesInvalid, fault.NotesFolder, fault.NotesBusy}
	changeCodes = append([]fault.Code{fault.NotFound, fault.NotesConflict, fault.NotesNotPending, fault.Forbidden}, noteCodes...)
)

// Register adds the routes. Agents read, capture and propose; a person decides.
func (rs NoteRoutes) Register(g *engine.Engine) {
	n := rs.Notes
	engine.Register(g, engine.Get("get-notes-status", "/api/notes/status", tagNotes, "Where the notes are, and how many",
		engine.UserReads, noteCodes...),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.NotesStatus], error) {
			return engine.Answered(n.Status(ctx))
		})
	engine.Register(g, engine.Post("capture-inbox", "/api/notes/capture", tagNotes,
		"Keep something that was said in a chat, to be sorted later", engine.AnybodyActs,
		append([]fault.Code{fault.NotesTooMany}, noteCodes...)...),
		func(ctx context.Context, _ *engine.None, b *wire.NoteCaptureRequest) (*engine.Reply[wire.NoteCaptured], error) {
			return engine.Answered(n.Capture(ctx, actor(ctx), b.NoteCapture))
		})
	engine.Register(g, engine.Post("create-task", "/api/notes/tasks", tagNotes, "Make a task", engine.UserWrites, changeCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.TaskCreateRequest) (*engine.Reply[wire.Task], error) {
			return engine.Answered(n.CreateTask(ctx, actor(ctx), b.TaskCreate))
		})
	engine.Register(g, engine.Post("append-note", "/api/notes", tagNotes, "Add a note", engine.UserWrites, changeCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.NoteAppendRequest) (*engine.Reply[wire.NoteAppended], error) {
			return engine.Answered(n.AppendNote(ctx, actor(ctx), b.NoteAppend))
		})
	engine.Register(g, engine.Post("search-notes", "/api/notes/search", tagNotes,
		"Find notes and captured items; agents get them without secrets", engine.AnybodyReads, noteCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.NotesSearchRequest) (*engine.Reply[wire.NotesPage], error) {
			return engine.Answered(n.Search(ctx, actor(ctx), b.NotesSearch))
		})
	engine.Register(g, engine.Post("list-tasks", "/api/notes/tasks/list", tagNotes, "List tasks; agents get them without secrets",
		engine.AnybodyReads, noteCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.TasksListRequest) (*engine.Reply[wire.NotesPage], error) {
			return engine.Answered(n.List(ctx, actor(ctx), b.TasksList))
		})
	engine.Register(g, engine.Get("get-note", "/api/notes/items/{id}", tagNotes, "A note, a task or a captured item with its whole text",
		engine.AnybodyReads, append([]fault.Code{fault.NotFound}, noteCodes...)...),
		func(ctx context.Context, p *notePath, _ *engine.None) (*engine.Reply[wire.NoteItem], error) {
			return engine.Answered(n.Show(ctx, actor(ctx), p.ID))
		})
	engine.Register(g, engine.Post("archive-captured", "/api/notes/items/{id}/archive", tagNotes, "A captured item is done with",
		engine.UserWrites, changeCodes...),
		func(ctx context.Context, p *notePath, _ *wire.Nothing) (*engine.Reply[wire.NoteCaptured], error) {
			return engine.Answered(n.Archive(ctx, actor(ctx), p.ID))
		})
	engine.Register(g, engine.Post("undo-last-commit", "/api/notes/undo", tagNotes,
		"Take back the last change that the person made or approved, or the commit that is named",
		engine.UserWrites, append([]fault.Code{fault.NotesNoUndo}, changeCodes...)...),
		func(ctx context.Context, _ *engine.None, b *wire.UndoLastRequest) (*engine.Reply[wire.Undone], error) {
			return engine.Answered(n.Undo(ctx, actor(ctx), b.UndoLast))
		})
	rs.changes(g)
}

// changes are the routes of change sets.
func (rs NoteRoutes) changes(g *engine.Engine) {
	n := rs.Notes
	engine.Register(g, engine.Get("list-note-changes", "/api/notes/changes", tagNotes, "Change sets, newest first; an agent sees its own",
		engine.AnybodyReads),
		func(ctx context.Context, q *changesQuery, _ *engine.None) (*engine.Reply[wire.ChangeSets], error) {
			return engine.Answered(n.Changes(ctx, actor(ctx), q.Status))
		})
	engine.Register(g, engine.Get("get-note-change", "/api/notes/changes/{id}", tagNotes, "A change set", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *changePath, _ *engine.None) (*engine.Reply[wire.ChangeSet], error) {
			return engine.Answered(n.ChangeOf(ctx, p.ID))
		})
	engine.Register(g, engine.Post("propose-changes", "/api/notes/changes", tagNotes,
		"Propose changes; nothing is written before a person commits them", engine.AnybodyActs,
		append([]fault.Code{fault.NotesTooMany}, changeCodes...)...),
		func(ctx context.Context, _ *engine.None, b *wire.ChangesProposeRequest) (*engine.Reply[wire.ChangesProposed], error) {
			return engine.Answered(n.Propose(ctx, actor(ctx), b.ChangesPropose))
		})
	commit := engine.Post("commit-changes", "/api/notes/changes/commit", tagNotes, "Commit a change set exactly as it was proposed",
		engine.UserWrites.Confirmed("commit-notes"), changeCodes...)
	commit.Access.When = "an agent proposed it"
	engine.RegisterConfirmed(g, commit,
		func(ctx context.Context, _ *engine.None, b *wire.ChangesCommitRequest) (presence.Subject, bool, error) {
			c, err := n.ChangeOf(ctx, b.ChangeSetID)
			x := presence.Subject{ID: b.ChangeSetID, ContentHash: presence.Bind("notes", c.Diff)}
			x = x.Say("The agent “%s” proposes %d new and %d changed", c.Actor.ID, c.Summary.Creates, c.Summary.Updates)
			if c.Summary.DuplicateCandidates > 0 {
				x = x.Say("%d may be there already", c.Summary.DuplicateCandidates)
			}
			for _, line := range c.Diff {
				x = x.Say("%s", line)
			}
			return x, c.Actor.Type == "agent", err
		},
		func(ctx context.Context, _ *engine.None, b *wire.ChangesCommitRequest) (*engine.Reply[wire.ChangesCommitted], error) {
			return engine.Answered(n.Commit(ctx, actor(ctx), b.ChangesCommit))
		})
	engine.Register(g, engine.Post("discard-changes", "/api/notes/changes/{id}/discard", tagNotes,
		"Refuse a change set; an agent takes back its own", engine.AnybodyActs, changeCodes...),
		func(ctx context.Context, p *changePath, _ *wire.Nothing) (*engine.Reply[wire.ChangeSet], error) {
			return engine.Answered(n.Discard(ctx, actor(ctx), p.ID))
		})
}
