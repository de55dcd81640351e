package sandbox

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const canary = "canary-7f3a9c"

// secret is a file of the person's that a command must never reach.
func secret(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "private.txt")
	if err := os.WriteFile(name, []byte(canary), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(name); dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		_ = os.Chmod(dir, 0o755) // so that permissions alone do not keep it
	}
	return name
}

func TestThePersonsFilesAreNotThere(t *testing.T) {
	private := secret(t)
	home, _ := os.UserHomeDir()
	b := open(t, Spec{})
	for _, line := range []string{
		"cat " + private, "ln -s " + private + " link; cat link", "cat /proc/self/root" + private, "cat /proc/1/root" + private,
		"cat /proc/$PPID/root" + private, "cat /proc/*/root" + private,
		"cat /proc/*/cwd/../../.." + private, "cd /proc/1/cwd && cat ../../.." + private, "cat /../../../.." + private,
		"cp -r " + filepath.Dir(private) + " .", "tar cf - " + private,
		"cat /proc/1/environ | tr '\\0' '\\n' | grep " + canary, "cat /proc/*/environ /proc/*/cmdline", "find / -name private.txt -exec cat {} +",
		"ls -la " + home + " && cat " + home + "/*",
		"exec 9<&-; for fd in /proc/*/fd/*; do readlink $fd; cat $fd/" + private + "; done",
	} {
		t.Setenv("SECRET_OF_THE_DAEMON", canary)
		res := run(t, b, line+" 2>&1; true")
		if strings.Contains(string(res.Stdout), canary) {
			t.Errorf("%s\n\tread it: %s", line, res.Stdout)
		}
		if len(res.Stdout) > 0 && strings.HasPrefix(line, "ls") && !strings.Contains(string(res.Stdout), "cannot access") {
			t.Errorf("home is there: %s", res.Stdout)
		}
	}
	got := says(t, b, "cat /etc/shadow 2>&1; ls /root /var/lib /srv /mnt /sys /run/user 2>&1 | "+
		"grep -v 'cannot access' | grep -v '^$'; env; true")
	if strings.Contains(got, "root:") || strings.Contains(got, canary) {
		t.Error(got)
	}
}

func TestNothingOutsideIsWritten(t *testing.T) {
	target := filepath.Join(t.TempDir(), "victim.txt")
	if err := os.WriteFile(target, []byte("as it was"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := open(t, Spec{ReadOnly: []string{filepath.Dir(target)}})
	for _, line := range []string{
		"echo hit > " + target, "ln -s " + target + " l; echo hit > l", "ln " + target + " hard; echo hit > hard", "rm " + target,
		"mv " + target + " .", "chmod 000 " + target, "mount -o remount,rw " + filepath.Dir(target), "umount " + filepath.Dir(target),
		"touch /usr/bin/evil /etc/evil /evil /run/evil /var/evil /home/evil /run/showhow/evil", "echo hit > /proc/sys/kernel/core_pattern",
		"echo hit > /proc/self/oom_score_adj_; echo 1 > /proc/sysrq-trigger", "dd if=/dev/zero of=/dev/mem count=1",
		"mknod d b 8 0 && dd if=/dev/zero of=d count=1", "echo hit > /run/showhow/box", "chmod u+s /usr/bin/env",
		"cp /usr/bin/env e && chmod u+s e && ./e id -u | grep '^0$' && echo hit",
	} {
		res := run(t, b, "("+line+") 2>/dev/null")
		if strings.Contains(string(res.Stdout), "hit") {
			t.Errorf("%s: %s", line, res.Stdout)
		}
		if raw, err := os.ReadFile(target); err != nil || string(raw) != "as it was" {
			t.Fatalf("%s changed it: %q %v", line, raw, err)
		}
	}
	if got := says(t, b, "ls -d /usr/bin/evil /etc/evil /evil /run/evil /var/evil /home/evil 2>/dev/null; true"); got != "" {
		t.Error(got)
	}
	if got := says(t, b, "cat "+target); got != "as it was" {
		t.Errorf("what may be read is not: %q", got)
	}
}

// A link that a command leaves in the scratch folder leads nowhere for those who read the folder through Files.
func TestALinkDoesNotLeadOut(t *testing.T) {
	private := secret(t)
	b := open(t, Spec{})
	says(t, b, "ln -s "+private+" report.csv; mkdir d; ln -s / d/root; echo fine > plain")
	root, err := b.Files()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"report.csv", "d/root/etc/passwd"} {
		if f, err := root.Open(name); err == nil {
			f.Close()
			t.Errorf("%s leads out", name)
		}
	}
	if raw, err := root.ReadFile("plain"); err != nil || string(raw) != "fine\n" {
		t.Errorf("%q %v", raw, err)
	}
}

func TestNoRights(t *testing.T) {
	b := open(t, Spec{})
	status := says(t, b, "grep -E '^(Cap(Prm|Eff|Inh|Amb)|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\n' ' '")
	for _, want := range []string{"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
		"CapAmb:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"} {
		if !strings.Contains(status, want) {
			t.Errorf("%s is missing in %s", want, status)
		}
	}
	for _, line := range []string{
		"unshare -U id", "unshare -r id", "mount -t tmpfs x /tmp", "chroot . /bin/true", "setpriv --reuid 0 true", "strace -f true", "dmesg",
		"hostname evil", "nsenter -t 1 -m true", "su -c true", "sudo -n true",
	} {
		if res := run(t, b, line+" >/dev/null 2>&1"); res.ExitCode == 0 {
			t.Errorf("%s is possible", line)
		}
	}
	if got := says(t, b, "ls -d /proc/[0-9]* | wc -l"); len(got) > 1 {
		t.Errorf("%s processes are seen", got)
	}
	if got := says(t, b,
		"ps ax 2>/dev/null | grep -c go-test-runner; test -t 0 && echo tty; tty; cat /proc/self/stat | cut -d' ' -f7"); !strings.Contains(got,
		"not a tty") || !strings.HasSuffix(got, "0") {
		t.Errorf("a terminal is there: %q", got)
	}
}

// What only a program of its own can try: the system calls behind ptrace, io_uring, TIOCSTI, keyrings, raw sockets.
func TestDeniedCalls(t *testing.T) {
	b := open(t, Spec{})
	if run(t, b, "python3 -c 1").ExitCode != 0 {
		t.Skip("the calls are tried in python3")
	}
	script := `
import ctypes, os, socket, fcntl, platform
libc = ctypes.CDLL(None, use_errno=True)
arm = platform.machine() == "aarch64"
numbers = {"ptrace": (101, 117), "io_uring_setup": (425, 425), "keyctl": (250, 219), "bpf": (321, 280), "userfaultfd": (323, 282), ` +
		`"perf_event_open": (298, 241), "unshare": (272, 97), "mount": (165, 40), "process_vm_readv": (310, 270), "setns": (308, 268), ` +
		`"open_by_handle_at": (304, 265)}
for name, n in numbers.items():
    ctypes.set_errno(0)
    r = libc.syscall(n[1 if arm else 0], 0x10000000 if name == "unshare" else 0, 0, 0, 0, 0, 0)
    if r != -1 or ctypes.get_errno() != 1: print("possible:", name, r, ctypes.get_errno())
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (40, socket.SOCK_STREAM), (socket.AF_ALG, ` +
		`socket.SOCK_SEQPACKET)):
    try:
        socket.socket(family, kind, 1 if kind == socket.SOCK_RAW else 0); print("possible: socket", family, kind)
    except OSError: pass
m, s = os.openpty()
try:
    fcntl.ioctl(s, 0x5412, b"x"); print("possible: TIOCSTI")
except OSError as e:
    if e.errno != 1: print("TIOCSTI by chance", e)
print("done")
`
	if err := os.WriteFile(filepath.Join(b.Dir(), "try.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := says(t, b, "python3 try.py"); got != "done" {
		t.Error(got)
	}
}

// The daemon's socket and other programs' are out of reach, by path and by abstract name.
func TestSocketsAreOutOfReach(t *testing.T) {
	var hits atomic.Int32
	abstract, err := net.Listen("unix", "@showhow-test-"+canary)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	file, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{}, 3)
	for _, ln := range []net.Listener{abstract, file, tcp} {
		t.Cleanup(func() { ln.Close(); <-done })
		go func() {
			defer func() { done <- struct{}{} }()
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				hits.Add(1)
				c.Close()
			}
		}()
	}
	b := open(t, Spec{})
	_, port, _ := net.SplitHostPort(tcp.Addr().String())
	for _, line := range []string{
		"curl -s -m 3 --unix-socket " + path + " http://x/", "curl -s -m 3 --abstract-unix-socket showhow-test-" + canary + " http://x/",
		"echo x > /dev/tcp/127.0.0.1/" + port, "curl -s -m 3 http://127.0.0.1:" + port,
		"python3 -c \"import socket; socket.create_connection(('127.0.0.1'," + port + "), 3)\"",
		"python3 -c \"import socket; socket.create_connection(('1.1.1.1',53), 3)\"", "getent hosts example.com",
		"python3 -c \"import socket; socket.getaddrinfo('example.com', 80)\"",
	} {
		if res := run(t, b, line+" 2>/dev/null"); res.ExitCode == 0 {
			t.Errorf("%s is possible", line)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections came out of the box", n)
	}
}

func TestNamedHostsAreReached(t *testing.T) {
	var forbidden atomic.Int32
	named := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("hello " + r.Method)) }))
	defer named.Close()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { forbidden.Add(1) }))
	defer other.Close()
	host := strings.TrimPrefix(named.URL, "http://")
	b := open(t, Spec{Hosts: []string{host}})
	if run(t, b, "curl --version").ExitCode != 0 {
		t.Skip("curl is not installed")
	}
	if got := says(t, b, "curl -s "+named.URL+"/x; echo; curl -s -p -X POST "+named.URL+"/x"); got != "hello GET\nhello POST" {
		t.Errorf("%q", got)
	}
	for _, line := range []string{
		"curl -s -f -m 5 " + other.URL, "curl -s -f -m 5 -p " + other.URL, "curl -s -f -m 5 --noproxy '*' " + other.URL,
		"curl -s -f -m 5 --noproxy '*' " + named.URL, "curl -s -f -m 5 https://example.com/",
		"curl -s -f -m 5 http://localhost:" + strings.Split(host, ":")[1],
		"curl -s -f -m 5 -H 'Host: elsewhere.example' -x '' " + named.URL,
		"curl -s -f -m 5 --unix-socket /run/showhow/proxy http://elsewhere.example/",
	} {
		if res := run(t, b, line); res.ExitCode == 0 {
			t.Errorf("%s is possible: %s", line, res.Stdout)
		}
	}
	if forbidden.Load() != 0 {
		t.Error("a host that nobody named was reached")
	}
	refused := strings.Join(b.Refused(), " ")
	if !strings.Contains(refused, "example.com:443") || strings.Contains(refused, host) {
		t.Error(refused)
	}
	if got := says(t, b, "getent hosts example.com || echo none"); got != "none" {
		t.Errorf("names are resolved: %s", got)
	}
}
