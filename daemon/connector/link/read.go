package link

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Prompt gets a prompt. What the service asks in return is answered as in a call of a tool.
func (l *Link) Prompt(ctx context.Context, c Call, p mcp.GetPromptParams) (*mcp.GetPromptResult, error) {
	return read(ctx, l, c, func(ctx context.Context, s *session, meta mcp.Meta, g given) (*mcp.GetPromptResult, error) {
		again := p
		again.Meta, again.InputResponses, again.RequestState = meta, g.answers, g.state
		return s.GetPrompt(ctx, &again)
	})
}

// Resource reads a resource. What the service asks in return is answered as in a call of a tool.
func (l *Link) Resource(ctx context.Context, c Call, uri string) (*mcp.ReadResourceResult, error) {
	return read(ctx, l, c, func(ctx context.Context, s *session, meta mcp.Meta, g given) (*mcp.ReadResourceResult, error) {
		return s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri, Meta: meta, InputResponses: g.answers, RequestState: g.state})
	})
}

func read[R mcp.Result](ctx context.Context, l *Link, c Call,
	ask func(context.Context, *session, mcp.Meta, given) (R, error)) (res R, err error) {
	err = l.do(ctx, func(ctx context.Context, s *session) (err error) {
		defer c.begin(ctx, s)()
		res, err = rounds(ctx, l, &c, func(g given) (R, error) { return ask(ctx, s, l.declared(s, &c), g) })
		return c.asking.explained(err)
	})
	return res, err
}

// begin makes a request the one that what a service says and asks outside of results belongs to, until the returned function is called.
func (c *Call) begin(ctx context.Context, s *session) func() {
	c.ctx, c.asking = ctx, &asking{left: asksMost}
	return s.said.add(c)
}
