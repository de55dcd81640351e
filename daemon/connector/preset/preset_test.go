package preset_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/connector/preset"
	"showhow/daemon/wire"
	"showhow/internal/mcpconfig"
)

// Every preset can be registered as it stands, and says nothing that the code does not know.
func TestData(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, p := range preset.All() {
		if seen[p.PresetID] || p.PresetID < last || connector.ServerID(p.PresetID, func(string) bool { return false }) != p.PresetID {
			t.Errorf("%s: a duplicate, out of order, or no name of a connector", p.PresetID)
		}
		seen[p.PresetID], last = true, p.PresetID
		if p.Title == "" || p.About == "" || p.DataClasses == nil || (p.EndpointURL == "") == (len(p.Command) == 0) {
			t.Errorf("%s: incomplete", p.PresetID)
		}
		if p.EndpointURL != "" {
			if _, err := link.Address(p.EndpointURL); err != nil {
				t.Errorf("%s: %v", p.PresetID, err)
			}
		} else if _, err := mcpconfig.PackageOf(p.Command); err != nil {
			t.Errorf("%s: %v", p.PresetID, err)
		}
		if !slices.Contains([]string{"none", "oauth", "key"}, p.SignIn) || (p.SignIn == "key") != (p.KeyHint != "") {
			t.Errorf("%s: sign-in %q", p.PresetID, p.SignIn)
		}
		for tool, class := range p.Tools {
			if !slices.Contains([]connector.Class{connector.Read, connector.Write, connector.Send, connector.Delete}, class) {
				t.Errorf("%s: %s is %q", p.PresetID, tool, class)
			}
		}
	}
	if got := preset.List(); len(got.Presets) != len(seen) {
		t.Error("the list is another")
	}
}

func define(t *testing.T, name, annotations string) connector.Definition {
	t.Helper()
	d, err := connector.Define(json.RawMessage(`{"name":"` + name + `","inputSchema":{"type":"object"}` + annotations + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What is known of a tool counts where its service is, and only there; a service that warns of its own tool is believed.
func TestClassify(t *testing.T) {
	tools := func() []connector.Definition {
		return []connector.Definition{define(t, "resolve-library-id", ""), define(t, "query-docs", `,"annotations":{"readOnlyHint":false}`),
			define(t, "get-library-docs", `,"annotations":{"destructiveHint":true,"readOnlyHint":false}`), define(t, "unheard-of", "")}
	}
	classes := func(e connector.Entry) (out []string) {
		for _, d := range preset.Classify(e, tools()) {
			out = append(out, string(d.Class))
		}
		return out
	}
	at := connector.Entry{Transport: "remote_http", EndpointURL: "https://mcp.context7.com/mcp"}
	if got := strings.Join(classes(at), " "); got != "read other other other" {
		t.Errorf("at its address: %s", got)
	}
	for _, elsewhere := range []string{"https://mcp.context7.com.example/mcp", "https://mcp.context7.com/mcp?x", "http://127.0.0.1/mcp"} {
		at.EndpointURL = elsewhere
		if got := classes(at); got[0] == "read" {
			t.Errorf("%s has the name of another service's tool: %v", elsewhere, got)
		}
	}
	git := connector.Entry{Transport: "local_bridge", LocalBridge: &wire.MCPLocalBridge{Command: []string{"python3"},
		Package: &wire.MCPLocalPackage{Kind: mcpconfig.PyPI, Name: "mcp-server-git"}}}
	if p, ok := preset.Of(git); !ok || p.PresetID != "git" {
		t.Errorf("%+v", p)
	}
	git.LocalBridge.Package.Kind = mcpconfig.NPM
	if _, ok := preset.Of(git); ok {
		t.Error("a package of another registry with the same name is taken for it")
	}
	if got := preset.Classify(git, tools()); got[0].Class == connector.Read {
		t.Error("what has no preset is changed")
	}
}

// Of a tool of which its own service says that it destroys something, the stricter judgement holds.
func TestClassifyWhatDestroys(t *testing.T) {
	tried := 0
	for _, p := range preset.All() {
		for name, class := range p.Tools {
			if p.EndpointURL == "" {
				continue
			}
			d := define(t, name, `,"annotations":{"destructiveHint":true}`)
			e := connector.Entry{Transport: "remote_http", EndpointURL: p.EndpointURL}
			got := preset.Classify(e, []connector.Definition{d})[0].Class
			if got == connector.Read || class.StricterThan(got) || d.Class.StricterThan(got) && class != connector.Delete {
				t.Errorf("%s of %s: %s; the preset says %s, its name %s", name, p.PresetID, got, class, d.Class)
			}
			tried++
		}
	}
	if tried == 0 {
		t.Error("no preset says anything of a tool")
	}
}
