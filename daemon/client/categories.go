package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

const categories = "/api/categories/"

type (
	Category         = wire.Category
	Categories       = wire.Categories
	CategoryRequest  = wire.CategoryItem
	CategoryAssigned = wire.CategoryAssigned
	CategoryItems    = wire.CategoryItems
)

// CategoryService is the part of the API about the shelves of the library.
type CategoryService struct{ t *transport }

// Categories lists every category.
func (c CategoryService) Categories(ctx context.Context) (Categories, error) {
	return get[Categories](ctx, c.t, "/api/categories", nil)
}

// CreateCategory makes one.
func (c CategoryService) CreateCategory(ctx context.Context, r CategoryRequest, calls ...Call) (Category, error) {
	return post[Category](ctx, c.t, "/api/categories", wire.CategoryCreate{CategoryItem: r}, calls...)
}

// UpdateCategory changes title or colour.
func (c CategoryService) UpdateCategory(ctx context.Context, id string, r CategoryRequest, calls ...Call) (Category, error) {
	return do[Category](ctx, c.t, http.MethodPut, at(categories, id), wire.CategoryUpdate{CategoryItem: r}, calls...)
}

// DeleteCategory removes it with its assignments.
func (c CategoryService) DeleteCategory(ctx context.Context, id string, calls ...Call) (wire.CategoryDeleted, error) {
	return do[wire.CategoryDeleted](ctx, c.t, http.MethodDelete, at(categories, id), nil, calls...)
}

// AssignCategory puts an item into it.
func (c CategoryService) AssignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return post[CategoryAssigned](ctx, c.t, at(categories, id, "/assign"), wire.CategoryAssign{ItemKind: kind, ItemID: item}, calls...)
}

// UnassignCategory takes an item out of it.
func (c CategoryService) UnassignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return do[CategoryAssigned](ctx, c.t, http.MethodDelete, at(categories, id, "/items/", kind, "/", item), nil, calls...)
}

// CategoryItems is what is in it.
func (c CategoryService) CategoryItems(ctx context.Context, id string) (CategoryItems, error) {
	return get[CategoryItems](ctx, c.t, at(categories, id, "/items"), nil)
}
