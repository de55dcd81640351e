package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// History reads the record of what was learned.
type History interface {
	Runtime(ctx context.Context) (wire.LearningRuntimeSnapshot, error)
	History(ctx context.Context, f wire.HistoryFilter) (wire.LearnHistoryResponse, error)
	Receipts(ctx context.Context, f wire.ReceiptFilter) (wire.LearnReceiptsResponse, error)
}

const tagHistory = "history"

// HistoryRoutes are the routes of what was learned.
type HistoryRoutes struct {
	Learn History
}

// Register adds the routes.
func (rs HistoryRoutes) Register(g *engine.Engine) {
	l := rs.Learn
	engine.Register(g, engine.Get("get-runtime", "/api/learn/runtime/current", tagHistory,
		"What is being learned right now; the last session when nothing is", engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.LearningRuntimeSnapshot], error) {
			return engine.Answered(l.Runtime(ctx))
		})
	engine.Register(g, engine.Get("list-history", "/api/learn/history", tagHistory, "Every session, archived ones too, newest first",
		engine.UserReads),
		func(ctx context.Context, p *wire.HistoryFilter, _ *engine.None) (*engine.Reply[wire.LearnHistoryResponse], error) {
			return engine.Answered(l.History(ctx, *p))
		})
	engine.Register(g, engine.Get("list-receipts", "/api/learn/receipts", tagHistory, "The durable record of every change, newest first",
		engine.UserReads),
		func(ctx context.Context, p *wire.ReceiptFilter, _ *engine.None) (*engine.Reply[wire.LearnReceiptsResponse], error) {
			return engine.Answered(l.Receipts(ctx, *p))
		})
}
