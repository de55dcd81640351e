package sandbox

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// walls holds what bubblewrap needs.
type walls struct {
	bwrap  string
	filter []byte
	groups string // the control group in which each line gets its own, "" for none
}

// HomeIn is where programs in a box find the scratch folder dir.
func HomeIn(string) string { return Home }

// Program is where programs in a box find this program, if Spec.Tools has it as showhow.
func Program() string { return ToolDir + "/showhow" }

// raise finds what the box is made of.
func (b *Box) raise() (err error) {
	b.home, b.tmp = Home, "/tmp"
	if b.bwrap, err = exec.LookPath("bwrap"); err != nil {
		return Probe()
	}
	if b.filter, err = filter(); err != nil {
		return fault.Wrap(err, fault.Internal, "the sandbox's filter cannot be created")
	}
	b.groups, _ = groups()
	if os.Geteuid() == 0 {
		b.uid = 1_700_000_000 + rand.IntN(100_000_000) // an unused id: it owns nothing and counts its own processes
	}
	return nil
}

// listen is the proxy's listener.
func (b *Box) listen() (net.Listener, error) {
	ln, err := net.Listen("unix", filepath.Join(b.side, "proxy"))
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(filepath.Join(b.side, "proxy"), 0o666); err != nil { // within a folder that only we can enter
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// furnish makes the folders and the few files of /etc that name users: the box has only one.
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
		"passwd": "root:x:0:0:root:/root:/bin/sh\nwork:x:" + uid + ":" + uid + "::" + Home + ":/bin/sh\n",
		"group":  "root:x:0:\nwork:x:" + uid + ":\n",
		"hosts":  "127.0.0.1 localhost\n::1 localhost\n", "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n", "hostname": "box\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(b.side, "etc", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (b *Box) insideUID() int {
	if b.uid != 0 {
		return b.uid
	}
	return 1000
}

// Limits describes how each limit is enforced, for the evidence of a run.
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
		fmt.Sprintf("memory: %d bytes%s, looked at ten times a second", b.spec.MaxMemory, byGroup), fmt.Sprintf("processes: %d (%sRLIMIT_NPROC)",
			b.spec.MaxProcs, also), network, calls,
	}
}

// Bounds returns the limits as fields.
func (b *Box) Bounds() []wire.SandboxBound { return boundsOf(b.spec, b.proxy != nil, b.filter != nil) }

// arguments are the arguments of bwrap.
func (b *Box) arguments() []string {
	args := isolation()
	if b.uid == 0 {
		args = append(args, "--uid", "1000", "--gid", "1000")
	}
	args = append(args, "--hostname", "box")
	// bubblewrap would create these for its own account only.
	for _, dir := range []string{"/etc", "/etc/ssl", "/home", "/run", "/run/showhow", "/var", "/var/tmp"} {
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
	for _, p := range b.writable() {
		for _, dir := range above(p) {
			args = append(args, "--perms", "0755", "--dir", dir)
		}
		args = append(args, "--bind", p, p)
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

// above lists the folders above a path, outermost first.
func above(p string) []string {
	var out []string
	for dir := filepath.Dir(p); dir != "/"; dir = filepath.Dir(dir) {
		out = append([]string{dir}, out...)
	}
	return out
}

// publicEtc is what programs need of /etc and every user may read: no accounts, no keys, no name servers.
var publicEtc = strings.Fields("alternatives ssl/certs ssl/openssl.cnf ca-certificates ca-certificates.conf pki/tls/certs pki/ca-trust " +
	"crypto-policies ld.so.cache ld.so.conf ld.so.conf.d localtime timezone mime.types magic fonts inputrc terminfo debian_version " +
	"os-release lsb-release ImageMagick-6 ImageMagick-7 ghostscript perl python3 python3.11 python3.12 python3.13 java java-17-openjdk " +
	"java-21-openjdk papersize protocols services ethertypes locale.alias locale.conf")

// variables are the environment of a new box.
func (b *Box) variables() map[string]string {
	env := map[string]string{"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", "HOME": Home, "USER": "work",
		"LOGNAME": "work", "SHELL": "/bin/" + b.spec.Shell, "LANG": "C.UTF-8", "TERM": "dumb", "TMPDIR": "/tmp", "PAGER": "cat",
		"GIT_TERMINAL_PROMPT": "0", "DEBIAN_FRONTEND": "noninteractive"}
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
