package acceptance_test

import (
	"context"

	"showhow/daemon"
	"showhow/internal/fault"
)

type fakeSecrets map[string]string

func (f fakeSecrets) Get(_ context.Context, name string) (string, error) {
	if v, ok := f[name]; ok {
		return v, nil
	}
	return "", fault.New(fault.NotFound, "there is no credential of this name")
}

func (f fakeSecrets) Set(_ context.Context, name, value string) error { f[name] = value; return nil }

func (f fakeSecrets) Delete(ctx context.Context, name string) error {
	_, err := f.Get(ctx, name)
	delete(f, name)
	return err
}

func withSecrets(s fakeSecrets) func(*daemon.Options) {
	return func(o *daemon.Options) { o.Test.Secrets = s }
}
