package keys

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/zalando/go-keyring"

	"showhow/internal/fault"
)

// chain is a keychain in memory; this test does not cover the real one.
type chain struct {
	items map[string]string
	err   error
}

func (c *chain) Get(_, user string) (string, error) {
	text, ok := c.items[user]
	if c.err == nil && !ok {
		return "", keyring.ErrNotFound
	}
	return text, c.err
}

func (c *chain) Set(_, user, text string) error {
	if c.err == nil {
		c.items[user] = text
	}
	return c.err
}

func (c *chain) Delete(_, user string) error {
	if _, ok := c.items[user]; c.err == nil && !ok {
		return keyring.ErrNotFound
	}
	if c.err == nil {
		delete(c.items, user)
	}
	return c.err
}

func key(t *testing.T, r *Ring, target string) []byte {
	t.Helper()
	b, err := r.Key(t.Context(), target)
	if err != nil || len(b) != keySize {
		t.Fatalf("Key = %d bytes, %v", len(b), err)
	}
	return b
}

func TestFileKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	r := Files(dir)
	a, b := key(t, r, "a"), key(t, r, "b")
	if bytes.Equal(a, b) {
		t.Error("two targets share a key")
	}
	if !bytes.Equal(a, key(t, Files(dir), "a")) {
		t.Error("the key was not found again")
	}
	info, err := os.Stat(filepath.Join(dir, "a.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for range 2 { // again is no error
		if err := r.Destroy(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files, want that of b", len(left))
	}
	if bytes.Equal(a, key(t, r, "a")) {
		t.Error("a destroyed key came back")
	}
	for _, bad := range []string{"", "../x", "a/b", "a.b", `a\b`} {
		if _, err := r.Key(t.Context(), bad); err == nil {
			t.Errorf("target %q was accepted", bad)
		}
	}
}

func TestKeychain(t *testing.T) {
	dir := t.TempDir()
	c := &chain{items: map[string]string{}}
	r := &Ring{dir: dir, chain: c}
	a := key(t, r, "a")
	if len(c.items) != 1 || !bytes.Equal(a, key(t, r, "a")) {
		t.Error("the key is not in the keychain")
	}
	if _, err := os.Stat(filepath.Join(dir, "a.key")); err == nil {
		t.Error("the key is in a file too")
	}

	c.err = errors.New("locked")
	if _, err := r.Key(t.Context(), "a"); fault.CodeOf(err) != fault.StoreReadOnly {
		t.Errorf("with a locked keychain: %v", err)
	}
	if _, err := Files(dir).Key(t.Context(), "a"); fault.CodeOf(err) != fault.StoreReadOnly {
		t.Errorf("without the keychain another key was made, or: %v", err)
	}
	if err := r.Destroy(t.Context(), "a"); err == nil {
		t.Error("a key in a locked keychain counts as destroyed")
	}
	if b := key(t, r, "b"); !bytes.Equal(b, key(t, Files(dir), "b")) {
		t.Error("with a locked keychain a new key belongs into a file")
	}

	c.err = nil
	if err := r.Destroy(t.Context(), "a"); err != nil || len(c.items) != 0 {
		t.Errorf("%d items left, %v", len(c.items), err)
	}
	if err := r.Destroy(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if bytes.Equal(a, key(t, r, "a")) {
		t.Error("a destroyed key came back")
	}
}

func TestKeychainThatNeverAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	cancel()
	_, err := bounded(ctx, func() (string, error) { <-release; return "", nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDamagedKeyIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Files(dir).Key(t.Context(), "a"); fault.CodeOf(err) != fault.StoreCorrupt {
		t.Error(err)
	}
}

func TestDestroyAll(t *testing.T) {
	dir := t.TempDir()
	c := &chain{items: map[string]string{}}
	if err := Files(filepath.Join(dir, "none")).DestroyAll(t.Context()); err != nil {
		t.Error(err)
	}
	in, out := &Ring{dir: dir, chain: c}, Files(dir)
	key(t, in, "a")
	key(t, out, "b")
	if chained, err := in.Chained(); !chained || err != nil {
		t.Error(chained, err)
	}
	if err := in.DestroyAll(t.Context()); err != nil || len(c.items) != 0 {
		t.Errorf("%v, %d in the keychain", err, len(c.items))
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
