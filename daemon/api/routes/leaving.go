package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
)

// Leaving removes what Showhow made outside its own folders; *daemon.Daemon implements it.
type Leaving interface {
	Outside(ctx context.Context) (wire.Leaving, error)
	Leave(ctx context.Context, m observe.Meta, r wire.LeaveRequest) (wire.Left, error)
}

// LeavingRoutes are the routes of an uninstallation.
type LeavingRoutes struct {
	Leaving Leaving
}

// Register adds the routes.
func (rs LeavingRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-leaving", "/api/leaving", TagDaemon,
		"What Showhow made outside its own folders, which an uninstallation takes back",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Leaving], error) {
			return engine.Answered(rs.Leaving.Outside(ctx))
		})
	engine.RegisterConfirmed(g, engine.Post("leave", "/api/leaving", TagDaemon, "Take it back: copies of skills, hooks and keys",
		engine.UserWrites.Confirmed("uninstall")),
		func(ctx context.Context, _ *engine.None, b *wire.LeaveRequest) (presence.Subject, bool, error) {
			l, err := rs.Leaving.Outside(ctx)
			return presence.Subject{ID: "showhow", ContentHash: l.ContentHash}.SayLeaving(l, b), true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.LeaveRequest) (*engine.Reply[wire.Left], error) {
			return engine.Answered(rs.Leaving.Leave(ctx, observed(ctx), *b))
		})
}
