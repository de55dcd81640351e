package category

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	Assignment = wire.CategoryAssignment
	Category   = wire.Category
	Request    = wire.CategoryItem
)
