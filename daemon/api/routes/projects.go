package routes

import (
	"context"
	"net/http"

	"showhow/daemon/api/engine"
	"showhow/daemon/wire"
)

const tagProjects = "projects"

// Projects manages project bindings; *binding.Service implements it.
type Projects interface {
	List(ctx context.Context) (wire.ProjectBindings, error)
	Bind(ctx context.Context, b wire.ProjectBinding) (wire.ProjectBinding, error)
	Unbind(ctx context.Context, projectID string) (bool, error)
	Resolve(ctx context.Context, q wire.ProjectResolve) (wire.ProjectResolved, error)
}

// ProjectRoutes are the routes of project bindings (baseline 0.7).
type ProjectRoutes struct{ Projects Projects }

type projectPath struct {
	ProjectID string `path:"projectId" maxLength:"160"`
}

// Register adds the routes.
func (rs ProjectRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("list-project-bindings", "/api/projects/bindings", tagProjects,
		"Names of projects and where their documents are", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.ProjectBindings], error) {
			return engine.Answered(rs.Projects.List(ctx))
		})
	engine.Register(g, engine.Post("put-project-binding", "/api/projects/bindings", tagProjects,
		"Bind a project, or change its binding", engine.UserWrites),
		func(ctx context.Context, _ *engine.None, b *wire.ProjectBindingPut) (*engine.Reply[wire.ProjectBinding], error) {
			return engine.Answered(rs.Projects.Bind(ctx, b.ProjectBinding))
		})
	engine.Register(g, engine.Op{ID: "delete-project-binding", Method: http.MethodDelete, Path: "/api/projects/bindings/{projectId}",
		Tag: tagProjects, Summary: "Forget a binding; the project is not touched", Access: engine.UserWrites},
		func(ctx context.Context, p *projectPath, _ *engine.None) (*engine.Reply[wire.ProjectUnbound], error) {
			there, err := rs.Projects.Unbind(ctx, p.ProjectID)
			return engine.Answered(wire.ProjectUnbound{ProjectID: p.ProjectID, Unbound: there}, err)
		})
	engine.Register(g, engine.Post("resolve-project", "/api/mcp/project/resolve", tagProjects, "Which project a text is about",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, b *wire.ProjectResolve) (*engine.Reply[wire.ProjectResolved], error) {
			return engine.Answered(rs.Projects.Resolve(ctx, *b))
		})
}
