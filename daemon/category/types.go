package category

import (
	"context"

	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// Limits (DOC3 0C.21, decisions E13).
const (
	MaxCategories = 100
	DefaultColor  = "#6366F1"
)

// Where the canonical files are, under the memory root.
const (
	CurrentPath     = "system/categories/categories_current.json"
	AssignmentsPath = "system/categories/assignments.jsonl"
)

// line is one line of the canonical assignments file, which is append-only.
type line struct {
	Assignment
	Action string     `json:"action" enum:"assigned,removed"`
	At     clock.Time `json:"at" format:"date-time"`
}

// current is the canonical file of categories.
type current struct {
	Categories    []Category `json:"categories"`
	SchemaVersion int        `json:"schema_version"`
}

// Store stores categories.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	// PutCategory creates or replaces a category; free is false when another one has the key of its title.
	PutCategory(c Category, key string) (free bool, err error)
	Categories() ([]Category, error) // oldest first, with their number of items
	Category(id string) (Category, bool, error)
	DeleteCategory(id string) error // and its assignments

	PutAssignment(Assignment) (added bool, err error)
	DeleteAssignment(categoryID, kind, itemID string) (removed bool, err error)
	Assignments(categoryID string) ([]Assignment, error) // of one category, or of all when it is ""; oldest first
}
