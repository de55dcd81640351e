package wire

import "showhow/internal/clock"

// Category is one group (DOC3 0C.21).
type Category struct {
	CategoryID    string     `json:"category_id" format:"uuid"`
	Title         string     `json:"title" maxLength:"80"`
	Color         string     `json:"color" pattern:"^#[0-9a-fA-F]{6}$"`
	Items         int        `json:"items" minimum:"0" doc:"how many are in it"`
	Revision      int        `json:"revision" doc:"for If-Match"`
	CreatedAt     clock.Time `json:"created_at" format:"date-time"`
	UpdatedAt     clock.Time `json:"updated_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// CategoryAssignment says that an item is in a category.
type CategoryAssignment struct {
	CategoryID string     `json:"category_id" format:"uuid"`
	ItemKind   string     `json:"item_kind" enum:"task_template,automation,skill,bundle,connector,proposal,learned_ability"`
	ItemID     string     `json:"item_id" maxLength:"160"`
	AssignedAt clock.Time `json:"assigned_at" format:"date-time"`
}

// CategoryItem makes or changes a category.
type CategoryItem struct {
	Title string `json:"title" minLength:"1" maxLength:"80"`
	Color string `json:"color,omitempty" pattern:"^#[0-9a-fA-F]{6}$" doc:"absent: #6366F1 for a new one, else as it is"`
}
