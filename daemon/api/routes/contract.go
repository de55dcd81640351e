package routes

import (
	"context"
	"encoding/json"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/contract"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Contract is the part of *contract.Service that the route needs.
type Contract interface {
	Call(ctx context.Context, c contract.Caller, tool string, args json.RawMessage) (json.RawMessage, error)
}

// ContractRoutes are the routes of the wire contract.
type ContractRoutes struct {
	Contract Contract
}

// ContractCaller is the caller as the contract knows it.
func ContractCaller(c *caller.Caller) contract.Caller {
	return contract.Caller{Person: c.Agents() == nil, Agent: c.Agent(), Names: c.Agents(), Reporter: c.Reporter()}
}

// Register adds the routes.
func (rs ContractRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Post("call-contract", "/api/contract/call", "wire contract",
		"One call under the wire contract; what it answers has the contract's own schema", engine.AnybodyActs, fault.Forbidden, fault.NotFound),
		func(ctx context.Context, _ *engine.None, b *wire.ContractCall) (*engine.Reply[wire.ContractAnswer], error) {
			out := wire.ContractAnswer{SchemaVersion: 1}
			args, err := json.Marshal(b.Request)
			if err != nil {
				return nil, fault.Wrap(err, fault.InvalidRequest, "the request is not JSON")
			}
			raw, err := rs.Contract.Call(ctx, ContractCaller(caller.Of(ctx)), b.Tool, args)
			if err == nil {
				err = json.Unmarshal(raw, &out.Answer)
			}
			return engine.Answered(out, err)
		})
}
