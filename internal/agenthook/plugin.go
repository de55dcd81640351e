package agenthook

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"showhow/internal/fault"
)

//go:embed openclaw.js
var openclawSource string

// plugin returns OpenClaw's plugin files: a manifest, a package that names the entry, and the entry.
func plugin(e Env) map[string]string {
	text := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	call := append(e.call(), "openclaw")
	js := strings.NewReplacer(`"@program@"`, text(call[0]), `["@arguments@"]`, text(call[1:]),
		`"@mark@"`, text(filepath.Join(e.MarkDir, "openclaw"))).Replace(openclawSource)
	return map[string]string{
		"index.js": js,
		"openclaw.plugin.json": `{
  "id": "showhow",
  "name": "Showhow",
  "description": "Reports finished tool calls to Showhow on this computer, when you let it learn from them.",
  "activation": {"onStartup": true, "onAgentHarnesses": ["openclaw"]},
  "configSchema": {"type": "object", "additionalProperties": false, "properties": {}}
}
`,
		"package.json": `{
  "name": "showhow-hook",
  "private": true,
  "type": "module",
  "openclaw": {"extensions": ["./index.js"]}
}
`,
	}
}

// enabled is the entry in OpenClaw's configuration that has our plugin loaded: OpenClaw loads none that it does not name.
func enabled(dir string) *Door {
	path := filepath.Join(dir, "openclaw.json")
	return &Door{Path: path, members: []string{"plugins", "entries", "showhow"}, value: []byte(`{"enabled":true}`),
		plan: Plan{Agent: "openclaw", Path: path, dir: dir}}
}

func (p Plan) installPlugin() (made []string, err error) {
	switch p.pluginState() {
	case Present:
		return []string{p.Path}, nil
	case Gone:
		if _, err := os.Lstat(p.Path); err == nil {
			return nil, fault.New(fault.SlugTaken, "there is a plugin of another with our name").WithHint(
				"move the folder extensions/showhow away first")
		}
	}
	if !p.enable.Connected() { // an entry that a person edited stays as it is
		if err := p.enable.Connect(); err != nil {
			return nil, err
		}
	}
	parent := filepath.Dir(p.Path)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, refused(err)
	}
	tmp, err := os.MkdirTemp(parent, ".showhow-*")
	if err != nil {
		return nil, refused(err)
	}
	defer os.RemoveAll(tmp)
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o600); err != nil {
			return nil, refused(err)
		}
	}
	if err := os.RemoveAll(p.Path); err != nil { // our own, of another version
		return nil, refused(err)
	}
	if err := os.Rename(tmp, p.Path); err != nil {
		return nil, refused(err)
	}
	return []string{p.Path}, nil
}

// removePlugin deletes our files, and the folder if nothing else is in it.
func (p Plan) removePlugin() error {
	if _, err := os.Lstat(p.Path); err == nil && p.pluginState() == Gone {
		return nil // another's plugin with our name
	}
	if err := p.enable.Disconnect(); err != nil {
		return err
	}
	for name := range p.files {
		if err := os.Remove(filepath.Join(p.Path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return refused(err)
		}
	}
	os.Remove(p.Path) // stays when somebody put something in
	return nil
}

// pluginState: the manifest identifies the plugin as ours.
func (p Plan) pluginState() string {
	b, err := os.ReadFile(filepath.Join(p.Path, "openclaw.plugin.json"))
	if err != nil || !strings.Contains(string(b), `"id": "showhow"`) {
		return Gone
	}
	for name, text := range p.files {
		if b, err := os.ReadFile(filepath.Join(p.Path, name)); err != nil || string(b) != text {
			return Changed
		}
	}
	if !p.enable.Connected() {
		return Changed
	}
	return Present
}
