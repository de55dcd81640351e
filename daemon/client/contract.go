package client

import (
	"context"

	"showhow/daemon/wire"
)

// ContractService is the part of the API that speaks the wire contract.
type ContractService struct{ t *transport }

// CallContract calls a tool of the contract.
func (c ContractService) CallContract(ctx context.Context, tool string, request map[string]any) (map[string]any, error) {
	out, err := post[wire.ContractAnswer](ctx, c.t, "/api/contract/call", wire.ContractCall{Tool: tool, Request: request, SchemaVersion: 1})
	return out.Answer, err
}
