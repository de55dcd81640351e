package journal

// Events of categories (DOC3 0C.21).
const (
	CategoryCreated    EventKind = "category.created"
	CategoryUpdated    EventKind = "category.updated"
	CategoryDeleted    EventKind = "category.deleted"
	CategoryAssigned   EventKind = "category.assigned"
	CategoryUnassigned EventKind = "category.unassigned"
)
