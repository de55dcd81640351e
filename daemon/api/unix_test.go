//go:build unix

package api

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/fault"
)

func TestTheSocketIsTheUsersAlone(t *testing.T) {
	r := newRig(t)
	for path, want := range map[string]os.FileMode{r.socket: 0o600, filepath.Dir(r.socket): 0o700} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, st.Mode(), err)
		}
	}
	r.stop()
	if _, err := os.Stat(r.socket); !os.IsNotExist(err) {
		t.Error("the socket is left behind")
	}
}

func TestListening(t *testing.T) {
	listen := func(path string) fault.Code {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return fault.CodeOf(New(Deps{Learn: &fakeLearn{}, Abilities: noAbilities{}}).ServeUnix(ctx, path))
	}
	path := shortSocket(t)
	dir := filepath.Dir(path)
	if code := listen(path); code != "" {
		t.Fatal(code)
	}

	// A socket that nobody answers on, as a killed daemon leaves it.
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	if code := listen(path); code != "" {
		t.Errorf("a stale socket: %s", code)
	}

	// One that is answered.
	if l, err = net.Listen("unix", path); err != nil {
		t.Fatal(err)
	}
	if code := listen(path); code != fault.DataDirLocked {
		t.Errorf("a live socket: %q", code)
	}
	l.Close()

	// A file that is no socket, and a link to somewhere else, are not removed.
	for _, make := range []func() error{
		func() error { return os.WriteFile(path, []byte("mine"), 0o600) },
		func() error { return os.Symlink("/nonexistent", path) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if code := listen(path); code != fault.DataDirForeign {
			t.Errorf("%q", code)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Error("it is gone")
		}
		os.Remove(path)
	}

	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if code := listen(path); code != fault.DataDirForeign {
		t.Errorf("a folder that others can enter: %q", code)
	}
	if code := listen(filepath.Join(dir, strings.Repeat("x", maxSocketPath))); code != fault.Usage {
		t.Errorf("a path that is too long: %q", code)
	}
}
