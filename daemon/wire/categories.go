package wire

// Categories lists all categories: there are at most 100.
type Categories struct {
	Categories    []Category `json:"categories"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// CategoryCreate makes a category.
type CategoryCreate struct {
	Post
	CategoryItem
	SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
}

// CategoryUpdate changes a category.
type CategoryUpdate struct {
	CategoryItem
	SchemaVersion int `json:"schema_version,omitempty" enum:"1"`
}

// CategoryDeleted confirms a deletion.
type CategoryDeleted struct {
	CategoryID string `json:"category_id" format:"uuid"`
	Deleted    bool   `json:"deleted"`
}

// CategoryAssign names an item. A skill or ability may be named by id or slug; the id is kept.
type CategoryAssign struct {
	Post
	ItemKind      string `json:"item_kind" enum:"task_template,automation,skill,bundle,connector,proposal,learned_ability"`
	ItemID        string `json:"item_id" minLength:"1" maxLength:"160"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// CategoryAssigned answers assign and remove.
type CategoryAssigned struct {
	Assignment    CategoryAssignment `json:"assignment"`
	Assigned      bool               `json:"assigned"`
	SchemaVersion int                `json:"schema_version" enum:"1"`
}

// CategoryItems lists the items of one category.
type CategoryItems struct {
	CategoryID    string               `json:"category_id" format:"uuid"`
	Items         []CategoryAssignment `json:"items"`
	SchemaVersion int                  `json:"schema_version" enum:"1"`
}
