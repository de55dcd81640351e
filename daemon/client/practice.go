package client

import (
	"context"

	"showhow/daemon/practice"
	"showhow/daemon/wire"
)

// An agent's practice.
type (
	Practice        = practice.Practice
	PracticeRequest = practice.Request
)

// StartPractice has an agent practise; a person confirms when credentials are delivered.
func (c *Client) StartPractice(ctx context.Context, r PracticeRequest, calls ...Call) (Practice, error) {
	return post[Practice](ctx, c, "/api/learn/practice", r, calls...)
}

// Practice is how it stands.
func (c *Client) Practice(ctx context.Context, id string) (Practice, error) {
	return get[Practice](ctx, c, at("/api/learn/practice/", id), nil)
}

// Practices lists the newest ones.
func (c *Client) Practices(ctx context.Context) (wire.Practices, error) {
	return get[wire.Practices](ctx, c, "/api/learn/practice", nil)
}
