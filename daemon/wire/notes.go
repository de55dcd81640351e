package wire

import "showhow/internal/clock"

// NoteActor is who acts. It must be the caller.
type NoteActor struct {
	Type string `json:"type" enum:"agent,user"`
	ID   string `json:"id" minLength:"1" maxLength:"160"`
}

// NotePerson is the person whose notes they are.
var NotePerson = NoteActor{Type: "user", ID: "user"}

// NoteAgent is an agent, by the name that Showhow knows it by.
func NoteAgent(name string) NoteActor { return NoteActor{Type: "agent", ID: name} }

// NotesTool is the one value of tool that the schema of the actions allows. It says nothing about the caller.
const NotesTool = "openclaw-skill"

// NoteSource says where a note comes from.
type NoteSource struct {
	Type  string `json:"type" enum:"text,url,doc_id,message_id"`
	Value string `json:"value" minLength:"1" maxLength:"2000"`
}

// NoteCapture keeps something that was said, to be sorted later.
type NoteCapture struct {
	Text   string `json:"text" minLength:"1" maxLength:"16000"`
	Source string `json:"source" pattern:"^chat://.+" maxLength:"500"`
}

// NoteCaptured is a captured item that was kept.
type NoteCaptured struct {
	ID         string     `json:"id" pattern:"^inb_[A-Za-z0-9]+$"`
	Status     string     `json:"status" enum:"open,archived"`
	CapturedAt clock.Time `json:"captured_at" format:"date-time"`
}

// TaskCreate makes a task; it has these fields and no others.
type TaskCreate struct {
	Title           string `json:"title" minLength:"1" maxLength:"200"`
	Status          string `json:"status" enum:"todo,in_progress,done,cancelled"`
	Priority        string `json:"priority,omitempty" enum:"P0,P1,P2,P3"`
	Due             string `json:"due,omitempty" format:"date" maxLength:"10"`
	Project         string `json:"project,omitempty" minLength:"1" maxLength:"120"`
	Source          string `json:"source" minLength:"1" maxLength:"2000"`
	CycleID         string `json:"cycle_id,omitempty" pattern:"^cyc_[A-Za-z0-9]+$" maxLength:"80"`
	NextReviewAt    string `json:"next_review_at,omitempty" format:"date-time" maxLength:"40"`
	BlockedByTaskID string `json:"blocked_by_task_id,omitempty" pattern:"^tsk_[A-Za-z0-9]+$" maxLength:"80"`
}

// Task is a task that was made.
type Task struct {
	ID              string     `json:"id" pattern:"^tsk_[A-Za-z0-9]+$"`
	Title           string     `json:"title"`
	Status          string     `json:"status" enum:"todo,in_progress,done,cancelled"`
	Priority        string     `json:"priority,omitempty" enum:"P0,P1,P2,P3"`
	Due             string     `json:"due,omitempty" format:"date"`
	Project         string     `json:"project,omitempty"`
	Source          string     `json:"source"`
	CycleID         string     `json:"cycle_id,omitempty"`
	NextReviewAt    string     `json:"next_review_at,omitempty" format:"date-time"`
	BlockedByTaskID string     `json:"blocked_by_task_id,omitempty"`
	CreatedAt       clock.Time `json:"created_at" format:"date-time"`
	UpdatedAt       clock.Time `json:"updated_at" format:"date-time"`
}

// NoteAppend adds a note.
type NoteAppend struct {
	Title   string       `json:"title" minLength:"1" maxLength:"200"`
	Body    string       `json:"body" minLength:"1" maxLength:"64000"`
	Sources []NoteSource `json:"sources" minItems:"1" maxItems:"50"`
	Tags    []string     `json:"tags,omitempty" minLength:"1" maxLength:"80" maxItems:"50" uniqueItems:"true"`
}

// NoteAppended is a note that was added.
type NoteAppended struct {
	ID        string     `json:"id" pattern:"^nte_[A-Za-z0-9]+$"`
	Title     string     `json:"title"`
	CreatedAt clock.Time `json:"created_at" format:"date-time"`
	UpdatedAt clock.Time `json:"updated_at" format:"date-time"`
}

// NotesSearch asks for notes and captured items.
type NotesSearch struct {
	Query        string `json:"query,omitempty" maxLength:"400"`
	Tag          string `json:"tag,omitempty" maxLength:"80"`
	Kind         string `json:"kind,omitempty" enum:"note,captured"`
	Status       string `json:"status,omitempty" enum:"open,archived" doc:"of captured items; a note is always open"`
	LinkedTaskID string `json:"linked_task_id,omitempty" pattern:"^tsk_[A-Za-z0-9]+$" maxLength:"80"`
	Page         int    `json:"page,omitempty" minimum:"1" maximum:"100000" default:"1"`
	PageSize     int    `json:"page_size,omitempty" minimum:"1" maximum:"100" default:"20"`
}

// TasksList asks for tasks.
type TasksList struct {
	View          string `json:"view,omitempty" enum:"open,today,overdue,this_week,backlog,blocked,done"`
	Status        string `json:"status,omitempty" enum:"todo,in_progress,done,cancelled"`
	Priority      string `json:"priority,omitempty" enum:"P0,P1,P2,P3"`
	Project       string `json:"project,omitempty" maxLength:"120"`
	CycleID       string `json:"cycle_id,omitempty" pattern:"^cyc_[A-Za-z0-9]+$" maxLength:"80"`
	Blocked       *bool  `json:"blocked,omitempty"`
	StaleDays     int    `json:"stale_days,omitempty" minimum:"1" maximum:"36500"`
	DueBefore     string `json:"due_before,omitempty" format:"date" maxLength:"10"`
	UpdatedBefore string `json:"updated_before,omitempty" format:"date-time" maxLength:"40"`
	Query         string `json:"query,omitempty" maxLength:"400"`
	Page          int    `json:"page,omitempty" minimum:"1" maximum:"100000" default:"1"`
	PageSize      int    `json:"page_size,omitempty" minimum:"1" maximum:"100" default:"20"`
}

// NoteItem is a note, a task or a captured item in a list. Of a note's text there is the beginning.
type NoteItem struct {
	ID              string       `json:"id"`
	Kind            string       `json:"kind" enum:"note,task,captured"`
	Title           string       `json:"title"`
	Path            string       `json:"path" doc:"in the notes folder"`
	Excerpt         string       `json:"excerpt,omitempty"`
	Body            string       `json:"body,omitempty" doc:"the whole text, where one item was asked for"`
	Tags            []string     `json:"tags,omitempty"`
	Links           []string     `json:"links,omitempty"`
	Sources         []NoteSource `json:"sources,omitempty"`
	Status          string       `json:"status,omitempty"`
	Priority        string       `json:"priority,omitempty"`
	Due             string       `json:"due,omitempty"`
	Project         string       `json:"project,omitempty"`
	Source          string       `json:"source,omitempty"`
	CycleID         string       `json:"cycle_id,omitempty"`
	NextReviewAt    string       `json:"next_review_at,omitempty"`
	BlockedByTaskID string       `json:"blocked_by_task_id,omitempty"`
	Blocked         bool         `json:"blocked,omitempty" doc:"by a task that is open"`
	CreatedBy       string       `json:"created_by,omitempty" doc:"the agent that wrote it; omitted: a person did"`
	Problem         string       `json:"problem,omitempty" doc:"what of the file cannot be read"`
	CreatedAt       clock.Time   `json:"created_at" format:"date-time"`
	UpdatedAt       clock.Time   `json:"updated_at" format:"date-time"`
}

// NotesPage is one page of a list.
type NotesPage struct {
	Items    []NoteItem `json:"items"`
	Page     int        `json:"page" minimum:"1"`
	PageSize int        `json:"page_size" minimum:"1"`
	Total    int        `json:"total" minimum:"0"`
}

// NoteAction is one action of a proposal. The payload is that of the action, or for update_task {task_id, and the fields
// to change; null clears one}, for link_entities {from_id, to_id}.
type NoteAction struct {
	Type    string         `json:"type" enum:"create_task,append_note,link_entities,update_task"`
	Payload map[string]any `json:"payload"`
}

// ChangesPropose proposes a change set.
type ChangesPropose struct {
	Actions []NoteAction `json:"actions" minItems:"1" maxItems:"50"`
	Actor   NoteActor    `json:"actor"`
	Tool    string       `json:"tool" enum:"openclaw-skill"`
}

// ChangesSummary counts what a change set does.
type ChangesSummary struct {
	Creates             int `json:"creates" minimum:"0"`
	Updates             int `json:"updates" minimum:"0"`
	DuplicateCandidates int `json:"duplicate_candidates" minimum:"0"`
}

// ChangesProposed is a change set that waits for a person.
type ChangesProposed struct {
	ChangeSetID string         `json:"change_set_id" pattern:"^chg_[A-Za-z0-9]+$"`
	Summary     ChangesSummary `json:"summary"`
	Diff        []string       `json:"diff"`
	Status      string         `json:"status" enum:"proposed"`
}

// ChangesCommit commits a change set exactly as it was proposed.
type ChangesCommit struct {
	ChangeSetID string    `json:"change_set_id" pattern:"^chg_[A-Za-z0-9]+$" maxLength:"80"`
	ApprovedBy  NoteActor `json:"approved_by"`
}

// ChangesCommitted is a change set that was committed.
type ChangesCommitted struct {
	CommitID    string     `json:"commit_id" pattern:"^cmt_[A-Za-z0-9]+$"`
	ChangeSetID string     `json:"change_set_id" pattern:"^chg_[A-Za-z0-9]+$"`
	Status      string     `json:"status" enum:"committed"`
	CommittedAt clock.Time `json:"committed_at" format:"date-time"`
}

// UndoLast takes a commit back: the last one that the person made or approved, or the one that is named.
type UndoLast struct {
	RequestedBy NoteActor `json:"requested_by"`
	Reason      string    `json:"reason" minLength:"1" maxLength:"500"`
	CommitID    string    `json:"commit_id,omitempty" pattern:"^cmt_[0-9a-f]{40}$" maxLength:"44"`
}

// Undone is a commit that was taken back.
type Undone struct {
	UndoneCommitID string `json:"undone_commit_id" pattern:"^cmt_[A-Za-z0-9]+$"`
	Undone         string `json:"undone" maxLength:"600" doc:"what is undone: the headline of the commit"`
	RevertCommitID string `json:"revert_commit_id" pattern:"^cmt_[A-Za-z0-9]+$"`
	Status         string `json:"status" enum:"reverted"`
}

// ChangeSet is a change set with its state.
type ChangeSet struct {
	ChangeSetID string         `json:"change_set_id"`
	Actor       NoteActor      `json:"actor"`
	Summary     ChangesSummary `json:"summary"`
	Diff        []string       `json:"diff"`
	Status      string         `json:"status" enum:"proposed,committing,committed,discarded,expired"`
	CommitID    string         `json:"commit_id,omitempty"`
	CreatedAt   clock.Time     `json:"created_at" format:"date-time"`
	DecidedAt   clock.Time     `json:"decided_at,omitzero" format:"date-time"`
}

// ChangeSets lists change sets, newest first.
type ChangeSets struct {
	ChangeSets []ChangeSet `json:"change_sets"`
}

// NotesStatus says where the notes are and what of the folder cannot be read.
type NotesStatus struct {
	Folder   string   `json:"folder"`
	Notes    int      `json:"notes"`
	Tasks    int      `json:"tasks"`
	Captured int      `json:"captured"`
	Waiting  int      `json:"waiting" doc:"change sets that wait for a person"`
	Skipped  []string `json:"skipped" doc:"files that are not taken in: links, longer than 1 MiB, unreadable, repositories of their own"`
	// Problems are at most 100.
	Problems []NoteProblem `json:"problems" doc:"files that are taken in and not fully understood"`
}

// NoteProblem says what of a file cannot be read, or that its id is another file's.
type NoteProblem struct {
	Path    string `json:"path"`
	Problem string `json:"problem" enum:"head,id,status,due"`
}

// The bodies of the API: an action, and the id that makes a repeat safe.
type (
	NoteCaptureRequest struct {
		NoteCapture
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	TaskCreateRequest struct {
		TaskCreate
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	NoteAppendRequest struct {
		NoteAppend
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	NotesSearchRequest struct {
		NotesSearch
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	TasksListRequest struct {
		TasksList
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	ChangesProposeRequest struct {
		ChangesPropose
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	ChangesCommitRequest struct {
		ChangesCommit
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
	UndoLastRequest struct {
		UndoLast
		Post
		SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
	}
)
