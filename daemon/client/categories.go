package client

import (
	"context"
	"net/http"

	"showhow/daemon/category"
	"showhow/daemon/wire"
)

const categories = "/api/categories/"

type (
	Category         = category.Category
	Categories       = wire.Categories
	CategoryRequest  = category.Request
	CategoryAssigned = wire.CategoryAssigned
	CategoryItems    = wire.CategoryItems
)

// Categories lists every category.
func (c *Client) Categories(ctx context.Context) (Categories, error) {
	return get[Categories](ctx, c, "/api/categories", nil)
}

// CreateCategory makes one.
func (c *Client) CreateCategory(ctx context.Context, r CategoryRequest, calls ...Call) (Category, error) {
	return post[Category](ctx, c, "/api/categories", wire.CategoryCreate{Request: r}, calls...)
}

// UpdateCategory changes title or colour.
func (c *Client) UpdateCategory(ctx context.Context, id string, r CategoryRequest, calls ...Call) (Category, error) {
	return do[Category](ctx, c, http.MethodPut, at(categories, id), wire.CategoryUpdate{Request: r}, calls...)
}

// DeleteCategory removes it with its assignments.
func (c *Client) DeleteCategory(ctx context.Context, id string, calls ...Call) (wire.CategoryDeleted, error) {
	return do[wire.CategoryDeleted](ctx, c, http.MethodDelete, at(categories, id), nil, calls...)
}

// AssignCategory puts an item into it.
func (c *Client) AssignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return post[CategoryAssigned](ctx, c, at(categories, id, "/assign"), wire.CategoryAssign{ItemKind: kind, ItemID: item}, calls...)
}

// UnassignCategory takes an item out of it.
func (c *Client) UnassignCategory(ctx context.Context, id, kind, item string, calls ...Call) (CategoryAssigned, error) {
	return do[CategoryAssigned](ctx, c, http.MethodDelete, at(categories, id, "/items/", kind, "/", item), nil, calls...)
}

// CategoryItems is what is in it.
func (c *Client) CategoryItems(ctx context.Context, id string) (CategoryItems, error) {
	return get[CategoryItems](ctx, c, at(categories, id, "/items"), nil)
}
