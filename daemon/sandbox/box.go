//go:build linux || darwin

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"showhow/internal/fault"
)

// Box is a scratch folder in which lines are run, one after the other.
type Box struct {
	spec   Spec
	walls         // how this system makes them
	self   string // this program
	side   string // what belongs to the box and is not its scratch folder
	home   string // the scratch folder, as commands see it
	tmp    string // their folder for temporary files, as they see it
	uid    int    // that commands have when the daemon is root, 0: the daemon's own
	proxy  *Proxy
	served sync.WaitGroup

	hosts   sync.Mutex
	allowed []string

	now     sync.Mutex
	current *running // the line or command that runs

	mu     sync.Mutex // one line at a time
	cwd    string
	env    map[string]string
	closed bool
}

// Open makes a box. The caller must close it.
func Open(ctx context.Context, spec Spec) (_ *Box, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := &Box{spec: spec.withDefaults(), env: map[string]string{}}
	if b.self, err = os.Executable(); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the program does not find itself")
	}
	if err := b.raise(); err != nil {
		return nil, err
	}
	if err := b.furnish(); err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.StoreFull, "the sandbox's folder cannot be created"), b.Close())
	}
	b.cwd = b.home
	if len(b.spec.Hosts) > 0 || b.spec.Network {
		if err := b.connect(); err != nil {
			return nil, errors.Join(fault.Wrap(err, fault.Internal, "the sandbox's proxy cannot be started"), b.Close())
		}
	}
	return b, nil
}

var errNotScratch = errors.New("this is no scratch folder")

// ours refuses a folder that holds anything but a run's files, because it will be removed.
func (b *Box) ours() error {
	if !filepath.IsAbs(b.spec.Dir) {
		return errNotScratch
	}
	b.spec.Dir = filepath.Clean(b.spec.Dir)
	if info, err := os.Lstat(b.spec.Dir); err == nil && !info.IsDir() {
		return errNotScratch
	}
	home, _ := os.UserHomeDir()
	wd, _ := os.Getwd()
	for _, precious := range []string{home, wd, os.TempDir(), "/usr", "/etc", "/var", "/home", "/root", "/Users", "/private/tmp",
		"/private/var"} {
		if precious == "" {
			continue
		}
		if rel, err := filepath.Rel(b.spec.Dir, precious); err == nil && filepath.IsLocal(rel) {
			return errNotScratch
		}
	}
	return nil
}

func (b *Box) connect() error {
	b.Allow(b.spec.Hosts...)
	b.proxy = NewProxy(b.lets)
	b.proxy.connect = b.spec.Dial
	ln, err := b.listen()
	if err != nil {
		return err
	}
	b.served.Go(func() { _ = b.proxy.Serve(ln) })
	return nil
}

// Allow lets the box reach further hosts from now on. It has no effect on a box that was opened without a network.
func (b *Box) Allow(hosts ...string) {
	b.hosts.Lock()
	defer b.hosts.Unlock()
	b.allowed = append(b.allowed, hosts...)
}

func (b *Box) lets(hostport string) bool {
	b.hosts.Lock()
	hosts := slices.Clone(b.allowed)
	b.hosts.Unlock()
	return AllowHosts(hosts)(hostport)
}

// Dir is the scratch folder outside. Commands made its content: a symlink may lead anywhere, so read it through Files.
func (b *Box) Dir() string { return b.spec.Dir }

// Files opens the scratch folder so that no symlink leads out of it.
func (b *Box) Files() (*os.Root, error) { return os.OpenRoot(b.spec.Dir) }

// Refused lists the hosts that commands asked for and were refused.
func (b *Box) Refused() []string {
	if b.proxy == nil {
		return nil
	}
	return b.proxy.Refused()
}

// Reached lists the hosts that commands reached.
func (b *Box) Reached() []string {
	if b.proxy == nil {
		return nil
	}
	return b.proxy.Reached()
}

// Close ends the proxy, removes the scratch folder and checks that it is gone. It waits for a running line.
func (b *Box) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	var errs []error
	if b.proxy != nil {
		errs = append(errs, b.proxy.Close())
		b.served.Wait()
	}
	dirs := []string{b.side}
	if b.spec.Dir != "" && b.ours() == nil {
		dirs = append(dirs, b.spec.Dir)
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		errs = append(errs, remove(dir))
	}
	b.env = nil
	if err := errors.Join(errs...); err != nil {
		return fault.Wrap(err, fault.Internal, "the sandbox's folder could not be removed")
	}
	return nil
}

// remove removes a tree even if a command has removed its permissions, and checks that it is gone.
func remove(dir string) error {
	if os.RemoveAll(dir) != nil {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(name, 0o700)
			}
			return nil
		})
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return errors.New("it is still there")
	}
	return nil
}

func (b *Box) readOnly() []string { return absolute(b.spec.ReadOnly) }

func (b *Box) writable() []string { return absolute(b.spec.Writable) }

func absolute(paths []string) []string {
	var out []string
	for _, p := range paths {
		if p = filepath.Clean(p); filepath.IsAbs(p) && p != "/" {
			out = append(out, p)
		}
	}
	return out
}

// place resolves a folder in the box: relative ones start at home, "" is where the last line ended.
func (b *Box) place(dir string) (string, error) {
	switch {
	case dir == "":
		return b.cwd, nil
	case dir == "~", dir == ".":
		return b.home, nil
	case strings.HasPrefix(dir, "~/"):
		dir = dir[2:]
	case filepath.IsAbs(dir):
		dir = filepath.Clean(dir)
		for _, ours := range []string{b.home, b.tmp} {
			if dir == ours || strings.HasPrefix(dir, ours+"/") {
				return dir, nil
			}
		}
		return "", fault.New(fault.InvalidRequest, "the folder is not in the sandbox")
	}
	if !filepath.IsLocal(dir) || slices.Contains(strings.Split(dir, "/"), "..") {
		return "", fault.New(fault.InvalidRequest, "the folder is not in the sandbox")
	}
	return filepath.Join(b.home, dir), nil
}
