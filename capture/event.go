package capture

import (
	"context"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Event is ObservedActionEvent (DOC3 0C.22): inside the scope, redacted, small. Its refs name Details.
type Event struct {
	EventID           string         `json:"event_id" format:"uuid"`
	LearnSessionID    string         `json:"learn_session_id" format:"uuid"`
	AdapterKind       Kind           `json:"adapter_kind" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt"`
	AppFamily         string         `json:"app_family,omitempty" maxLength:"80"`
	WindowTitle       string         `json:"window_title,omitempty" maxLength:"200"`
	ActionLabel       string         `json:"action_label" maxLength:"240"`
	ControlSurface    ControlSurface `json:"control_surface,omitempty"`
	TargetRef         string         `json:"target_ref,omitempty" maxLength:"240"`
	BeforeStateRef    string         `json:"before_state_ref,omitempty" maxLength:"240"`
	AfterStateRef     string         `json:"after_state_ref,omitempty" maxLength:"240"`
	CausedStateChange bool           `json:"caused_state_change"`
	RedactionMode     string         `json:"redaction_mode" enum:"none,mask_text,hash_only"`
	CreatedAt         clock.Time     `json:"created_at" format:"date-time"` // when it happened
	SchemaVersion     int            `json:"schema_version" enum:"1"`
}

// Action is the detail record behind target_ref: everything that interpretation needs and the small event does not
// carry.
type Action struct {
	Verb         Verb         `json:"verb"`
	OccurredAt   string       `json:"occurred_at"` // RFC 3339 with microseconds
	CauseEventID string       `json:"cause_event_id,omitempty"`
	Target       *Target      `json:"target,omitempty"`
	Value        *Value       `json:"value,omitempty"`
	Page         *Page        `json:"page,omitempty"`
	Command      *Command     `json:"command,omitempty"`
	File         *File        `json:"file,omitempty"`
	Dialog       *DialogInfo  `json:"dialog,omitempty"`
	Drop         *Target      `json:"drop,omitempty"`
	MIDI         *MIDIGesture `json:"midi,omitempty"`
	Call         *ToolCall    `json:"call,omitempty"`
	Keys         string       `json:"keys,omitempty"`
	Shell        string       `json:"shell,omitempty"` // tty
	Site         string       `json:"site,omitempty"`
	Device       string       `json:"device,omitempty"`
	PID          int          `json:"pid,omitempty"` // of the program, or of the shell: joins a command with what it started
	Mentions     []Mention    `json:"mentions,omitempty"`
}

// Record is one kept observation with its details, as stored and as compiled. The store assigns Seq: arrival order,
// unique over all sessions, and the id of the live stream.
type Record struct {
	Seq     int64       `json:"seq"`
	TraceID string      `json:"trace_id" format:"uuid"`
	Event   Event       `json:"event"`
	Action  Action      `json:"action"`
	Before  *State      `json:"before,omitempty"`
	After   *State      `json:"after,omitempty"`
	Sealed  []SealedRow `json:"-"`
}

// WithheldReason says why an observation was dropped.
type WithheldReason = wire.WithheldReason

const (
	NoScope      WithheldReason = "no_scope"      // the scope names nothing
	OffScope     WithheldReason = "off_scope"     // not among the named apps, sites, shells, folders, devices
	PrivateData  WithheldReason = "private"       // private window
	ShellPrivate WithheldReason = "shell_private" // space-prefixed or otherwise kept out of the history
	HistoryOff   WithheldReason = "history_off"   //
	OwnWindow    WithheldReason = "own"           // a recorder never records itself
	LoginPage    WithheldReason = "login_page"    //
	NotCapturing WithheldReason = "not_capturing" // before start, while paused, after stop
	WrongMode    WithheldReason = "observation_mode"
	TooLong      WithheldReason = "too_long"
	Overflow     WithheldReason = "overflow"  // the pipeline's buffer was full
	StoreFailed  WithheldReason = "store"     // the store refused it: capture is stopped visibly
	Unredactable WithheldReason = "redaction" // the redactor failed on it
)

// Withheld counts dropped observations; their content is never kept.
type Withheld = wire.Withheld

// Log is the durable end of the pipeline. Append returns after commit: what it has acknowledged survives kill -9. It
// sets Seq on every record, in order.
type Log interface {
	Append(ctx context.Context, records []Record) error
}

// Amender is a Log that can replace the details of stored records, by their event ids, when evidence comes later.
// Deleted records stay deleted. Without it, evidence becomes an event of its own that names its cause.
type Amender interface {
	Amend(ctx context.Context, records []Record) error
}

// Keyring holds one key per learning target: in the OS keychain, else in a 0600 file outside the database.
type Keyring interface {
	// Key returns the target's 32-byte key, creating it if absent.
	Key(ctx context.Context, target string) ([]byte, error)
	// Destroy makes the key unrecoverable.
	Destroy(ctx context.Context, target string) error
}
