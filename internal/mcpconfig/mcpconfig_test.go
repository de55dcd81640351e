package mcpconfig

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// lay writes files below a folder of the test's own.
func lay(t *testing.T, files map[string]string) Env {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ROOT", filepath.ToSlash(root))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	vars := map[string]string{"ISSUES_TOKEN": "tok-1", "HOST": "h.example"}
	return Env{Home: filepath.Join(root, "home"), Project: filepath.Join(root, "work"),
		Dirs: map[string]string{"vscode": filepath.Join(root, "code")}, Getenv: func(k string) string { return vars[k] }}
}

func TestEveryAgentsConfiguration(t *testing.T) {
	e := lay(t, map[string]string{
		"home/.claude.json": `{"numStartups": 3, "mcpServers": {
			"files": {"type": "stdio", "command": "node", "args": ["~/fs/index.js", "${HOME}/Notes"], "env": {"KEY": "k-1", "PORT": 1200000}},
			"issues": {"type": "http", "url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${ISSUES_TOKEN}"}},
			"old": {"type": "sse", "url": "https://old.example/sse"}, "nothing": {}},
			"projects": {"ROOT/work": {"mcpServers": {"local": {"command": "local-server"}}},
				"/elsewhere": {"mcpServers": {"not": {"command": "x"}}}}}`,
		"work/.mcp.json": `{"mcpServers": {"shared": {"command": "shared", "args": ["${MISSING:-usual}", "${UNKNOWN}"]}}}`,
		"home/.codex/config.toml": "model = \"m\"\n[mcp_servers.mail]\ncommand = \"mail\"\nargs = [\"--stdio\"]\nenv = { PW = \"p\" }\n" +
			"env_vars = [\"ISSUES_TOKEN\"]\n[mcp_servers.web]\nurl = \"https://web.example/mcp\"\n" +
			"bearer_token_env_var = \"WEB_TOKEN\"\nenabled = false\n",
		"home/.openclaw/openclaw.json": "{ // mine\n \"mcp\": {\"servers\": {\"docs\": {\"url\": \"https://docs.example/mcp\",},},},\n}",
		"code/mcp.json": `{"inputs": [{"id": "key"}], "servers": {"cloud": {"type": "http", "url": "https://cloud.example/mcp", ` +
			`"headers": {"X-Key": "${input:key}"}}}}`,
		"work/.vscode/mcp.json": `{"servers": {"ws": {"command": "${workspaceFolder}/run.sh", "cwd": "${workspaceFolder}"}}}`,
	})
	all, unread := Read(e, Agents...)
	if len(unread) > 0 {
		t.Fatal(unread)
	}
	got := map[string]Server{}
	for _, s := range all {
		got[s.Agent+"/"+s.Name] = s
	}
	want := []string{"claude-code/files", "claude-code/issues", "claude-code/local", "claude-code/old", "claude-code/shared", "codex/mail",
		"codex/web", "openclaw/docs", "vscode/cloud", "vscode/ws"}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Fatalf("%v", names)
	}
	for name, tt := range map[string]struct {
		command []string
		url     string
		secret  map[string]string
	}{
		"claude-code/files": {[]string{"node", filepath.Join(e.Home, "fs/index.js"), e.Home + "/Notes"}, "", map[string]string{"KEY": "k-1",
			"PORT": "1200000"}},
		"claude-code/issues": {nil, "https://h.example/mcp", map[string]string{"Authorization": "Bearer tok-1"}},
		"claude-code/shared": {[]string{"shared", "usual", "${UNKNOWN}"}, "", map[string]string{}},
		"codex/mail":         {[]string{"mail", "--stdio"}, "", map[string]string{"PW": "p", "ISSUES_TOKEN": "tok-1"}},
		"codex/web":          {nil, "https://web.example/mcp", map[string]string{"Authorization": "Bearer ${WEB_TOKEN}"}},
		"vscode/cloud":       {nil, "https://cloud.example/mcp", map[string]string{"X-Key": "${input:key}"}},
		"vscode/ws":          {[]string{e.Project + "/run.sh"}, "", map[string]string{}},
	} {
		s := got[name]
		secrets := maps.Clone(s.Env)
		maps.Copy(secrets, s.Headers)
		if !slices.Equal(s.Command, tt.command) || s.URL != tt.url || !maps.Equal(secrets, tt.secret) {
			t.Errorf("%s: %v %s %v", name, s.Command, s.URL, secrets)
		}
	}
	if got["claude-code/old"].URL != "https://old.example/sse" || !got["codex/web"].Off ||
		got["codex/mail"].Off || got["vscode/ws"].Dir != e.Project {
		t.Error("what else is said of them is not read")
	}
	if !Open("Bearer ${X}") || Open("Bearer $X") || Open("a}${") {
		t.Error("what is open is not seen")
	}
}

// An unreadable file is named once, by its agent and path; it hides no other, and none of its content is shown.
func TestWhatCannotBeRead(t *testing.T) {
	for name, x := range map[string]struct{ agent, text string }{"home/.claude.json": {"claude-code", `{"mcpServers": {"a": "sk-canary`},
		"home/.codex/config.toml":      {"codex", "key = sk-canary\n["},
		"home/.openclaw/openclaw.json": {"openclaw", `{"mcp": {"servers": ["sk-canary"]}}`}} {
		e := lay(t, map[string]string{name: x.text, "work/.mcp.json": `{"mcpServers": {"shared": {"command": "shared"}}}`,
			"code/mcp.json": `{"servers": {"cloud": {"url": "https://cloud.example/mcp"}}}`})
		all, unread := Read(e, Agents...)
		if len(unread) != 1 || len(all) != 2 {
			t.Errorf("%s: %v %v", name, unread, all)
			continue
		}
		f := unread[0]
		if f.Code != fault.InvalidRequest || f.Details["path"] != filepath.Join(filepath.Dir(e.Home), name) || f.Details["agent"] != x.agent ||
			!strings.Contains(f.Message, x.agent) || strings.Contains(f.Error()+f.Hint, "canary") {
			t.Errorf("%s: %v %v", name, f, f.Details)
		}
	}
	if all, unread := Read(lay(t, nil), Agents...); len(unread)+len(all) > 0 {
		t.Errorf("nothing is there: %v %v", all, unread)
	}
}

func FuzzPlainJSON(f *testing.F) {
	for _, s := range []string{`{"a":1,}`, "[1, // x\n2,\n]", `{"a":"// no, ] comment\"",/* , */}`, `"`, "/*", "/", `{"a":[,]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := plainJSON([]byte(s))
		var before, after any
		if json.Unmarshal([]byte(s), &before) == nil && (json.Unmarshal(out, &after) != nil || !reflect.DeepEqual(before, after)) {
			t.Errorf("%q became %q", s, out)
		}
	})
}

func TestPlainJSON(t *testing.T) {
	for in, want := range map[string]string{`{"a":1,}`: `{"a":1 }`, "[1, // x\n2,\n]": "[1, \n2 \n]", `["a,]",/*]*/]`: `["a,]" ]`,
		`{"u":"http://x"}`: `{"u":"http://x"}`} {
		if got := string(plainJSON([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// Every secret has a name of its own, which is none that is taken.
func TestCredentials(t *testing.T) {
	s := Server{Name: "9 Issues", URL: "https://h.example:1/mcp", Headers: map[string]string{"X-Key": "a", "X Key": "b", "Other": "c"}}
	taken := map[string]bool{"c_9_issues_other": true, "c_9_issues_h_example_other": true}
	got, err := s.Credentials(func(name, _ string) (bool, error) { return taken[name], nil })
	want := map[string]string{"X Key": "c_9_issues_x_key", "X-Key": "c_9_issues_h_example_x_key", "Other": "c_9_issues_other_2"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v %v", got, err)
	}
	if _, err := s.Credentials(func(string, string) (bool, error) { return true, nil }); !fault.Is(err, fault.NameTaken) {
		t.Errorf("no name is free: %v", err)
	}
	s.Name = strings.Repeat("long", 60)
	got, err = s.Credentials(func(string, string) (bool, error) { return false, nil })
	for _, name := range got {
		if err != nil || len(name) > 120 {
			t.Errorf("%s %v", name, err)
		}
	}
}
