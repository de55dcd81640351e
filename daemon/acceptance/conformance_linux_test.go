//go:build !race

package acceptance_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/await"
)

// judge is a program from npm, run with the Node that stands beside it.
func judge(t *testing.T, script string) []string {
	t.Helper()
	modules := judges(t)
	at := filepath.Join(modules, filepath.FromSlash(script))
	if _, err := os.Stat(at); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the judges from npm are missing: build/setup.sh test")
		}
		t.Skip("the judges from npm are missing: build/setup.sh test")
	}
	return []string{filepath.Join(modules, "node", "bin", "node"), at}
}

// conformanceProgram is built once.
var conformanceProgram = sync.OnceValues(func() (string, error) {
	const source = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"
	out, err := exec.Command("go", "build", "-o", conformanceAt, source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return conformanceAt, nil
})

// conformanceServer is the SDK's own server for the conformance suite, which nobody here wrote.
func conformanceServer(t *testing.T, stateless bool) string {
	t.Helper()
	exe, err := conformanceProgram()
	must(t, err)
	at := freeAddress(t)
	c := exec.CommandContext(t.Context(), exe, "-http="+at, fmt.Sprintf("-stateless=%v", stateless))
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

// fixture connects that server, and lets all of its tools be called. The one called old keeps sessions.
func (w *world) fixture(name string) {
	w.t.Helper()
	got(w.c.RegisterConnector(w.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name,
		EndpointURL: conformanceServer(w.t, name != "old"), Transport: "remote_http"}))(w.t)
	got(w.c.SetConnectorPolicy(w.t.Context(), client.ConnectorTarget{TargetKind: "server", ServerID: name}, "enabled"))(w.t)
	got(w.c.PatchConnector(w.t.Context(), name, client.ConnectorPatch{AllowSampling: new(true),
		AllowElicitation: new(true), AllowRoots: new(true)}))(w.t)
}

// overTCP is the daemon's door at an address: the judges know no sockets. It adds the agent's token and nothing else.
func (w *world) overTCP(agent, path string) string {
	w.t.Helper()
	token := got(w.c.AddAgent(w.t.Context(), agent))(w.t).Token
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", w.o.Roots.Socket())
	}
	p := &httputil.ReverseProxy{FlushInterval: -1, Transport: &http.Transport{DialContext: dial},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.Path = "http", "socket", path
			r.Out.Host = r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+token)
		}}
	ts := httptest.NewServer(p)
	w.t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	return ts.URL + "/mcp"
}

// judged runs the suite's scenarios that a revision of the protocol requires. Expected failures, with reasons, are in
// testdata/conformance-WHAT-REVISION.yml: they must fail, and nothing else may.
func judged(t *testing.T, what, revision string, args ...string) {
	t.Helper()
	cmd := judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	expected, err := filepath.Abs(filepath.Join("testdata", "conformance-"+what+"-"+revision+".yml"))
	must(t, err)
	args = append([]string{cmd[1], what, "--requirements", revision, "--timeout", "10000", "--expected-failures", expected}, args...)
	c := exec.CommandContext(t.Context(), cmd[0], args...)
	c.Dir = t.TempDir()
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The door passes the server suite, with a service behind it that nobody here wrote.
func TestConformance_Server(t *testing.T) {
	t.Parallel()
	judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	w := begin(t)
	for name, revision := range map[string]string{"old": "2025-11-25", "new": "2026-07-28"} {
		w.fixture(name)
		url := w.overTCP("judge-"+name, "/mcp/"+name)
		t.Run(revision, func(t *testing.T) { judged(t, "server", revision, "--url", url) })
	}
}

// The suite's scenarios of SEP-2640 pass with an installed skill; they are an extension, which the suite does not score.
func TestConformance_Skills(t *testing.T) {
	t.Parallel()
	cmd := judge(t, "@modelcontextprotocol/conformance/dist/index.js")
	w := begin(t)
	w.installed()
	url := w.overTCP("judge", "/mcp")
	for _, scenario := range []string{"enumeration", "manifest", "directory"} {
		c := exec.CommandContext(t.Context(), cmd[0], cmd[1], "server", "--url", url, "--scenario", "sep-2640-skills-"+scenario,
			"--spec-version", "2026-07-28", "--force", "--timeout", "10000")
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		if err != nil || strings.Contains(string(out), "SKIPPED") {
			t.Errorf("%s: %v\n%s", scenario, err, out)
		}
	}
}

// The inspector's command line lists, calls and reads through the door.
func TestConformance_Inspector(t *testing.T) {
	t.Parallel()
	cmd := judge(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
	w := begin(t)
	a, _ := w.installed()
	w.fixture("fixture")
	url := w.overTCP("inspector", "/mcp")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--method", "tools/list"}, `"fixture__test_simple_text"`},
		{[]string{"--method", "tools/call", "--tool-name", "skill_availability"}, `"usable_now": true`},
		{[]string{"--method", "resources/read", "--uri", "skill://" + a.SkillSlug + "/SKILL.md"}, "name: " + a.SkillSlug},
		{[]string{"--method", "prompts/list"}, `"` + a.SkillSlug + `"`},
		{[]string{"--method", "tools/call", "--tool-name", "fixture__test_simple_text"}, "This is a simple text response"},
		{[]string{"--method", "resources/read", "--uri", "showhow://fixture/" + "test:%2F%2Fstatic-text"}, "static text resource"},
	} {
		c := exec.CommandContext(t.Context(), cmd[0], append([]string{cmd[1], "--cli", url, "--transport", "http"}, tt.args...)...)
		c.Env = append(os.Environ(), "HOME="+t.TempDir())
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%v: %v\n%s", tt.args, err, out)
		}
	}
}
