package parcel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/mcpconfig"
)

// Shelf is the folder in which packages are installed, each in its own folder. Its user makes one change at a time.
type Shelf struct {
	Dir string
	// Home and Data are the person's home and Showhow's data, of which no program is shown more than it is lent.
	Home, Data string
}

const (
	installTime = 3 * time.Minute
	maxFiles    = 50_000
	maxBytes    = 512 << 20
)

// origin is a registry with the tool that installs from it.
type origin interface {
	address() string // of the registry
	shows() []string // what its tool and the interpreter need of this computer
	// fetch installs a package into a folder, in a sandbox that reaches only the registry; nothing of it runs.
	fetch(ctx context.Context, dir string, w mcpconfig.Package) error
	// inspect checks what was installed: every part came from the registry with a checksum.
	inspect(dir string, w mcpconfig.Package) (wire.MCPLocalPackage, start, error)
}

// start is how an installed package is started.
type start struct {
	command []string // the interpreter with its flags; the script and the arguments follow
	script  string   // relative to the package's folder
	needs   []string // what the sandbox must be able to read besides
}

func (s *Shelf) originOf(ctx context.Context, w mcpconfig.Package) (from origin, err error) {
	if err := sandbox.Probe(); err != nil {
		return nil, fault.Wrap(err, fault.SandboxUnavailable, "packages are installed and run in a sandbox alone, and there is none here").
			WithHint(fault.From(err).Hint)
	}
	if w.Kind == mcpconfig.PyPI {
		from, err = pythonOf(ctx)
	} else {
		from, err = npmOf(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range from.shows() {
		if s.Home != "" && connector.Within(s.Home, p) || s.Data != "" && (connector.Within(s.Data, p) || connector.Within(p, s.Data)) {
			return nil, fault.New(fault.AdapterUnavailable, "the interpreter is installed in a folder that holds your home or Showhow's data").
				WithDetail("path", p).
				WithHint("programs are shown that folder; install the system's (Debian: apt install python3-pip, or nodejs npm)")
		}
	}
	return from, nil
}

// Install converts a bridge whose command fetches a package to one whose command runs that package as installed now.
func (s *Shelf) Install(ctx context.Context, b wire.MCPLocalBridge) (wire.MCPLocalBridge, error) {
	w, err := mcpconfig.PackageOf(b.Command)
	if err != nil {
		return b, err
	}
	from, err := s.originOf(ctx, w)
	if err != nil {
		return b, err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return b, fault.Wrap(err, fault.StoreFull, "the folder for packages cannot be created")
	}
	staging, err := os.MkdirTemp(s.Dir, ".new-") // no package's name begins with a dot; what is left of one is swept
	if err != nil {
		return b, fault.Wrap(err, fault.StoreFull, "the folder for packages cannot be created")
	}
	defer os.RemoveAll(staging)
	if err := from.fetch(ctx, staging, w); err != nil {
		return b, err
	}
	pkg, run, err := from.inspect(staging, w)
	if err != nil {
		return b, err
	}
	pkg.Kind, pkg.Command = w.Kind, b.Command
	if pkg.FilesHash, err = hashOf(staging); err != nil {
		return b, err
	}
	final := s.folder(pkg)
	if _, err := os.Stat(final); errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(staging, final)
		if err != nil {
			return b, fault.Wrap(err, fault.StoreFull, "the package cannot be kept")
		}
	} else if err := s.Check(pkg); err != nil { // another server's copy was touched: it is replaced
		if err := errors.Join(os.RemoveAll(final), os.Rename(staging, final)); err != nil {
			return b, fault.Wrap(err, fault.StoreFull, "the package cannot be kept")
		}
	}
	b.Package = &pkg
	b.Command = slices.Concat(run.command, []string{filepath.Join(final, run.script)}, w.Args)
	b.ReadFolders = append(slices.Clone(b.ReadFolders), final)
	for _, p := range run.needs {
		if !strings.HasPrefix(p, "/usr/") { // which every sandbox has
			b.ReadFolders = append(b.ReadFolders, filepath.Clean(p))
		}
	}
	return b, nil
}

// Check refuses a package whose files differ from those that were installed.
func (s *Shelf) Check(p wire.MCPLocalPackage) error {
	hash, err := hashOf(s.folder(p))
	if err == nil && hash == p.FilesHash {
		return nil
	}
	return fault.New(fault.ConnectorToolChanged, "the package "+p.Name+" is not any more what was installed").
		WithHint("remove the connector and add it again")
}

// Sweep removes every package that no connector uses, and the remains of interrupted installations.
func (s *Shelf) Sweep(used []wire.MCPLocalPackage) error {
	keep := map[string]bool{}
	for _, p := range used {
		keep[s.folder(p)] = true
	}
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if dir := filepath.Join(s.Dir, e.Name()); !keep[dir] {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	return err
}

func (s *Shelf) folder(p wire.MCPLocalPackage) string {
	name := strings.NewReplacer("/", "+", "@", "").Replace(p.Name)
	if p.Kind == mcpconfig.PyPI {
		name = "python+" + name
	}
	return filepath.Join(s.Dir, name+"-"+p.Version+"-"+p.FilesHash[:min(16, len(p.FilesHash))])
}

// Source is the address of the registry that the package of a bridge's command would come from.
func (s *Shelf) Source(ctx context.Context, b wire.MCPLocalBridge) (string, error) {
	w, err := mcpconfig.PackageOf(b.Command)
	if err != nil {
		return "", err
	}
	from, err := s.originOf(ctx, w)
	if err != nil {
		return "", err
	}
	return from.address(), nil
}

// take copies the installed files out of the sandbox, readable for the account of sandboxed programs.
func take(from *os.Root, dir string) error {
	if _, err := hashFiles(from); err != nil { // no more than is allowed, and no link that leads out
		return err
	}
	err := os.CopyFS(dir, from.FS())
	if err == nil {
		err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.Type() == fs.ModeSymlink {
				return err
			}
			mode := fs.FileMode(0o644)
			if d.IsDir() {
				mode = 0o755
			}
			return os.Chmod(p, mode)
		})
	}
	if err != nil {
		return fault.Wrap(err, fault.StoreFull, "the package cannot be kept")
	}
	return nil
}

const maxNames = 20

var plainName = lazyre.New(`^[A-Za-z0-9._-]{1,64}$`)

// exactVersion matches a version in a registry's form; it becomes part of a folder's name.
var exactVersion = lazyre.New(`^[0-9A-Za-z.+-]{1,80}$`)

func broken() error {
	return fault.New(fault.InvalidRequest, "the package is broken: its program is not in it")
}

// names are those that are nothing but names: a package's author wrote them.
func names(all map[string]string) []string {
	out := []string{}
	for n := range all {
		if plainName.MatchString(n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), maxNames)]
}

func readJSON(file string, v any) error {
	b, err := readSmall(file)
	if err != nil || json.Unmarshal(b, v) != nil {
		return broken()
	}
	return nil
}

func readSmall(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 32<<20))
}

// hashOf is hashFiles of a folder.
func hashOf(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", broken()
	}
	defer root.Close()
	return hashFiles(root)
}

// hashFiles hashes every file's path, mode and content, and every symlink's target. A symlink that leads out of the
// folder is refused.
func hashFiles(root *os.Root) (string, error) {
	sum := sha256.New()
	files, bytes := 0, int64(0)
	err := fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if files++; files > maxFiles {
			return errTooMuch
		}
		switch {
		case d.IsDir():
			return nil
		case d.Type() == fs.ModeSymlink:
			if _, err := root.Stat(p); err != nil {
				return fmt.Errorf("%w: a link leads out of it", errOdd)
			}
			to, err := root.Readlink(p)
			fmt.Fprintf(sum, "l %q %q\n", p, to)
			return err
		case !d.Type().IsRegular():
			return errOdd
		}
		if bytes += info.Size(); bytes > maxBytes {
			return errTooMuch
		}
		f, err := root.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(sum, "f %q %o %x\n", p, info.Mode().Perm(), one.Sum(nil))
		return nil
	})
	switch {
	case errors.Is(err, errTooMuch):
		return "", fault.Newf(fault.InvalidRequest, "the package is larger than %d MB or %d files", maxBytes>>20, maxFiles)
	case err != nil:
		return "", fault.Wrap(err, fault.InvalidRequest, "the package holds something that is no file of its own")
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

var (
	errTooMuch = errors.New("parcel: too much")
	errOdd     = errors.New("parcel: odd file")
)
