package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

type (
	ProjectBinding  = wire.ProjectBinding
	ProjectBindings = wire.ProjectBindings
	ProjectResolve  = wire.ProjectResolve
	ProjectResolved = wire.ProjectResolved
)

// ProjectService is the part of the API about project bindings.
type ProjectService struct{ t *transport }

// ProjectBindings lists every binding.
func (c ProjectService) ProjectBindings(ctx context.Context) (ProjectBindings, error) {
	return get[ProjectBindings](ctx, c.t, "/api/projects/bindings", nil)
}

// BindProject binds a project, or changes its binding.
func (c ProjectService) BindProject(ctx context.Context, b ProjectBinding, calls ...Call) (ProjectBinding, error) {
	b.SchemaVersion = 1
	return post[ProjectBinding](ctx, c.t, "/api/projects/bindings", wire.ProjectBindingPut{ProjectBinding: b}, calls...)
}

// UnbindProject removes a binding.
func (c ProjectService) UnbindProject(ctx context.Context, projectID string, calls ...Call) (wire.ProjectUnbound, error) {
	return do[wire.ProjectUnbound](ctx, c.t, http.MethodDelete, at("/api/projects/bindings/", projectID), nil, calls...)
}

// ResolveProject finds which project a text is about.
func (c ProjectService) ResolveProject(ctx context.Context, q ProjectResolve) (ProjectResolved, error) {
	return post[ProjectResolved](ctx, c.t, "/api/mcp/project/resolve", q)
}
