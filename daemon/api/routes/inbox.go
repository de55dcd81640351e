package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/wire"
)

// Inbox lists what waits for a person; *inbox.Inbox implements it.
type Inbox interface {
	Items(ctx context.Context) (wire.Inbox, error)
}

// InboxRoutes are the routes of the inbox.
type InboxRoutes struct{ Inbox Inbox }

// Register adds the routes.
func (rs InboxRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-inbox", "/api/inbox", "inbox", "Everything that waits for a person, each with its one action",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Inbox], error) {
			return engine.Answered(rs.Inbox.Items(ctx))
		})
}
