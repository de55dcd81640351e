package state

import (
	"showhow/daemon/compile"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Deletion is what remains to be purged of sessions whose records are gone.
type Deletion struct {
	DeletionID string   `json:"deletion_id"`
	Sessions   []string `json:"sessions"`
	Targets    []string `json:"targets"` // whose keys go
}

// Revision is one kept revision of a draft: what was compiled and why.
type Revision struct {
	ProposalID   string         `json:"proposal_id"`
	Number       int            `json:"number"`
	Cause        string         `json:"cause"` // generated, answers, revised, examples
	Instructions string         `json:"instructions,omitempty"`
	Edits        map[string]any `json:"edits,omitempty"`   // all edits so far
	Changed      []string       `json:"changed,omitempty"` // names edited in this revision
	Changes      []string       `json:"changes,omitempty"` // the differences from before, in sentences
	ContentHash  string         `json:"content_hash"`
	Folder       string         `json:"folder"`   // of the draft files, relative to the memory root
	Adapters     []string       `json:"adapters"` // kinds that saw something
	Output       compile.Output `json:"output"`
	CreatedAt    clock.Time     `json:"created_at"`
}

// Info is the revision as reviewers see it.
func (r Revision) Info() wire.RevisionInfo {
	return wire.RevisionInfo{Revision: r.Number, ContentHash: r.ContentHash, Cause: r.Cause, Instructions: r.Instructions,
		EditedFields: r.Changed, Changes: r.Changes, DraftSkillPath: r.Folder + "/SKILL.md", CreatedAt: r.CreatedAt}
}

// QuestionRecord is a question with its answer. Key names its subject across compilations.
type QuestionRecord struct {
	compile.Question
	Key        string      `json:"key"`
	Order      int         `json:"order"`
	Answer     *string     `json:"answer,omitempty"`
	AnsweredAt *clock.Time `json:"answered_at,omitempty"`
}
