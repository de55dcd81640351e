package journal

// Events of notes; payload change_set_id, by, creates, updates, commit_id; never a text.
const (
	NotesProposed  EventKind = "notes.proposed"
	NotesCommitted EventKind = "notes.committed"
	NotesDiscarded EventKind = "notes.discarded"
)
