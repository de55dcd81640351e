package client

import (
	"context"
	"net/url"

	"showhow/daemon/wire"
)

type (
	RemoteA2A          = wire.RemoteA2A
	RemoteA2ASet       = wire.RemoteA2ASet
	RemoteDecision     = wire.RemoteDecision
	RemoteKeys         = wire.RemoteKeys
	RemoteMachine      = wire.RemoteMachine
	RemoteMachineAdd   = wire.RemoteMachineAdd
	RemoteOn           = wire.RemoteOn
	RemoteRequest      = wire.RemoteRequest
	RemoteRevoked      = wire.RemoteRevoked
	RemoteStatus       = wire.RemoteStatus
	RemoteTask         = wire.RemoteTask
	RemoteTaskDecision = wire.RemoteTaskDecision
)

// RemoteService is the part of the API about callers from elsewhere.
type RemoteService struct{ t *transport }

// Remote tells whether callers from elsewhere are let in, and who they are.
func (c RemoteService) Remote(ctx context.Context) (RemoteStatus, error) {
	return get[RemoteStatus](ctx, c.t, "/api/remote", nil)
}

// TurnRemoteOn lets callers from elsewhere in, each after a person's yes.
func (c RemoteService) TurnRemoteOn(ctx context.Context, r RemoteOn, calls ...Call) (RemoteStatus, error) {
	return post[RemoteStatus](ctx, c.t, "/api/remote/on", r, calls...)
}

// TurnRemoteOff lets nobody in any more.
func (c RemoteService) TurnRemoteOff(ctx context.Context, calls ...Call) (RemoteStatus, error) {
	return post[RemoteStatus](ctx, c.t, "/api/remote/off", wire.Post{}, calls...)
}

// DecideRemote answers a caller that waits, by its id or, with "any", by the decision's code.
func (c RemoteService) DecideRemote(ctx context.Context, request string, d RemoteDecision, calls ...Call) (RemoteStatus, error) {
	return post[RemoteStatus](ctx, c.t, at("/api/remote/requests/", request), d, calls...)
}

// AddRemoteMachine lets a program in that has a secret of its own.
func (c RemoteService) AddRemoteMachine(ctx context.Context, r RemoteMachineAdd, calls ...Call) (RemoteMachine, error) {
	return post[RemoteMachine](ctx, c.t, "/api/remote/machines", r, calls...)
}

// RevokeRemote shuts a caller out, by id or name.
func (c RemoteService) RevokeRemote(ctx context.Context, caller string, calls ...Call) (RemoteRevoked, error) {
	return post[RemoteRevoked](ctx, c.t, at("/api/remote/callers/", caller)+"/revoke", wire.Post{}, calls...)
}

// RotateRemoteKeys makes a new signing key.
func (c RemoteService) RotateRemoteKeys(ctx context.Context, calls ...Call) (RemoteKeys, error) {
	return post[RemoteKeys](ctx, c.t, "/api/remote/keys/rotate", wire.Post{}, calls...)
}

// SetRemoteA2A turns A2A on or off.
func (c RemoteService) SetRemoteA2A(ctx context.Context, r RemoteA2ASet, calls ...Call) (RemoteStatus, error) {
	return post[RemoteStatus](ctx, c.t, "/api/remote/a2a", r, calls...)
}

// DecideRemoteTask answers what a caller asks to have run.
func (c RemoteService) DecideRemoteTask(ctx context.Context, task string, d RemoteTaskDecision, calls ...Call) (RemoteStatus, error) {
	return post[RemoteStatus](ctx, c.t, "/api/remote/tasks/"+url.PathEscape(task), d, calls...)
}
