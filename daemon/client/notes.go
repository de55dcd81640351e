package client

import (
	"context"
	"net/url"

	"showhow/daemon/wire"
)

type (
	NoteItem    = wire.NoteItem
	NoteAppend  = wire.NoteAppend
	NoteCapture = wire.NoteCapture
	NotesPage   = wire.NotesPage
	NotesSearch = wire.NotesSearch
	NotesStatus = wire.NotesStatus
	TaskCreate  = wire.TaskCreate
	TasksList   = wire.TasksList
	ChangeSet   = wire.ChangeSet
	ChangeSets  = wire.ChangeSets
	NoteAction  = wire.NoteAction
	NoteSource  = wire.NoteSource
)

// NoteService is the part of the API about notes, tasks and captured items.
type NoteService struct{ t *transport }

// NotesStatus says where the notes are.
func (c NoteService) NotesStatus(ctx context.Context) (NotesStatus, error) {
	return get[NotesStatus](ctx, c.t, "/api/notes/status", nil)
}

// Capture keeps something that was said.
func (c NoteService) Capture(ctx context.Context, q NoteCapture, calls ...Call) (wire.NoteCaptured, error) {
	return post[wire.NoteCaptured](ctx, c.t, "/api/notes/capture", wire.NoteCaptureRequest{NoteCapture: q}, calls...)
}

// CreateTask makes a task.
func (c NoteService) CreateTask(ctx context.Context, q TaskCreate, calls ...Call) (wire.Task, error) {
	return post[wire.Task](ctx, c.t, "/api/notes/tasks", wire.TaskCreateRequest{TaskCreate: q}, calls...)
}

// AppendNote adds a note.
func (c NoteService) AppendNote(ctx context.Context, q NoteAppend, calls ...Call) (wire.NoteAppended, error) {
	return post[wire.NoteAppended](ctx, c.t, "/api/notes", wire.NoteAppendRequest{NoteAppend: q}, calls...)
}

// SearchNotes finds notes and captured items.
func (c NoteService) SearchNotes(ctx context.Context, q NotesSearch) (NotesPage, error) {
	return post[NotesPage](ctx, c.t, "/api/notes/search", wire.NotesSearchRequest{NotesSearch: q})
}

// ListTasks lists tasks.
func (c NoteService) ListTasks(ctx context.Context, q TasksList) (NotesPage, error) {
	return post[NotesPage](ctx, c.t, "/api/notes/tasks/list", wire.TasksListRequest{TasksList: q})
}

// Note is a note, a task or a captured item with its text.
func (c NoteService) Note(ctx context.Context, id string) (NoteItem, error) {
	return get[NoteItem](ctx, c.t, at("/api/notes/items/", id), nil)
}

// ArchiveCaptured marks a captured item as done with.
func (c NoteService) ArchiveCaptured(ctx context.Context, id string, calls ...Call) (wire.NoteCaptured, error) {
	return post[wire.NoteCaptured](ctx, c.t, at("/api/notes/items/", id, "/archive"), wire.Nothing{}, calls...)
}

// ProposeChanges plans a change set of the person's; nothing is written before it is committed.
func (c NoteService) ProposeChanges(ctx context.Context, actions []NoteAction, calls ...Call) (wire.ChangesProposed, error) {
	return post[wire.ChangesProposed](ctx, c.t, "/api/notes/changes", wire.ChangesProposeRequest{
		ChangesPropose: wire.ChangesPropose{Actions: actions, Actor: wire.NotePerson, Tool: wire.NotesTool}}, calls...)
}

// NoteChanges lists change sets; status "" is all.
func (c NoteService) NoteChanges(ctx context.Context, status string) (ChangeSets, error) {
	q := url.Values{}
	if status != "" {
		q.Set("status", status)
	}
	return get[ChangeSets](ctx, c.t, "/api/notes/changes", q)
}

// CommitChanges commits a change set; one of an agent a person confirms.
func (c NoteService) CommitChanges(ctx context.Context, id string, calls ...Call) (wire.ChangesCommitted, error) {
	return post[wire.ChangesCommitted](ctx, c.t, "/api/notes/changes/commit", wire.ChangesCommitRequest{
		ChangesCommit: wire.ChangesCommit{ChangeSetID: id, ApprovedBy: wire.NotePerson}}, calls...)
}

// DiscardChanges refuses a change set.
func (c NoteService) DiscardChanges(ctx context.Context, id string, calls ...Call) (ChangeSet, error) {
	return post[ChangeSet](ctx, c.t, at("/api/notes/changes/", id, "/discard"), wire.Nothing{}, calls...)
}

// UndoNotes takes back a commit; "" is the last one that the person made or approved.
func (c NoteService) UndoNotes(ctx context.Context, commit, reason string, calls ...Call) (wire.Undone, error) {
	return post[wire.Undone](ctx, c.t, "/api/notes/undo", wire.UndoLastRequest{UndoLast: wire.UndoLast{Reason: reason,
		RequestedBy: wire.NotePerson, CommitID: commit}}, calls...)
}

// NotePerson is the actor of what this client proposes.
func NotePerson() wire.NoteActor { return wire.NotePerson }
