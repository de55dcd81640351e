// Package keys stores one key per learning target: in the operating system's keychain if there is one, else in a 0600
// file outside the database.
//
// Guarantees: a key that was returned once is found again, or the error says why not; it is never silently replaced,
// because that would make what it sealed unreadable. After Destroy returns nothing of a file key is left in the
// directory: it is overwritten, synced and removed. Not guaranteed: what a keychain does with a deleted item, and
// blocks that a file system or an SSD keeps on its own.
//
// On Linux the keychain is the Secret Service on the session bus; without a bus address it is not even tried (a
// failed try can leave a bus daemon behind). Test with Files(t.TempDir()).
package keys

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"showhow/capture"
	"showhow/internal/fault"
)

const (
	keySize = 32
	service = "showhow"
)

// Ring is a capture.Keyring.
type Ring struct {
	dir   string
	chain keychain // nil: files only
	mu    sync.Mutex
}

var _ capture.Keyring = (*Ring)(nil)

// Open returns a ring that prefers the keychain. dir contains file keys, and marks for keys that are in the keychain.
func Open(dir string) *Ring {
	if !keychainPresent() {
		return Files(dir)
	}
	return &Ring{dir: dir, chain: systemKeychain{}}
}

// Files returns a ring that uses files only.
func Files(dir string) *Ring { return &Ring{dir: dir} }

// Kind is where new keys are stored: keychain or file. `showhow doctor` and the Trust page print it.
func (r *Ring) Kind() string {
	if r.chain != nil {
		return "keychain"
	}
	return "file"
}

// Key returns the target's key, creating it if absent.
func (r *Ring) Key(ctx context.Context, target string) ([]byte, error) {
	file, mark, err := r.paths(target)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if b, err := os.ReadFile(file); err == nil {
		if len(b) != keySize {
			return nil, fault.New(fault.StoreCorrupt, "a key file is damaged")
		}
		return b, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Wrap(err, fault.StoreReadOnly, "a key file cannot be read")
	}
	if _, err := os.Stat(mark); err == nil {
		return r.fromChain(ctx, target)
	}
	return r.create(ctx, target, file, mark)
}

func (r *Ring) fromChain(ctx context.Context, target string) ([]byte, error) {
	if r.chain == nil {
		return nil, locked(errors.New("no keychain here"))
	}
	text, err := bounded(ctx, func() (string, error) { return r.chain.Get(service, target) })
	if err != nil {
		return nil, locked(err)
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) != keySize {
		return nil, fault.New(fault.StoreCorrupt, "a key in the keychain is damaged")
	}
	return b, nil
}

func locked(err error) error {
	return fault.Wrap(err, fault.StoreReadOnly, "the keychain that holds this session's key cannot be opened").
		WithHint("unlock the keychain and try again, or purge the session")
}

// create creates a key. It writes the mark before the keychain entry: a crash in between leaves a mark without a key,
// which Key reports, never a key that would be replaced by a second one.
func (r *Ring) create(ctx context.Context, target, file, mark string) ([]byte, error) {
	key := make([]byte, keySize)
	rand.Read(key)
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return nil, writeFault(err)
	}
	if r.chain != nil {
		if err := writeSynced(r.dir, mark, nil); err != nil {
			return nil, writeFault(err)
		}
		_, err := bounded(ctx, func() (string, error) {
			return "", r.chain.Set(service, target, base64.StdEncoding.EncodeToString(key))
		})
		if err == nil {
			return key, nil
		}
		// A locked or absent keychain: nothing was sealed with this key yet, so a file can replace it.
		if err := os.Remove(mark); err != nil {
			return nil, writeFault(err)
		}
	}
	if err := writeSynced(r.dir, file, key); err != nil {
		return nil, writeFault(err)
	}
	return key, nil
}

func writeFault(err error) error {
	return fault.Wrap(err, fault.StoreReadOnly, "a key cannot be written").WithHint("look at the data directory's permissions and free space")
}

// Destroy makes the key unrecoverable. A target without a key is not an error.
func (r *Ring) Destroy(ctx context.Context, target string) error {
	file, mark, err := r.paths(target)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := os.Stat(mark); err == nil {
		if r.chain == nil {
			return locked(errors.New("no keychain here"))
		}
		_, err := bounded(ctx, func() (string, error) { return "", r.chain.Delete(service, target) })
		if err != nil && !errors.Is(err, keyring.ErrNotFound) {
			return locked(err)
		}
		if err := removeSynced(r.dir, mark); err != nil {
			return writeFault(err)
		}
	}
	if err := shred(r.dir, file); err != nil {
		return writeFault(err)
	}
	return nil
}

// Chained reports whether any key is in the keychain.
func (r *Ring) Chained() (bool, error) {
	marks, err := filepath.Glob(filepath.Join(r.dir, "*.keychain"))
	return len(marks) > 0, err
}

// DestroyAll destroys every key. It continues after a failure, and returns the first one.
func (r *Ring) DestroyAll(ctx context.Context) error {
	entries, err := os.ReadDir(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		target, kind, _ := strings.Cut(e.Name(), ".")
		if kind != "key" && kind != "keychain" {
			continue
		}
		if failed := r.Destroy(ctx, target); err == nil {
			err = failed
		}
	}
	return err
}

// paths are the target's key file and its mark for the keychain.
func (r *Ring) paths(target string) (file, mark string, err error) {
	ok := target != "" && len(target) <= 80
	for _, c := range target {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
	}
	if !ok {
		return "", "", fmt.Errorf("not the id of a learning target")
	}
	base := filepath.Join(r.dir, target)
	return base + ".key", base + ".keychain", nil
}

// Secret reads a secret that the person put into the keychain.
func Secret(ctx context.Context, service, user string) (string, error) {
	return bounded(ctx, func() (string, error) { return systemKeychain{}.Get(service, user) })
}

// keychain is go-keyring's interface.
type keychain interface {
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

type systemKeychain struct{}

func (systemKeychain) Get(s, u string) (string, error) { return keyring.Get(s, u) }
func (systemKeychain) Set(s, u, p string) error        { return keyring.Set(s, u, p) }
func (systemKeychain) Delete(s, u string) error        { return keyring.Delete(s, u) }

// keychainLimit bounds a call: a keychain may be waiting for a person to unlock it.
const keychainLimit = 10 * time.Second

// bounded waits for fn at most keychainLimit. The library has no contexts, so a call that never returns is abandoned
// and its result dropped.
func bounded(ctx context.Context, fn func() (string, error)) (string, error) {
	type result struct {
		text string
		err  error
	}
	ctx, cancel := context.WithTimeout(ctx, keychainLimit)
	defer cancel()
	ch := make(chan result, 1)
	go func() {
		text, err := fn()
		ch <- result{text, err}
	}()
	select {
	case r := <-ch:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
