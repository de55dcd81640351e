package api

import (
	"context"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagHistory = "history"

func (s *Server) historyRoutes() {
	l := s.deps.Learn
	register(s, get("get-runtime", "/api/learn/runtime/current", tagHistory,
		"What is being learned right now; the last session when nothing is", userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.LearningRuntimeSnapshot], error) {
			return answered(l.Runtime(ctx))
		})
	register(s, get("list-history", "/api/learn/history", tagHistory, "Every session, archived ones too, newest first", userReads),
		func(ctx context.Context, p *wire.HistoryFilter, _ *none) (*reply[wire.LearnHistoryResponse], error) {
			return answered(l.History(ctx, *p))
		})
	register(s, get("list-receipts", "/api/learn/receipts", tagHistory, "The durable record of every change, newest first", userReads),
		func(ctx context.Context, p *wire.ReceiptFilter, _ *none) (*reply[wire.LearnReceiptsResponse], error) {
			return answered(l.Receipts(ctx, *p))
		})
}
