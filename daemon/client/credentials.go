package client

import (
	"context"
	"net/http"

	"showhow/daemon/credential"
	"showhow/daemon/wire"
)

type (
	Credential  = credential.Credential
	Credentials = wire.Credentials
)

// Credentials lists names; no value leaves the keychain.
func (c *Client) Credentials(ctx context.Context) (Credentials, error) {
	return get[Credentials](ctx, c, "/api/credentials", nil)
}

// SetCredential stores a value in the keychain; a person confirms.
func (c *Client) SetCredential(ctx context.Context, name, value string, calls ...Call) (Credential, error) {
	return do[Credential](ctx, c, http.MethodPut, at("/api/credentials/", name), wire.CredentialSet{Value: value}, calls...)
}

// RemoveCredential takes it out of the keychain; a person confirms.
func (c *Client) RemoveCredential(ctx context.Context, name string, calls ...Call) (wire.CredentialRemoved, error) {
	return do[wire.CredentialRemoved](ctx, c, http.MethodDelete, at("/api/credentials/", name), nil, calls...)
}
