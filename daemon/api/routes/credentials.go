package routes

import (
	"context"
	"net/http"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/credential"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagCredentials = "credentials"

// Credentials is the part of *credential.Service that the routes need.
type Credentials interface {
	Available() bool
	List(ctx context.Context) ([]credential.Credential, error)
	One(ctx context.Context, name string) (credential.Row, error)
	Set(ctx context.Context, name, value string, rev *int) (credential.Credential, error)
	Remove(ctx context.Context, name string, rev *int) error
}

var _ Credentials = (*credential.Service)(nil)

type credentialChange struct {
	Name string `path:"name" minLength:"1" maxLength:"120" pattern:"^[A-Za-z_][A-Za-z0-9_.-]*$"`
	engine.IfMatch
}

// CredentialRoutes are the routes of credentials.
type CredentialRoutes struct {
	Credentials Credentials
}

// Register adds the routes. Responses hold names, never values. Storing and removing need a confirmation.
func (rs CredentialRoutes) Register(g *engine.Engine) {
	c, one := rs.Credentials, "/api/credentials/{name}"
	engine.Register(g, engine.Get("list-credentials", "/api/credentials", tagCredentials,
		"Names of credentials that runs may be given; never values",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Credentials], error) {
			l, err := c.List(ctx)
			return engine.Answered(wire.Credentials{Credentials: l, Keychain: c.Available(), SchemaVersion: 1}, err)
		})
	subject := func(ctx context.Context, p *credentialChange) (presence.Subject, bool, error) {
		r, err := c.One(ctx, p.Name)
		return presence.Subject{ID: p.Name, Revision: r.Revision}.Say("The credential “%s”", p.Name), true, err
	}
	engine.RegisterConfirmed(g, engine.Op{ID: "set-credential", Method: http.MethodPut, Path: one, Tag: tagCredentials,
		Summary: "Store a value in the operating system's keychain, or replace it", Secret: true,
		Access: engine.UserWrites.Confirmed("set-credential"), Errors: []fault.Code{fault.AdapterUnavailable}}.Rev(),
		func(ctx context.Context, p *credentialChange, _ *wire.CredentialSet) (presence.Subject, bool, error) {
			return subject(ctx, p)
		},
		func(ctx context.Context, p *credentialChange, b *wire.CredentialSet) (*engine.Reply[credential.Credential], error) {
			x, err := c.Set(ctx, p.Name, b.Value, p.Seen())
			return engine.Versioned(x, x.Revision, err)
		})
	engine.RegisterConfirmed(g, engine.Op{ID: "remove-credential", Method: http.MethodDelete, Path: one, Tag: tagCredentials,
		Summary: "Take it out of the keychain", Revisioned: true,
		Access: engine.UserWrites.Confirmed("remove-credential"), Errors: []fault.Code{fault.AdapterUnavailable, fault.NotFound}},
		func(ctx context.Context, p *credentialChange, _ *engine.None) (presence.Subject, bool, error) {
			return subject(ctx, p)
		},
		func(ctx context.Context, p *credentialChange, _ *engine.None) (*engine.Reply[wire.CredentialRemoved], error) {
			return engine.Answered(wire.CredentialRemoved{Name: p.Name, Removed: true}, c.Remove(ctx, p.Name, p.Seen()))
		})
}
