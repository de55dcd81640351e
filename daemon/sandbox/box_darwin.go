package sandbox

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// walls holds what Seatbelt needs.
type walls struct {
	profile string // its file
	port    int    // of the proxy
}

// HomeIn is where programs in a box find the scratch folder dir: nothing is mounted elsewhere.
func HomeIn(dir string) string {
	if at, err := filepath.EvalSymlinks(dir); err == nil {
		return at
	}
	return dir
}

// Program is where programs in a box find this program.
func Program() string {
	self, _ := os.Executable()
	return HomeIn(self)
}

func (b *Box) raise() error {
	if err := Probe(); err != nil {
		return err
	}
	b.self = HomeIn(b.self)
	return nil
}

// furnish makes the folders. The box's own are placed where a socket's path stays short enough.
func (b *Box) furnish() (err error) {
	if b.side, err = os.MkdirTemp("/private/tmp", "showhow-box-"); err != nil {
		return err
	}
	if b.spec.Dir == "" {
		b.spec.Dir = filepath.Join(b.side, "home")
	}
	if err := b.ours(); err != nil {
		return err
	}
	b.tmp = filepath.Join(b.side, "tmp")
	for _, dir := range []string{b.spec.Dir, b.tmp, b.bin()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if b.spec.Dir, err = filepath.EvalSymlinks(b.spec.Dir); err != nil {
		return err
	}
	if err := b.ours(); err != nil {
		return err
	}
	b.home, b.profile = b.spec.Dir, filepath.Join(b.side, "profile")
	for _, name := range append([]string{helperName}, b.spec.Tools...) {
		if err := os.Symlink(b.self, filepath.Join(b.bin(), filepath.Base(name))); err != nil {
			return err
		}
	}
	if b.spec.Service != "" {
		if err := os.Mkdir(filepath.Dir(b.ServiceSocket()), 0o700); err != nil {
			return err
		}
		if err := os.Symlink(b.spec.Service, b.ServiceSocket()); err != nil {
			return err
		}
	}
	return b.lend()
}

// lend makes symlinks to what is lent: nothing can be mounted into the folder.
func (b *Box) lend() error {
	root, err := b.Files()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, at := range slices.Sorted(maps.Keys(b.spec.Lent)) {
		rel, ok := strings.CutPrefix(at, b.home+"/")
		if !ok || !filepath.IsLocal(rel) {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(rel), 0o700); err != nil {
			return err
		}
		if err := root.Symlink(b.spec.Lent[at], rel); err != nil {
			return err
		}
	}
	return nil
}

func (b *Box) bin() string { return filepath.Join(b.side, "bin") }

// listen is the proxy's listener: a port that the profile allows.
func (b *Box) listen() (net.Listener, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		b.port = ln.Addr().(*net.TCPAddr).Port
	}
	return ln, err
}

// write writes the profile for sandbox-exec.
func (b *Box) write() error {
	s := seatbelt{write: []string{b.home, b.tmp}, read: []string{b.bin(), b.self}, port: b.port}
	for _, p := range slices.Concat(b.readOnly(), slices.Collect(maps.Values(b.spec.Lent))) {
		s.read = append(s.read, filepath.Clean(p), HomeIn(p)) // a link, and where it leads
	}
	for _, p := range b.writable() {
		s.write = append(s.write, HomeIn(p))
	}
	slices.Sort(s.read)
	s.read = slices.Compact(s.read)
	if b.spec.Service != "" {
		s.sockets = []string{HomeIn(b.spec.Service)}
	}
	text, err := s.profile()
	if err != nil {
		return err
	}
	return os.WriteFile(b.profile, []byte(text), 0o600)
}

// Limits describes how each limit is enforced, for the evidence of a run, and what is not.
func (b *Box) Limits() []string {
	network := "network: closed"
	if b.proxy != nil {
		network = "network: named hosts through the proxy"
	}
	return []string{
		"walls: sandbox-exec; " + Untried,
		fmt.Sprintf("time: %s, then killed", b.spec.Timeout), fmt.Sprintf("output: %d bytes, then killed", b.spec.MaxOutput),
		fmt.Sprintf("disk: %d bytes, looked at ten times a second (RLIMIT_FSIZE for one file)", b.spec.MaxBytes),
		fmt.Sprintf("memory: %d bytes, looked at once a second", b.spec.MaxMemory),
		fmt.Sprintf("processes: %d more than the account had when the command began (RLIMIT_NPROC)", b.spec.MaxProcs), network,
		"system calls: not filtered on macOS",
		"end: no process namespace on macOS; a program that left its group before it was seen is not ended, and keeps the walls",
	}
}

// Bounds returns the limits as fields.
func (b *Box) Bounds() []wire.SandboxBound { return boundsOf(b.spec, b.proxy != nil, false) }

// variables are the environment of a new box.
func (b *Box) variables() map[string]string {
	env := map[string]string{"PATH": b.bin() + ":/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": b.home, "USER": "work",
		"LOGNAME": "work", "SHELL": "/bin/" + b.spec.Shell, "LANG": "en_US.UTF-8", "TERM": "dumb", "TMPDIR": b.tmp, "PAGER": "cat",
		"GIT_TERMINAL_PROMPT": "0"}
	if b.proxy != nil {
		for _, k := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"} {
			env[k] = "http://127.0.0.1:" + strconv.Itoa(b.port)
		}
	}
	return env
}

// ServiceSocket is where programs in the box find the service: where Showhow's own programs look for the daemon.
func (b *Box) ServiceSocket() string {
	return filepath.Join(b.tmp, "showhow-"+strconv.Itoa(os.Getuid()), "daemon.sock")
}

// LimitsBy says what enforces the limits of memory and processes here.
func LimitsBy() (cgroup bool, why string) { return false, "macOS has no control groups" }

var errLinesOnly = fault.New(fault.UnsupportedInBuild,
	"a program that a command is to leave running cannot be watched for on macOS").WithHint("rehearse on Linux")
