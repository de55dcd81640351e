package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"showhow/internal/fault"
)

// Box is a scratch folder in which lines are run, one after the other.
type Box struct {
	spec   Spec
	bwrap  string
	self   string
	side   string // what belongs to the box and is not its scratch folder: /tmp, the proxy's socket, its own /etc
	uid    int    // that commands have when the daemon is root, 0: the daemon's own
	filter []byte
	groups string // the control group in which each line gets its own, "" for none
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

// Open makes a box. Close it.
func Open(ctx context.Context, spec Spec) (_ *Box, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := &Box{spec: spec.withDefaults(), cwd: Home, env: map[string]string{}}
	if b.bwrap, err = exec.LookPath("bwrap"); err != nil {
		return nil, Probe()
	}
	if b.self, err = os.Executable(); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the program does not find itself")
	}
	if b.filter, err = filter(); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the sandbox's filter cannot be made")
	}
	b.groups, _ = groups()
	if os.Geteuid() == 0 {
		b.uid = 1_700_000_000 + rand.IntN(100_000_000) // a number that nobody has: it owns nothing and counts its own processes
	}
	if err := b.furnish(); err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.StoreFull, "the sandbox's folder cannot be made"), b.Close())
	}
	if len(b.spec.Hosts) > 0 || b.spec.Network {
		if err := b.connect(); err != nil {
			return nil, errors.Join(fault.Wrap(err, fault.Internal, "the sandbox's proxy cannot be started"), b.Close())
		}
	}
	return b, nil
}

// furnish makes the folders and the few files of /etc that name people: the box has only one.
func (b *Box) furnish() (err error) {
	if b.side, err = os.MkdirTemp("", "showhow-box-"); err != nil {
		return err
	}
	if b.spec.Dir == "" {
		b.spec.Dir = filepath.Join(b.side, "home")
	}
	if err := b.ours(); err != nil {
		return err
	}
	dirs := []string{b.spec.Dir, filepath.Join(b.side, "tmp"), filepath.Join(b.side, "etc")}
	for at := range b.spec.Lent { // bubblewrap would make them for its own account alone
		if rel, ok := strings.CutPrefix(at, Home+"/"); ok && filepath.IsLocal(rel) {
			dirs = append(dirs, filepath.Join(b.spec.Dir, rel))
		}
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	uid := strconv.Itoa(b.insideUID())
	files := map[string]string{
		"passwd": "root:x:0:0:root:/root:/bin/sh\nwork:x:" + uid + ":" + uid + "::" + Home + ":/bin/sh\n", "group": "root:x:0:\nwork:x:" + uid + ":\n",
		"hosts": "127.0.0.1 localhost\n::1 localhost\n", "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n", "hostname": "box\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(b.side, "etc", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var errNotScratch = errors.New("this is no scratch folder")

// ours refuses a folder that holds more than a run's: it will be removed.
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
	for _, precious := range []string{home, wd, os.TempDir(), "/usr", "/etc", "/var", "/home", "/root"} {
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
	ln, err := net.Listen("unix", filepath.Join(b.side, "proxy"))
	if err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(b.side, "proxy"), 0o666); err != nil { // within a folder that is ours alone
		ln.Close()
		return err
	}
	b.served.Go(func() { _ = b.proxy.Serve(ln) })
	return nil
}

// Allow lets the box reach further hosts from now on. It does nothing for a box that was opened without a network.
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

func (b *Box) insideUID() int {
	if b.uid != 0 {
		return b.uid
	}
	return 1000
}

// Dir is the scratch folder outside. What is in it was made by commands: a link may lead anywhere, so read it through Files.
func (b *Box) Dir() string { return b.spec.Dir }

// Files is the scratch folder, read so that no link leads out of it.
func (b *Box) Files() (*os.Root, error) { return os.OpenRoot(b.spec.Dir) }

// Refused lists the hosts that commands asked for and were not let through to.
func (b *Box) Refused() []string {
	if b.proxy == nil {
		return nil
	}
	return b.proxy.Refused()
}

// Reached lists the hosts that commands were let through to.
func (b *Box) Reached() []string {
	if b.proxy == nil {
		return nil
	}
	return b.proxy.Reached()
}

// Limits says how each limit is kept, for the evidence of a run.
func (b *Box) Limits() []string {
	network := "network: closed"
	if b.proxy != nil {
		network = "network: named hosts through the proxy"
	}
	calls := "system calls: filtered (seccomp)"
	if b.filter == nil {
		calls = "system calls: not filtered on this processor"
	}
	byGroup, also := "", ""
	if b.groups != "" {
		byGroup, also = " (control group)", "control group, "
	}
	return []string{
		fmt.Sprintf("time: %s, then killed", b.spec.Timeout), fmt.Sprintf("output: %d bytes, then killed", b.spec.MaxOutput),
		fmt.Sprintf("disk: %d bytes, looked at ten times a second (RLIMIT_FSIZE for one file)", b.spec.MaxBytes),
		fmt.Sprintf("memory: %d bytes%s, looked at ten times a second", b.spec.MaxMemory, byGroup), fmt.Sprintf("processes: %d (%sRLIMIT_NPROC)", b.spec.MaxProcs, also), network, calls,
	}
}

// Close ends the proxy, removes the scratch folder and looks whether it is gone. It waits for a line that runs.
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

// remove takes a tree away even where a command has taken its permissions away, and looks whether it is gone.
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

// arguments are bwrap's.
func (b *Box) arguments() []string {
	args := isolation()
	if b.uid == 0 {
		args = append(args, "--uid", "1000", "--gid", "1000")
	}
	args = append(args, "--hostname", "box")
	for _, dir := range []string{"/etc", "/etc/ssl", "/home", "/run", "/run/showhow", "/var", "/var/tmp"} { // bubblewrap would make them for its own account alone
		args = append(args, "--perms", "0755", "--dir", dir)
	}
	args = append(args, "--ro-bind", "/usr", "/usr")
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if to, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", to, dir)
		} else if _, err := os.Stat(dir); err == nil {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	for _, name := range publicEtc {
		args = append(args, "--ro-bind-try", "/etc/"+name, "/etc/"+name)
	}
	for _, name := range []string{"passwd", "group", "hosts", "nsswitch.conf", "hostname"} {
		args = append(args, "--ro-bind", filepath.Join(b.side, "etc", name), "/etc/"+name)
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--size", "67108864", "--tmpfs", "/dev/shm", "--ro-bind", b.self, helperPath)
	args = append(args, "--bind", b.spec.Dir, Home, "--bind", filepath.Join(b.side, "tmp"), "/tmp")
	for _, p := range b.readOnly() {
		for _, dir := range above(p) {
			args = append(args, "--perms", "0755", "--dir", dir)
		}
		args = append(args, "--ro-bind-try", p, p)
	}
	for _, at := range slices.Sorted(maps.Keys(b.spec.Lent)) {
		if inside, err := b.place(at); err == nil && inside != Home && inside != "/tmp" {
			args = append(args, "--ro-bind", b.spec.Lent[at], inside)
		}
	}
	if b.proxy != nil {
		args = append(args, "--ro-bind", filepath.Join(b.side, "proxy"), socketPath)
	}
	if b.spec.Service != "" {
		args = append(args, "--ro-bind", b.spec.Service, servicePath)
	}
	if len(b.spec.Tools) > 0 {
		args = append(args, "--perms", "0755", "--dir", ToolDir)
		for _, name := range b.spec.Tools {
			args = append(args, "--symlink", helperPath, filepath.Join(ToolDir, filepath.Base(name)))
		}
	}
	return append(args, "--remount-ro", "/", "--chdir", "/", "--clearenv")
}

func (b *Box) readOnly() []string {
	var out []string
	for _, p := range b.spec.ReadOnly {
		if p = filepath.Clean(p); filepath.IsAbs(p) && p != "/" {
			out = append(out, p)
		}
	}
	return out
}

// above are the folders that lead to a path, outermost first.
func above(p string) []string {
	var out []string
	for dir := filepath.Dir(p); dir != "/"; dir = filepath.Dir(dir) {
		out = append([]string{dir}, out...)
	}
	return out
}

// publicEtc is what programs need of /etc and every user may read: no accounts, no keys, no name servers.
var publicEtc = strings.Fields("alternatives ssl/certs ssl/openssl.cnf ca-certificates ca-certificates.conf pki/tls/certs pki/ca-trust crypto-policies ld.so.cache ld.so.conf ld.so.conf.d localtime timezone mime.types magic fonts inputrc terminfo debian_version os-release lsb-release ImageMagick-6 ImageMagick-7 ghostscript perl python3 python3.11 python3.12 python3.13 java java-17-openjdk java-21-openjdk papersize protocols services ethertypes locale.alias locale.conf")

// variables a box begins with.
func (b *Box) variables() map[string]string {
	env := map[string]string{"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": Home, "USER": "work", "LOGNAME": "work", "SHELL": "/bin/" + b.spec.Shell, "LANG": "C.UTF-8", "TERM": "dumb", "TMPDIR": "/tmp", "PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "DEBIAN_FRONTEND": "noninteractive"}
	if len(b.spec.Tools) > 0 {
		env["PATH"] = ToolDir + ":" + env["PATH"]
	}
	if b.proxy != nil {
		for _, k := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"} {
			env[k] = "http://" + relayAddr
		}
	}
	return env
}

// ServiceSocket is where programs in the box find the service: where Showhow's own programs look for the daemon.
func (b *Box) ServiceSocket() string {
	return "/tmp/showhow-" + strconv.Itoa(b.insideUID()) + "/daemon.sock"
}

// place is a folder in the box: relative ones begin at home, "" is where the last line ended.
func (b *Box) place(dir string) (string, error) {
	switch {
	case dir == "":
		return b.cwd, nil
	case dir == "~", dir == ".":
		return Home, nil
	case strings.HasPrefix(dir, "~/"):
		dir = dir[2:]
	case filepath.IsAbs(dir):
		if dir = filepath.Clean(dir); dir == Home || dir == "/tmp" || strings.HasPrefix(dir, Home+"/") || strings.HasPrefix(dir, "/tmp/") {
			return dir, nil
		}
		return "", fault.New(fault.InvalidRequest, "the folder is not in the sandbox")
	}
	if !filepath.IsLocal(dir) || slices.Contains(strings.Split(dir, "/"), "..") {
		return "", fault.New(fault.InvalidRequest, "the folder is not in the sandbox")
	}
	return filepath.Join(Home, dir), nil
}
