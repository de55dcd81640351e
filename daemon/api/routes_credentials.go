package api

import (
	"context"
	"net/http"

	"showhow/daemon/credential"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagCredentials = "credentials"

// Credentials is what the routes need of *credential.Service.
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
	IfMatch
}

// credentialRoutes: names go out, values only in. Storing and removing need a person's word.
func (s *Server) credentialRoutes() {
	c, one := s.deps.Credentials, "/api/credentials/{name}"
	register(s, get("list-credentials", "/api/credentials", tagCredentials, "Names of credentials that runs may be given; never values",
		userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Credentials], error) {
			l, err := c.List(ctx)
			return answered(wire.Credentials{Credentials: l, Keychain: c.Available(), SchemaVersion: 1}, err)
		})
	subject := func(ctx context.Context, p *credentialChange) (Subject, bool, error) {
		r, err := c.One(ctx, p.Name)
		return Subject{ID: p.Name, Revision: r.Revision}.say("The credential “%s”", p.Name), true, err
	}
	registerConfirmed(s, op{id: "set-credential", method: http.MethodPut, path: one, tag: tagCredentials,
		summary: "Store a value in the operating system's keychain, or replace it", secret: true,
		access: userWrites.confirmed("set-credential"), errors: []fault.Code{fault.AdapterUnavailable}}.rev(),
		func(ctx context.Context, p *credentialChange, _ *wire.CredentialSet) (Subject, bool, error) {
			return subject(ctx, p)
		},
		func(ctx context.Context, p *credentialChange, b *wire.CredentialSet) (*reply[credential.Credential], error) {
			x, err := c.Set(ctx, p.Name, b.Value, p.seen())
			return at(x, x.Revision, err)
		})
	registerConfirmed(s, op{id: "remove-credential", method: http.MethodDelete, path: one, tag: tagCredentials,
		summary: "Take it out of the keychain", revisioned: true,
		access: userWrites.confirmed("remove-credential"), errors: []fault.Code{fault.AdapterUnavailable, fault.NotFound}},
		func(ctx context.Context, p *credentialChange, _ *none) (Subject, bool, error) { return subject(ctx, p) },
		func(ctx context.Context, p *credentialChange, _ *none) (*reply[wire.CredentialRemoved], error) {
			return answered(wire.CredentialRemoved{Name: p.Name, Removed: true}, c.Remove(ctx, p.Name, p.seen()))
		})
}
