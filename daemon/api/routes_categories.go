package api

import (
	"context"
	"net/http"

	"showhow/daemon/category"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagCategories = "categories"

// Categories is what the routes need of *category.Service.
type Categories interface {
	List(ctx context.Context) ([]category.Category, error)
	Create(ctx context.Context, r category.Request) (category.Category, error)
	Update(ctx context.Context, id string, r category.Request, rev *int) (category.Category, error)
	Delete(ctx context.Context, id string, rev *int) error
	Assign(ctx context.Context, id, kind, itemID string) (category.Assignment, error)
	Unassign(ctx context.Context, id, kind, itemID string) (category.Assignment, error)
	Items(ctx context.Context, id string) ([]category.Assignment, error)
}

var _ Categories = (*category.Service)(nil)

type CategoryPath struct {
	CategoryID string `path:"categoryId" format:"uuid"`
}

type categoryChange struct {
	CategoryPath
	IfMatch
}

type categoryItem struct {
	CategoryPath
	ItemKind string `path:"itemKind" enum:"task_template,automation,skill,bundle,connector,proposal,learned_ability"`
	ItemID   string `path:"itemId" minLength:"1" maxLength:"160"`
}

// categoryRoutes: how a person sorts things is the person's; agents see category ids in the catalog. The route that takes an
// item out names its kind (DOC3 0C.28); the older form without one is not there.
func (s *Server) categoryRoutes() {
	c, all, one := s.deps.Categories, "/api/categories", "/api/categories/{categoryId}"
	register(s, get("list-categories", all, tagCategories, "Every category, oldest first", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Categories], error) {
			l, err := c.List(ctx)
			return answered(wire.Categories{Categories: l, SchemaVersion: 1}, err)
		})
	create := post("create-category", all, tagCategories, "Make a category", userWrites, fault.CategoryLimitReached, fault.NameTaken)
	create.status, create.etag = http.StatusCreated, true
	register(s, create, func(ctx context.Context, _ *none, b *wire.CategoryCreate) (*reply[category.Category], error) {
		x, err := c.Create(ctx, b.CategoryItem)
		return at(x, x.Revision, err)
	})
	register(s, op{id: "update-category", method: http.MethodPut, path: one, tag: tagCategories, summary: "Change title or colour",
		access: userWrites,
		errors: []fault.Code{fault.NotFound, fault.NameTaken}}.rev(),
		func(ctx context.Context, p *categoryChange, b *wire.CategoryUpdate) (*reply[category.Category], error) {
			x, err := c.Update(ctx, p.CategoryID, b.CategoryItem, p.seen())
			return at(x, x.Revision, err)
		})
	register(s, op{id: "delete-category", method: http.MethodDelete, path: one, tag: tagCategories,
		summary: "Delete it with its assignments; what was in it stays", revisioned: true,
		access: userWrites, errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *categoryChange, _ *none) (*reply[wire.CategoryDeleted], error) {
			err := c.Delete(ctx, p.CategoryID, p.seen())
			return answered(wire.CategoryDeleted{CategoryID: p.CategoryID, Deleted: true}, err)
		})
	register(s, post("assign-category", one+"/assign", tagCategories, "Put an item into it", userWrites, fault.NotFound),
		func(ctx context.Context, p *CategoryPath, b *wire.CategoryAssign) (*reply[wire.CategoryAssigned], error) {
			a, err := c.Assign(ctx, p.CategoryID, b.ItemKind, b.ItemID)
			return answered(wire.CategoryAssigned{Assignment: a, Assigned: true, SchemaVersion: 1}, err)
		})
	register(s, op{id: "unassign-category", method: http.MethodDelete, path: one + "/items/{itemKind}/{itemId}", tag: tagCategories,
		summary: "Take an item out of it",
		access:  userWrites, errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *categoryItem, _ *none) (*reply[wire.CategoryAssigned], error) {
			a, err := c.Unassign(ctx, p.CategoryID, p.ItemKind, p.ItemID)
			return answered(wire.CategoryAssigned{Assignment: a, SchemaVersion: 1}, err)
		})
	register(s, get("list-category-items", one+"/items", tagCategories, "What is in it, oldest first", userReads, fault.NotFound),
		func(ctx context.Context, p *CategoryPath, _ *none) (*reply[wire.CategoryItems], error) {
			l, err := c.Items(ctx, p.CategoryID)
			return answered(wire.CategoryItems{CategoryID: p.CategoryID, Items: l, SchemaVersion: 1}, err)
		})
}
