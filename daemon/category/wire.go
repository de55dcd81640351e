package category

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	Assignment = wire.CategoryAssignment
	Category   = wire.Category
	Request    = wire.CategoryItem
)
