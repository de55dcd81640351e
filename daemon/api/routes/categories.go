package routes

import (
	"context"
	"net/http"

	"showhow/daemon/api/engine"
	"showhow/daemon/category"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagCategories = "categories"

// Categories is the part of *category.Service that the routes need.
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
	engine.IfMatch
}

type categoryItem struct {
	CategoryPath
	ItemKind string `path:"itemKind" enum:"task_template,automation,skill,bundle,connector,proposal,learned_ability"`
	ItemID   string `path:"itemId" minLength:"1" maxLength:"160"`
}

// CategoryRoutes are the routes of categories.
type CategoryRoutes struct {
	Categories Categories
}

// Register adds the routes. Only a person sorts; agents see category ids in the catalog. The route that removes an
// item from a category names its kind (DOC3 0C.28); the older form without one does not exist.
func (rs CategoryRoutes) Register(g *engine.Engine) {
	c, all, one := rs.Categories, "/api/categories", "/api/categories/{categoryId}"
	engine.Register(g, engine.Get("list-categories", all, tagCategories, "Every category, oldest first", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Categories], error) {
			l, err := c.List(ctx)
			return engine.Answered(wire.Categories{Categories: l, SchemaVersion: 1}, err)
		})
	create := engine.Post("create-category", all, tagCategories, "Make a category", engine.UserWrites, fault.CategoryLimitReached,
		fault.NameTaken)
	create.Status, create.ETag = http.StatusCreated, true
	engine.Register(g, create, func(ctx context.Context, _ *engine.None, b *wire.CategoryCreate) (*engine.Reply[category.Category], error) {
		x, err := c.Create(ctx, b.CategoryItem)
		return engine.Versioned(x, x.Revision, err)
	})
	engine.Register(g, engine.Op{ID: "update-category", Method: http.MethodPut, Path: one, Tag: tagCategories,
		Summary: "Change title or colour",
		Access:  engine.UserWrites,
		Errors:  []fault.Code{fault.NotFound, fault.NameTaken}}.Rev(),
		func(ctx context.Context, p *categoryChange, b *wire.CategoryUpdate) (*engine.Reply[category.Category], error) {
			x, err := c.Update(ctx, p.CategoryID, b.CategoryItem, p.Seen())
			return engine.Versioned(x, x.Revision, err)
		})
	engine.Register(g, engine.Op{ID: "delete-category", Method: http.MethodDelete, Path: one, Tag: tagCategories,
		Summary: "Delete it with its assignments; what was in it stays", Revisioned: true,
		Access: engine.UserWrites, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *categoryChange, _ *engine.None) (*engine.Reply[wire.CategoryDeleted], error) {
			err := c.Delete(ctx, p.CategoryID, p.Seen())
			return engine.Answered(wire.CategoryDeleted{CategoryID: p.CategoryID, Deleted: true}, err)
		})
	engine.Register(g, engine.Post("assign-category", one+"/assign", tagCategories, "Put an item into it", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, p *CategoryPath, b *wire.CategoryAssign) (*engine.Reply[wire.CategoryAssigned], error) {
			a, err := c.Assign(ctx, p.CategoryID, b.ItemKind, b.ItemID)
			return engine.Answered(wire.CategoryAssigned{Assignment: a, Assigned: true, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Op{ID: "unassign-category", Method: http.MethodDelete, Path: one + "/items/{itemKind}/{itemId}",
		Tag:     tagCategories,
		Summary: "Take an item out of it",
		Access:  engine.UserWrites, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *categoryItem, _ *engine.None) (*engine.Reply[wire.CategoryAssigned], error) {
			a, err := c.Unassign(ctx, p.CategoryID, p.ItemKind, p.ItemID)
			return engine.Answered(wire.CategoryAssigned{Assignment: a, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Get("list-category-items", one+"/items", tagCategories, "What is in it, oldest first", engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, p *CategoryPath, _ *engine.None) (*engine.Reply[wire.CategoryItems], error) {
			l, err := c.Items(ctx, p.CategoryID)
			return engine.Answered(wire.CategoryItems{CategoryID: p.CategoryID, Items: l, SchemaVersion: 1}, err)
		})
}
