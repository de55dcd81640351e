package acceptance_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/await"
)

// judge is a program from npm, run with the Node that stands beside it.
func judge(t *testing.T, script string) []string {
	t.Helper()
	modules, err := filepath.Abs("../../build/judges/node_modules")
	must(t, err)
	at := filepath.Join(modules, filepath.FromSlash(script))
	if _, err := os.Stat(at); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the judges from npm are missing: build/setup.sh test")
		}
		t.Skip("the judges from npm are missing: build/setup.sh test")
	}
	return []string{filepath.Join(modules, "node", "bin", "node"), at}
}

// conformanceServer is the SDK's own server for the conformance suite, which nobody here wrote.
func conformanceServer(t *testing.T, stateless bool) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "everything")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", exe, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	at := l.Addr().String()
	must(t, l.Close())
	flag := "-stateless=false"
	if stateless {
		flag = "-stateless=true"
	}
	c := exec.CommandContext(t.Context(), exe, "-http="+at, flag)
	must(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	await.Until(t, "the fixture", func() bool {
		c, err := net.Dial("tcp", at)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return "http://" + at + "/mcp"
}

// overTCP is the daemon's door at an address: the judges know no sockets. It adds the agent's token and nothing else.
func (w *world) overTCP(agent, path string) string {
	w.t.Helper()
	token := got(w.c.AddAgent(w.t.Context(), agent))(w.t).Token
	p := &httputil.ReverseProxy{FlushInterval: -1, Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", w.o.Roots.Socket())
	}},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.Path = "http", "socket", path
			r.Out.Host = r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+token)
		}}
	ts := httptest.NewServer(p)
	w.t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	return ts.URL + "/mcp"
}

func TestConformanceServer(t *testing.T) {
	cmd := judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	w := begin(t)
	got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Fixture", EndpointURL: conformanceServer(t,
		os.Getenv("STATELESS") != ""), Transport: "remote_http"}))(t)
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "server", ServerID: "fixture"}, "enabled"))(t)
	url := w.overTCP("judge", "/mcp/fixture")
	args := append(cmd[1:], "server", "--url", url, "--timeout", "4000")
	args = append(args, strings.Fields(os.Getenv("ARGS"))...)
	out, err := exec.CommandContext(t.Context(), cmd[0], args...).CombinedOutput()
	t.Logf("%v\n%s", err, out)
}
