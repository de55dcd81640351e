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
	"net"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/mcpconfig"
)

// Shelf is the folder in which packages are installed, each in its own folder.
type Shelf struct {
	Dir string

	mu sync.Mutex // one installation at a time
}

const (
	installTime = 3 * time.Minute
	maxFiles    = 50_000
	maxBytes    = 512 << 20
)

// Install converts a bridge whose command fetches a package to one whose command runs that package as installed now.
func (s *Shelf) Install(ctx context.Context, b wire.MCPLocalBridge) (wire.MCPLocalBridge, error) {
	w, err := mcpconfig.PackageOf(b.Command)
	if err != nil {
		return b, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.tidy(); err != nil {
		return b, fault.Wrap(err, fault.StoreFull, "the folder for packages cannot be made")
	}
	staging, err := os.MkdirTemp(s.Dir, stagingPrefix)
	if err != nil {
		return b, fault.Wrap(err, fault.StoreFull, "the folder for packages cannot be made")
	}
	defer os.RemoveAll(staging)
	from, err := sourceOf(ctx, w)
	if err != nil {
		return b, err
	}
	if err := from.fetch(ctx, staging, w); err != nil {
		return b, err
	}
	pkg, script, err := inspect(staging, w, from.registry)
	if err != nil {
		return b, err
	}
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
	b.Command = append([]string{from.node, filepath.Join(final, script)}, w.Args...)
	b.ReadFolders = append(slices.Clone(b.ReadFolders), final)
	if !strings.HasPrefix(from.node, "/usr/") { // which every sandbox has
		b.ReadFolders = append(b.ReadFolders, from.node)
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

// Sweep removes every package that no connector uses.
func (s *Shelf) Sweep(used []wire.MCPLocalPackage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	return filepath.Join(s.Dir, name+"-"+p.Version+"-"+p.FilesHash[:min(16, len(p.FilesHash))])
}

const stagingPrefix = ".new-" // no package's name begins with a dot

// tidy makes the folder, and removes the remains of an interrupted installation.
func (s *Shelf) tidy() error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(s.Dir, stagingPrefix+"*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// fetch makes npm install a package into a folder, in a sandbox that reaches only the registry, without running

// Source is the address of the registry that the package of a bridge's command would come from.
func (s *Shelf) Source(ctx context.Context, b wire.MCPLocalBridge) (string, error) {
	w, err := mcpconfig.PackageOf(b.Command)
	if err != nil {
		return "", err
	}
	from, err := sourceOf(ctx, w)
	return from.registry, err
}

// source is npm, node, and the registry that the person's npm uses for a package.
type source struct{ npm, node, registry, host string }

func sourceOf(ctx context.Context, w mcpconfig.Package) (from source, err error) {
	if err := sandbox.Probe(); err != nil {
		return from, fault.Wrap(err, fault.SandboxUnavailable, "packages are installed and run in a sandbox alone, and there is none here").
			WithHint(fault.From(err).Hint)
	}
	if from.npm, from.node, err = tools(); err != nil {
		return from, err
	}
	from.registry, from.host, err = registryOf(ctx, from.npm, w)
	return from, err
}

// fetch has npm install a package into a folder, in a sandbox that reaches only the registry. No script runs.
func (from source) fetch(ctx context.Context, dir string, w mcpconfig.Package) error {
	wanted := w.Version
	if wanted == "" {
		wanted = "latest"
	}
	read := []string{filepath.Dir(filepath.Dir(from.npm)), from.node}
	env := map[string]string{}
	if ca := os.Getenv("NODE_EXTRA_CA_CERTS"); ca != "" {
		read, env["NODE_EXTRA_CA_CERTS"] = append(read, ca), ca
	}
	box, err := sandbox.Open(ctx, sandbox.Spec{ReadOnly: read, Hosts: []string{from.host}, Timeout: installTime})
	if err != nil {
		return err
	}
	defer box.Close()
	res, err := box.Exec(ctx, sandbox.Command{Env: env, Args: []string{from.node, from.npm, "install", "--ignore-scripts", "--omit=dev",
		"--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--loglevel=error", "--registry", from.registry,
		"--cache", "/tmp/npm", w.Name + "@" + wanted}})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 || res.Killed != "" {
		return failed(w, from.host, res)
	}
	files, err := box.Files()
	if err != nil {
		return err
	}
	defer files.Close()
	return take(files, dir)
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

// failed explains why npm did not install a package, by its code; npm's text may hold what somebody else wrote.
func failed(w mcpconfig.Package, host string, res sandbox.Result) error {
	said := string(res.Stderr) + string(res.Stdout)
	for _, c := range []struct{ code, text string }{
		{"E404", "the registry has no such package"}, {"ETARGET", "the package has no such version"},
		{"E401", "the registry wants a sign-in, which is not passed into the sandbox"},
		{"E403", "the registry refuses it"}, {"EINTEGRITY", "what the registry sent is not what its checksum says"},
		{"ENOTFOUND", "the registry cannot be reached"}, {"ECONNREFUSED", "the registry cannot be reached"},
		{"EAI_AGAIN", "the registry cannot be reached"},
		{"ENOSPC", "the disk is full"},
	} {
		if strings.Contains(said, c.code) {
			return fault.New(fault.ConnectorUnreachable, w.String()+" could not be installed: "+c.text).WithDetail("reason", c.code).
				WithHint("the registry is " + host)
		}
	}
	if res.Killed != "" {
		return fault.New(fault.ConnectorUnreachable, w.String()+" could not be installed: npm was ended, "+res.Killed)
	}
	return fault.Newf(fault.ConnectorUnreachable, "%s could not be installed: npm ended with code %d", w.String(), res.ExitCode).
		WithHint("`npm view " + w.Name + "` says more; packages that come from elsewhere than the registry cannot be installed")
}

// tools are the files of npm and node.
func tools() (npm, node string, err error) {
	for _, t := range []struct {
		name string
		to   *string
	}{{"npm", &npm}, {"node", &node}} {
		p, err := exec.LookPath(t.name)
		if err == nil {
			p, err = filepath.EvalSymlinks(p)
		}
		if err != nil {
			return "", "", fault.New(fault.AdapterUnavailable, "packages of npx are installed by npm, and "+t.name+" is not installed").
				WithHint("install Node.js with npm (Debian: apt install nodejs npm)")
		}
		*t.to = p
	}
	// The folder of npm is shown to the sandbox: a script of the person's that is called npm could lie beside everything.
	if !strings.HasSuffix(npm, filepath.FromSlash("/npm/bin/npm-cli.js")) {
		return "", "", fault.New(fault.AdapterUnavailable, "the npm on the path is not Node's own").
			WithHint("packages of npx are installed by the npm that comes with Node.js")
	}
	return npm, node, nil
}

// registryOf is the registry that the person's npm uses, and its host.
func registryOf(ctx context.Context, npm string, w mcpconfig.Package) (registry, host string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	keys := []string{"registry"}
	if scope, _, scoped := strings.Cut(w.Name, "/"); scoped {
		keys = []string{scope + ":registry", "registry"}
	}
	var u *url.URL
	for _, key := range keys {
		cmd := exec.CommandContext(ctx, npm, "config", "get", key)
		cmd.Dir, _ = os.UserHomeDir() // no project's own setting counts
		out, err := cmd.Output()
		if said := strings.TrimSpace(string(out)); err == nil && said != "undefined" {
			u, _ = url.Parse(said)
			break
		}
	}
	if u == nil || u.Hostname() == "" || u.Scheme != "https" && !(u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback()) {
		return "", "", fault.New(fault.AdapterUnavailable, "npm names no registry that is reached by https").
			WithHint("`npm config get registry`")
	}
	u.User = nil
	host = u.Hostname()
	if p := u.Port(); p != "" {
		host += ":" + p
	}
	return strings.TrimSuffix(u.String(), "/") + "/", host, nil
}

// lockFile is npm's record of what it installed.
type lockFile struct {
	Packages map[string]struct {
		Version   string `json:"version"`
		Resolved  string `json:"resolved"`
		Integrity string `json:"integrity"`
		Link      bool   `json:"link"`
		InBundle  bool   `json:"inBundle"` // comes within another's archive, whose checksum covers it
	} `json:"packages"`
}

// inspect checks the lock file: every part must have come from the registry with a checksum. script is the program's
// path.
func inspect(dir string, w mcpconfig.Package, registry string) (p wire.MCPLocalPackage, script string, err error) {
	var lock lockFile
	if err := readJSON(filepath.Join(dir, "package-lock.json"), &lock); err != nil {
		return p, "", err
	}
	for place, part := range lock.Packages {
		if place != "" && (part.Link || !part.InBundle && (part.Integrity == "" || !strings.HasPrefix(part.Resolved, registry))) {
			return p, "", fault.New(fault.InvalidRequest, "a part of the package does not come from the registry, or has no checksum").
				WithDetail("parts", names(map[string]string{path.Base(place): ""})).
				WithHint("install it yourself, then name its program")
		}
	}
	root := "node_modules/" + w.Name
	main := lock.Packages[root]
	p = wire.MCPLocalPackage{Name: w.Name, Version: main.Version, Integrity: main.Integrity}
	var own struct {
		Name string          `json:"name"`
		Bin  json.RawMessage `json:"bin"`
	}
	if err := readJSON(filepath.Join(dir, filepath.FromSlash(root), "package.json"), &own); err != nil {
		return p, "", err
	}
	script, err = program(own.Bin, w)
	if err != nil {
		return p, "", err
	}
	script = path.Join(root, script)
	if !strings.HasPrefix(script, root+"/") || !exactVersion.MatchString(p.Version) {
		return p, "", broken()
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(script))); err != nil || !info.Mode().IsRegular() {
		return p, "", broken()
	}
	return p, filepath.FromSlash(script), nil
}

const maxNames = 20

var plainName = lazyre.New(`^[A-Za-z0-9._-]{1,64}$`)

// exactVersion matches a version in a registry's form; it becomes part of a folder's name.
var exactVersion = lazyre.New(`^[0-9A-Za-z.+-]{1,80}$`)

func broken() error {
	return fault.New(fault.InvalidRequest, "the package is broken: its program is not in it")
}

// program is the file of the program that npx would run (npm-exec(1)): the named one, the only one, or the one with
// the package's name.
func program(bin json.RawMessage, w mcpconfig.Package) (string, error) {
	short := path.Base(w.Name)
	all := map[string]string{}
	var one string
	switch {
	case json.Unmarshal(bin, &one) == nil && one != "":
		all[short] = one
	case len(bin) > 0:
		_ = json.Unmarshal(bin, &all)
	}
	if w.Bin != "" {
		if f := all[w.Bin]; f != "" {
			return f, nil
		}
		return "", fault.New(fault.InvalidRequest, "the package has no program of this name").WithDetail("programs", names(all))
	}
	if f := all[short]; f != "" {
		return f, nil
	}
	if len(all) == 1 {
		for _, f := range all {
			return f, nil
		}
	}
	return "", fault.New(fault.InvalidRequest, "the package does not say which of its programs is meant").
		WithDetail("programs", names(all)).WithHint("npx -p NAME PROGRAM")
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
	f, err := os.Open(file)
	if err != nil {
		return broken()
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 32<<20))
	if err != nil || json.Unmarshal(b, v) != nil {
		return broken()
	}
	return nil
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
