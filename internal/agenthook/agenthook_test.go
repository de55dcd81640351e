package agenthook

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

func env(t *testing.T) Env {
	home := t.TempDir()
	return Env{Home: home, Exe: "/opt/show how/showhow", MarkDir: filepath.Join(home, "marks")}
}

func plan(t *testing.T, agent string, e Env) Plan {
	t.Helper()
	p, err := For(agent, e)
	must(t, err)
	must(t, os.MkdirAll(p.dir, 0o700))
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

const settings = `{
    "model": "m",
    "env": {"KEY": "\u00e4 1.50"},
    "hooks": {
        "PostToolUse": [
            {
                "matcher": "Edit",
                "hooks": [
                    {"type": "command", "command": "gofmt -w", "timeout": 60}
                ]
            }
        ],
        "Stop": []
    },
    "permissions": {"allow": [], "deny": ["WebFetch"]}
}
`

func TestSettingsKeepWhatStandsThere(t *testing.T) {
	p := plan(t, "claude-code", env(t))
	must(t, os.WriteFile(p.Path, []byte(settings), 0o640))
	made, err := p.Install()
	must(t, err)
	if len(made) != 1 || made[0] != p.Path+".before-showhow" || read(t, made[0]) != settings {
		t.Errorf("%v", made)
	}
	got := read(t, p.Path)
	for _, want := range []string{`\u00e4 1.50`, `"command": "gofmt -w"`, `"command": "'/opt/show how/showhow' hook claude-code"`,
		`"SessionEnd"`, "\n    \"model\""} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Index(got, `"model"`) > strings.Index(got, `"hooks"`) || strings.Index(got, `"hooks"`) > strings.Index(got, `"permissions"`) {
		t.Error("the order changed")
	}
	if fi, _ := os.Stat(p.Path); fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", fi.Mode())
	}
	if p.State() != Present {
		t.Error(p.State())
	}
	_, err = p.Install()
	must(t, err)
	if read(t, p.Path) != got {
		t.Error("installing twice is not installing once")
	}

	// Another version at another path replaces it; the person's own edit of it is noticed.
	moved := p
	moved.call = []string{"/other/showhow", "hook"}
	if moved.State() != Changed {
		t.Error(moved.State())
	}
	_, err = moved.Install()
	must(t, err)
	if strings.Count(read(t, p.Path), "hook claude-code") != 3 {
		t.Error(read(t, p.Path))
	}

	must(t, moved.Remove())
	var before, after any
	must(t, json.Unmarshal([]byte(settings), &before))
	must(t, json.Unmarshal([]byte(read(t, p.Path)), &after))
	if b, a := mustJSON(before), mustJSON(after); b != a {
		t.Errorf("before %s\nafter  %s", b, a)
	}
	if p.State() != Gone {
		t.Error(p.State())
	}
	if _, err := os.Stat(made[0]); err == nil {
		t.Error("the copy is still there")
	}
}

func mustJSON(v any) string { b, _ := json.Marshal(v); return string(b) }

func TestSettingsThatWereNotThere(t *testing.T) {
	p := plan(t, "codex", env(t))
	made, err := p.Install()
	must(t, err)
	if len(made) != 1 || made[0] != p.Path || p.State() != Present {
		t.Errorf("%v %s", made, p.State())
	}
	must(t, p.Remove())
	if _, err := os.Stat(p.Path); err == nil {
		t.Error("a file of ours alone must go")
	}
	must(t, p.Remove())
}

func TestSettingsThatAreNotTouched(t *testing.T) {
	for name, text := range map[string]string{"comments": "{ // mine\n}", "list": "[]", "cut": `{"hooks": {`, "wrong": `{"hooks": []}`,
		"wrong event": `{"hooks":{"PostToolUse":{}}}`} {
		p := plan(t, "claude-code", env(t))
		must(t, os.WriteFile(p.Path, []byte(text), 0o600))
		if _, err := p.Install(); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: %v", name, err)
		}
		if read(t, p.Path) != text {
			t.Errorf("%s: touched", name)
		}
		if entries, _ := os.ReadDir(p.dir); len(entries) != 1 {
			t.Errorf("%s: left %v", name, entries)
		}
	}
	e := env(t)
	p, err := For("codex", e)
	must(t, err)
	if _, err := p.Install(); !fault.Is(err, fault.NotFound) {
		t.Errorf("an agent that is not there: %v", err)
	}
	if _, err := For("unknown", e); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

func TestLinkedSettings(t *testing.T) {
	p := plan(t, "claude-code", env(t))
	dotfiles := filepath.Join(t.TempDir(), "claude.json")
	must(t, os.WriteFile(dotfiles, []byte(`{"a":1}`), 0o600))
	must(t, os.Symlink(dotfiles, p.Path))
	_, err := p.Install()
	must(t, err)
	if fi, _ := os.Lstat(p.Path); fi.Mode()&os.ModeSymlink == 0 || !strings.Contains(read(t, dotfiles), "hook claude-code") {
		t.Error("the link was replaced")
	}
}

// The plugin as OpenClaw would load it: node loads it here, with an api of ours in place of OpenClaw's.
func TestOpenClawPlugin(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing: install nodejs")
		}
		t.Skip("node is missing: install nodejs")
	}
	e := env(t)
	out := filepath.Join(e.Home, "out")
	e.Exe = filepath.Join(e.Home, "program")
	must(t, os.WriteFile(e.Exe, []byte("#!/bin/sh\ncat >> "+out+"; echo \" $*\" >> "+out+"\n"), 0o700))
	p := plan(t, "openclaw", e)
	const settings = "{\n  \"plugins\": {\n    \"entries\": {\n      \"other\": {}\n    }\n  }\n}\n"
	config := filepath.Join(e.Home, ".openclaw", "openclaw.json")
	must(t, os.WriteFile(config, []byte(settings), 0o600))
	made, err := p.Install()
	must(t, err)
	if text := read(t, config); !strings.Contains(text, `"other"`) || !strings.Contains(text, `"showhow": {`) {
		t.Errorf("OpenClaw loads only plugins that its configuration names:\n%s", text)
	}
	if len(made) != 1 || made[0] != p.Path || p.State() != Present {
		t.Fatalf("%v %s", made, p.State())
	}
	script := `const plugin = (await import(process.argv[1])).default;
		const on = {}; plugin.register({ on: (name, f) => { on[name] = f; } });
		on.after_tool_call({ toolName: "exec", params: { command: "make" }, toolCallId: "c1", durationMs: 5, result: { details: { exitCode: ` +
		`2, cwd: "/w" } } }, { sessionId: "s1" });
		on.session_end({ sessionId: "s1" }, {});`
	run := func() {
		t.Helper()
		cmd := exec.Command(node, "--input-type=module", "-e", script, filepath.Join(p.Path, "index.js"))
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
	}
	run() // nobody wants it: no program is started
	if _, err := os.Stat(out); err == nil {
		t.Error("reported although nobody asked")
	}
	must(t, os.MkdirAll(e.MarkDir, 0o700))
	must(t, os.WriteFile(filepath.Join(e.MarkDir, "openclaw"), nil, 0o600))
	run()
	want := []string{`"toolName":"exec"`, `"params":{"command":"make"}`, `"exitCode":2`, `"failed":false`, `"cwd":"/w"`, `"sessionId":"s1"`,
		`"session_end"`, " hook openclaw"}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) { // the reports outlive the agent
		b, _ := os.ReadFile(out)
		missing := ""
		for _, w := range want {
			if !strings.Contains(string(b), w) {
				missing = w
			}
		}
		if missing == "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s is missing in %s", missing, b)
		}
	}
	must(t, os.WriteFile(filepath.Join(p.Path, "index.js"), []byte("edited"), 0o600))
	if p.State() != Changed {
		t.Error(p.State())
	}
	_, err = p.Install()
	must(t, err)
	must(t, os.WriteFile(config, []byte(settings), 0o600))
	if p.State() != Changed {
		t.Errorf("%s although OpenClaw does not load it", p.State())
	}
	_, err = p.Install()
	must(t, err)
	must(t, p.Remove())
	if text := read(t, config); text != settings {
		t.Errorf("left in the configuration:\n%s", text)
	}
	if _, err := os.Stat(p.Path); err == nil || p.State() != Gone {
		t.Error("still there")
	}
	must(t, os.MkdirAll(p.Path, 0o700))
	must(t, os.WriteFile(filepath.Join(p.Path, "mine.js"), nil, 0o600))
	if _, err := p.Install(); !fault.Is(err, fault.SlugTaken) {
		t.Errorf("another's folder: %v", err)
	}
}

// TestTheHookIsAProgramOfItsOwn: where it lies beside showhow; an entry that calls showhow is replaced, and both are
// taken out again.
func TestTheHookIsAProgramOfItsOwn(t *testing.T) {
	e := env(t)
	e.Exe = filepath.Join(e.Home, "bin", "showhow")
	must(t, os.MkdirAll(filepath.Dir(e.Exe), 0o700))
	if got := Beside(e.Exe); got != "" {
		t.Fatalf("%q is not there", got)
	}
	hook := filepath.Join(e.Home, "bin", "showhow-hook")
	must(t, os.WriteFile(e.Exe, nil, 0o700))
	for _, mode := range []os.FileMode{0o600, 0o707} { // it cannot be run; anybody may change it
		must(t, os.WriteFile(hook, nil, 0o600))
		must(t, os.Chmod(hook, mode))
		if got := Beside(e.Exe); got != "" {
			t.Errorf("%s with mode %o", got, mode)
		}
	}
	must(t, os.Chmod(hook, 0o700))
	if got := Beside(e.Exe); got != hook {
		t.Fatalf("%q", got)
	}
	old := plan(t, "claude-code", e)
	_, err := old.Install()
	must(t, err)
	e.Hook = Beside(e.Exe)
	p := plan(t, "claude-code", e)
	if s := p.State(); s != Changed {
		t.Errorf("an entry that calls showhow is %s", s)
	}
	_, err = p.Install()
	must(t, err)
	text := read(t, p.Path)
	if s := p.State(); s != Present || strings.Contains(text, "showhow hook") || !strings.Contains(text, hook+" claude-code") {
		t.Errorf("%s: %s", s, text)
	}
	must(t, old.Remove()) // by a program without the hook's beside it
	if _, err := os.Stat(p.Path); !os.IsNotExist(err) {
		t.Errorf("left: %s", read(t, p.Path))
	}
	if js := plan(t, "openclaw", e).files["index.js"]; !strings.Contains(js, `const args = ["openclaw"];`) || !strings.Contains(js, hook) {
		t.Error(js)
	}
	for command, want := range map[string]bool{"showhow-hook claude-code": true, `C:\Programs\showhow-hook.exe claude-code`: true,
		"showhow-hook codex": false, "other-hook claude-code": false, "showhow claude-code": false, "showhow-hook hook claude-code": false} {
		if got := p.ours(command); got != want {
			t.Errorf("%s: ours %v", command, got)
		}
	}
}
