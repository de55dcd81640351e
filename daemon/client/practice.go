package client

import (
	"context"

	"showhow/daemon/wire"
)

// An agent's practice.
type (
	Practice        = wire.Practice
	PracticeRequest = wire.PracticeRequest
)

// PracticeService is the part of the API about practice sessions of an agent.
type PracticeService struct{ t *transport }

// StartPractice starts a practice of an agent; a person confirms when credentials are delivered.
func (c PracticeService) StartPractice(ctx context.Context, r PracticeRequest, calls ...Call) (Practice, error) {
	return post[Practice](ctx, c.t, "/api/learn/practice", r, calls...)
}

// Practice returns a practice's state.
func (c PracticeService) Practice(ctx context.Context, id string) (Practice, error) {
	return get[Practice](ctx, c.t, at("/api/learn/practice/", id), nil)
}

// Practices lists the newest practices.
func (c PracticeService) Practices(ctx context.Context) (wire.Practices, error) {
	return get[wire.Practices](ctx, c.t, "/api/learn/practice", nil)
}
