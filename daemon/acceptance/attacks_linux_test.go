package acceptance_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
)

// Ways in which an agent tries to escape from its sandbox, one test each. The system calls that need a program of
// their own are tested in daemon/sandbox.
func TestEscapes(t *testing.T) {
	l := newLab(t)
	const canary = "canary-of-the-home"
	private := filepath.Join(l.o.Roots.Home, "private.txt")
	must(t, os.WriteFile(private, []byte(canary), 0o644))
	must(t, os.Chmod(private, 0o644))
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	reached := make(chan struct{}, 16)
	done := make(chan struct{})
	t.Cleanup(func() { tcp.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			c.Close()
			reached <- struct{}{}
		}
	}()
	port := tcp.Addr().(*net.TCPAddr).Port
	ours := os.Getpid()
	for _, c := range []struct{ name, lines string }{
		{"read a home file",
			fmt.Sprintf("cat %[1]s; ln -s %[1]s l; cat l; cat /proc/*/root%[1]s; cat /proc/*/cwd/../..%[1]s; cp -r %[2]s .; cat */private.txt",
				private, l.o.Roots.Home)},
		{"read Showhow's own", fmt.Sprintf("cat %s/*.db | head -c 100; ls %s/keys && echo ESCAPED", l.o.Roots.Data, l.o.Roots.Data)},
		{"write outside", fmt.Sprintf("for f in %s/evil /usr/evil /etc/evil /run/showhow/evil /run/showhow/bin/evil %s; do echo x > $f && "+
			"echo ESCAPED $f; done; rm %s && echo ESCAPED", l.o.Roots.Home, private, private)},
		{"reach loopback", fmt.Sprintf("curl -sf -m 5 http://127.0.0.1:%[1]d && echo ESCAPED; curl -sf -m 5 --noproxy '*' "+
			"http://127.0.0.1:%[1]d && echo ESCAPED; curl -sf -m 5 http://localhost:%[1]d && echo ESCAPED; curl -sf -m 5 http://[::1]:%[1]d && "+
			"echo ESCAPED; (echo > /dev/tcp/127.0.0.1/%[1]d) && echo ESCAPED", port)},
		{"the daemon's socket", fmt.Sprintf("curl -sf -m 5 --unix-socket %s http://showhow/api/version && echo ESCAPED; curl -sf -m 5 "+
			"--unix-socket $SHOWHOW_ASK_SOCKET http://showhow/api/status && echo ESCAPED; curl -sf -m 5 -X POST --unix-socket "+
			"$SHOWHOW_ASK_SOCKET http://showhow/api/agent-runs -d '{\"command\":[\"true\"]}' && echo ESCAPED; showhow hook generic --agent x < "+
			"/dev/null", l.o.Roots.Socket())},
		{"another host", "curl -sf -m 5 http://example.com && echo ESCAPED; curl -sf -m 5 https://example.com && echo ESCAPED; curl -sf -m 5 " +
			"--noproxy '*' http://93.184.215.14 && echo ESCAPED; curl -sf -m 5 -H 'Host: example.com' http://named.test && echo ESCAPED"},
		{"a DNS name", "getent hosts example.com && echo ESCAPED; python3 -c 'import socket; socket.getaddrinfo(\"example.com\", 80); " +
			"print(\"ESCAPED\")'; python3 -c 'import socket; s=socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b\"x\", (\"1.1.1.1\", " +
			"53)); print(\"ESCAPED\")'"},
		{"a raw socket", "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print(\"ESCAPED\")'; python3 -c " +
			"'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0); print(\"ESCAPED\")'"},
		{"trace a host process", fmt.Sprintf("kill -0 %[1]d && echo ESCAPED; ls /proc/%[1]d && echo ESCAPED; python3 -c 'import ctypes; "+
			"l=ctypes.CDLL(None); print(\"ESCAPED\" if l.ptrace(16, %[1]d, 0, 0) == 0 else \"\")'; python3 -c 'import ctypes; "+
			"l=ctypes.CDLL(None); print(\"ESCAPED\" if l.ptrace(16, 1, 0, 0) == 0 else \"\")'", ours)},
		{"become more", "unshare -Ur true && echo ESCAPED; su -c true && echo ESCAPED; sudo -n true && echo ESCAPED; mount -t tmpfs x /tmp && " +
			"echo ESCAPED; setpriv --reuid 0 true && echo ESCAPED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, text := l.attempt("("+c.lines+") 2>/dev/null\ntrue\n", client.SandboxRunRequest{Limits: client.SandboxRunLimits{Seconds: 120}})
			if run.State != "succeeded" || strings.Contains(text, "ESCAPED") || strings.Contains(text, canary) {
				t.Errorf("%s %s: %s", run.State, run.Reason, text)
			}
		})
	}
	if len(reached) > 0 {
		t.Error("a service of this machine was reached")
	}
	if raw, err := os.ReadFile(private); err != nil || string(raw) != canary {
		t.Errorf("%s %v", raw, err)
	}
}
