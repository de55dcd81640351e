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

// CategoryService is the part of the API about categories.
type CategoryService struct{ t *transport }

// Categories lists every category.
func (c CategoryService) Categories(ctx context.Context) (Categories, error) {
	return get[Categories](ctx, c.t, "/api/categories", nil)
}

// CreateCategory creates a category.
func (c CategoryService) CreateCategory(ctx context.Context, r CategoryRequest, calls ...Call) (Category, error) {
	return post[Category](ctx, c.t, "/api/categories", wire.CategoryCreate{CategoryItem: r}, calls...)
}

// UpdateCategory changes a category's title or colour.
func (c CategoryService) UpdateCategory(ctx context.Context, id string, r CategoryRequest, calls ...Call) (Category, error) {
	return do[Category](ctx, c.t, http.MethodPut, at(categories, id), wire.CategoryUpdate{CategoryItem: r}, calls...)
}

// DeleteCategory removes a category with its assignments.
func (c CategoryService) DeleteCategory(ctx context.Context, id string, calls ...Call) (wire.CategoryDeleted, error) {
	return do[wire.CategoryDeleted](ctx, c.t, http.MethodDelete, at(categories, id), nil, calls...)
}

// AssignCategory assigns an item to a category.
func (c CategoryService) AssignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return post[CategoryAssigned](ctx, c.t, at(categories, id, "/assign"), wire.CategoryAssign{ItemKind: kind, ItemID: item}, calls...)
}

// UnassignCategory removes an item from a category.
func (c CategoryService) UnassignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return do[CategoryAssigned](ctx, c.t, http.MethodDelete, at(categories, id, "/items/", kind, "/", item), nil, calls...)
}

// CategoryItems lists the items of a category.
func (c CategoryService) CategoryItems(ctx context.Context, id string) (CategoryItems, error) {
	return get[CategoryItems](ctx, c.t, at(categories, id, "/items"), nil)
}
