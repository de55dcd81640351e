package keys

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"

	"showhow/internal/fault"
)

// Secrets are the person's secrets in the keychain under one service name: the Secret Service, macOS's Keychain,
// Windows' Credential Manager.
type Secrets struct{ Service string }

// Get reads a secret; fault.NotFound if there is none.
func (s Secrets) Get(ctx context.Context, name string) (string, error) {
	v, err := bounded(ctx, func() (string, error) { return systemKeychain{}.Get(s.Service, name) })
	return v, secretFault(err)
}

// Set stores or replaces a secret.
func (s Secrets) Set(ctx context.Context, name, value string) error {
	_, err := bounded(ctx, func() (string, error) { return "", systemKeychain{}.Set(s.Service, name, value) })
	return secretFault(err)
}

// Delete removes a secret; fault.NotFound if there is none.
func (s Secrets) Delete(ctx context.Context, name string) error {
	_, err := bounded(ctx, func() (string, error) { return "", systemKeychain{}.Delete(s.Service, name) })
	return secretFault(err)
}

func secretFault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return fault.New(fault.NotFound, "there is no credential of this name in the keychain").WithHint("`showhow credential list` names them")
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return fault.New(fault.InvalidRequest, "the value is longer than this system's keychain takes")
	}
	return fault.Wrap(err, fault.AdapterUnavailable, "the keychain cannot be asked").
		WithHint("unlock it, or start one (gnome-keyring, KWallet); secrets are kept nowhere else")
}
