//go:build !race

package acceptance_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client that nobody here wrote goes all the way by itself: it is refused, discovers, registers, asks with PKCE, waits
// for the person, lists the tools, and refreshes.
func TestTheTypeScriptClientComesFromElsewhere(t *testing.T) {
	t.Parallel()
	modules := judges(t)
	if _, err := os.Stat(filepath.Join(modules, "@modelcontextprotocol", "sdk")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the clients from npm are missing: build/setup.sh test")
		}
		t.Skip("the clients from npm are missing: build/setup.sh test")
	}
	w := begin(t)
	w.owns()
	base := w.remoteOn().URL
	for at, tool := range map[string]string{"/mcp": "lookup_skills", "/contract": "showhow_read"} {
		cmd := exec.CommandContext(t.Context(), "node", "testdata/remote.mjs", modules, base+at)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		said := map[string]string{}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			what, rest, _ := strings.Cut(lines.Text(), " ")
			said[what] = rest
			if what == "code" {
				w.letIn(rest)
			}
		}
		if err := cmd.Wait(); err != nil || !strings.Contains(said["tools"], tool) || !strings.HasSuffix(said["again"], " true") {
			t.Errorf("%s: %v %v", at, said, err)
		}
	}
	if st := got(w.c.Remote(t.Context()))(t); len(st.Callers) != 2 || st.Callers[0].ClientName != "TypeScript" {
		t.Errorf("%+v", st.Callers)
	}
}

// Connected services are a scope of their own: without it a caller neither sees their tools nor can call them, by name or
// through call_tool.
func TestConnectedServicesAreAScopeOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.service("mail", "search_mail")
	base := w.remoteOn().URL
	_, without := w.oauthClient(base, "showhow.mcp")
	_, with := w.oauthClient(base, "showhow.mcp", "showhow.connectors")
	const tool = "mail__search_mail"
	s := w.from(base+"/mcp", without.AccessToken)
	if names := toolsOf(t, s); slices.Contains(names, tool) || len(names) == 0 {
		t.Errorf("%v", names)
	}
	for _, p := range []*mcp.CallToolParams{{Name: tool, Arguments: map[string]any{}},
		{Name: "call_tool", Arguments: map[string]any{"name": tool, "arguments": map[string]any{}}}} {
		if r, err := s.CallTool(t.Context(), p); err == nil && !r.IsError {
			t.Errorf("%s: %+v", p.Name, r)
		}
	}
	s = w.from(base+"/mcp", with.AccessToken)
	if names := toolsOf(t, s); !slices.Contains(names, tool) {
		t.Errorf("%v", names)
	}
	if r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}}); err != nil || r.IsError {
		t.Errorf("%+v %v", r, err)
	}
}
