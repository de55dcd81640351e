package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

type (
	Credential  = wire.Credential
	Credentials = wire.Credentials
)

// CredentialService is the part of the API about the names of saved credentials, and setting their values.
type CredentialService struct{ t *transport }

// Credentials lists names; no value leaves the keychain.
func (c CredentialService) Credentials(ctx context.Context) (Credentials, error) {
	return get[Credentials](ctx, c.t, "/api/credentials", nil)
}

// SetCredential stores a value in the keychain; a person confirms.
func (c CredentialService) SetCredential(ctx context.Context, name, value string, calls ...Call) (Credential, error) {
	return do[Credential](ctx, c.t, http.MethodPut, at("/api/credentials/", name), wire.CredentialSet{Value: value}, calls...)
}

// RemoveCredential removes a value from the keychain; a person confirms.
func (c CredentialService) RemoveCredential(ctx context.Context, name string, calls ...Call) (wire.CredentialRemoved, error) {
	return do[wire.CredentialRemoved](ctx, c.t, http.MethodDelete, at("/api/credentials/", name), nil, calls...)
}
