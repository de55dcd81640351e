package agenthook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// The content of an agent's configuration stays; ours is added once and removed without a trace.
func TestDoor(t *testing.T) {
	for agent, before := range map[string]string{
		"claude-code": "{\n  \"projects\": {\"/w\": {\"x\": 1.50}},\n" +
			"  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
		"openclaw": "{\n  \"agent\": {}\n}\n",
		"codex":    "model = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n",
	} {
		t.Run(agent, func(t *testing.T) {
			e := env(t)
			e.Vars = map[string]string{"XDG_RUNTIME_DIR": `/run/user/1 "0"`, "SHOWHOW_DATA": "/d"}
			d, err := DoorFor(agent, e)
			must(t, err)
			must(t, os.MkdirAll(filepath.Dir(d.Path), 0o700))
			must(t, os.WriteFile(d.Path, []byte(before), 0o640))
			if d.Connected() {
				t.Error("it is there already")
			}
			must(t, d.Connect())
			once := read(t, d.Path)
			must(t, d.Connect())
			if read(t, d.Path) != once || strings.Count(once, "/opt/show how/showhow") != 1 || !strings.Contains(once, `"mcp"`) || !d.Connected() {
				t.Errorf("%s", once)
			}
			for _, located := range []string{`"XDG_RUNTIME_DIR": "/run/user/1 \"0\""`, `XDG_RUNTIME_DIR = "/run/user/1 \"0\""`} {
				if strings.Contains(located, " = ") == (agent == "codex") && !strings.Contains(once, located) {
					t.Errorf("%s is missing in\n%s", located, once)
				}
			}
			for _, kept := range []string{"other", "1.50", "agent", `model = "m"`} {
				if strings.Contains(before, kept) && !strings.Contains(once, kept) {
					t.Errorf("%s is gone from\n%s", kept, once)
				}
			}
			must(t, d.Disconnect())
			must(t, d.Disconnect())
			if after := read(t, d.Path); after != before && (agent == "codex" ||
				strings.Join(strings.Fields(after), "") != strings.Join(strings.Fields(before), "")) {
				t.Errorf("before\n%s\nafter\n%s", before, after)
			}
		})
	}
	for before, tail := range map[string]string{"": "", "a = 1": "", "a = 1\n\n\n": "",
		"b = 1\n": "[mcp_servers.showhow.tools.x]\napproval_mode = \"approve\"\n",
		"a = 1\n": "\n[projects.x]\ntrust_level = \"trusted\"\n"} {
		d, err := DoorFor("codex", env(t))
		must(t, err)
		must(t, os.MkdirAll(filepath.Dir(d.Path), 0o700))
		if before != "" {
			must(t, os.WriteFile(d.Path, []byte(before), 0o600))
		}
		must(t, d.Connect())
		must(t, os.WriteFile(d.Path, []byte(read(t, d.Path)+tail), 0o600)) // what Codex itself adds later
		must(t, d.Disconnect())
		want := before
		if !strings.HasPrefix(tail, "[mcp_servers.showhow.") {
			want += tail
		}
		if b, err := os.ReadFile(d.Path); string(b) != want && (before != "" || !os.IsNotExist(err)) {
			t.Errorf("%q became %q, not %q", before, b, want)
		}
	}
	for _, odd := range []string{"[mcp_servers.\"showhow\"]\ncommand = \"mine\"\n", "[mcp_servers]\nshowhow = { command = \"mine\" }\n",
		"a = [\n[1],\n", "[mcp_servers.showhow]\nargs = [\n  [\"x\"],\n]\n"} {
		d, err := DoorFor("codex", env(t))
		must(t, err)
		must(t, os.MkdirAll(filepath.Dir(d.Path), 0o700))
		must(t, os.WriteFile(d.Path, []byte(odd), 0o600))
		if err := d.Connect(); err == nil || read(t, d.Path) != odd {
			t.Errorf("%v: %q became %q", err, odd, read(t, d.Path))
		}
	}
	for _, before := range []string{`{"a":1}`, `{"a":1,"mcpServers":{"other":{"command":"x"}}}`, "{\"a\":1}\n", "{\n\t\"a\": 1\n}"} {
		d, err := DoorFor("claude-code", env(t))
		must(t, err)
		must(t, os.WriteFile(d.Path, []byte(before), 0o600))
		must(t, d.Connect())
		must(t, d.Disconnect())
		if got := read(t, d.Path); got != before {
			t.Errorf("%q became %q", before, got)
		}
	}
	next := "\r\n# work laptop\r\n[profiles.work]\r\n" // a comment belongs to what follows
	d, err := DoorFor("codex", env(t))
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(d.Path), 0o700))
	must(t, os.WriteFile(d.Path, []byte("[mcp_servers.showhow] # door\r\ncommand = \"showhow\"\r\nargs = [\"mcp\"]\r\n"+next), 0o600))
	must(t, d.Disconnect())
	if got := read(t, d.Path); got != next {
		t.Errorf("%q is left", got)
	}
	d, err = DoorFor("claude-code", env(t))
	must(t, err)
	must(t, os.WriteFile(d.Path, []byte("{ // mine\n}"), 0o600))
	if d.Connect() == nil || read(t, d.Path) != "{ // mine\n}" {
		t.Error("a file that cannot be read was touched")
	}
}

// An entry of the same name that is not ours is neither taken for ours nor replaced nor removed; one of ours in another form is.
func TestWhoseEntryItIs(t *testing.T) {
	for agent, form := range map[string]string{
		"claude-code": `{"mcpServers":{"showhow":{"command":"PROGRAM","args":["ARG"ENV]}}}`,
		"openclaw":    `{"mcp":{"servers":{"showhow":{"command":"PROGRAM","args":["ARG"ENV]}}}}`,
		"codex":       "[mcp_servers.showhow]\ncommand = \"PROGRAM\"\nargs = [\"ARG\"ENV]\n",
	} {
		for entry, want := range map[[3]string]Whose{
			{"/opt/show how/showhow", "mcp", ""}:                        Exactly,
			{"/opt/show how/showhow", "mcp", `, "--project", "acme"`}:   Ours,
			{"/usr/local/bin/showhow", "mcp", ""}:                       Ours,
			{"/usr/bin/python3", "my-server.py", ""}:                    Another,
			{"/opt/show how/showhow", "daemon", ""}:                     Another,
			{"/usr/bin/python3", "mcp", ""}:                             Another,
			{"ssh", "desk", `, "/opt/show how/showhow", "mcp"`}:         Another,
			{"/opt/show how/showhow.sh", "mcp", `, "--elsewhere", "x"`}: Another,
		} {
			d, err := DoorFor(agent, env(t))
			must(t, err)
			must(t, os.MkdirAll(filepath.Dir(d.Path), 0o700))
			before := strings.NewReplacer("PROGRAM", entry[0], "ARG", entry[1], "ENV", entry[2]).Replace(form)
			must(t, os.WriteFile(d.Path, []byte(before), 0o600))
			if got := d.Whose(); got != want || d.Connected() != (want == Exactly || want == Ours) {
				t.Errorf("%s %v: %v, want %v", agent, entry, got, want)
			}
			if want == Another {
				for what, do := range map[string]func() error{"connect": d.Connect, "disconnect": d.Disconnect} {
					if err := do(); !fault.Is(err, fault.NameTaken) || read(t, d.Path) != before {
						t.Errorf("%s: %s %v: %v, %s", what, agent, entry, err, read(t, d.Path))
					}
				}
				continue
			}
			must(t, d.Connect())
			if d.Whose() != Exactly {
				t.Errorf("%s %v became %s", agent, entry, read(t, d.Path))
			}
			must(t, d.Disconnect())
			if d.Whose() != Nobodys {
				t.Errorf("%s %v stays", agent, entry)
			}
		}
	}
	for odd, want := range map[string]Whose{`{"mcpServers":{"showhow":"x"}}`: Another,
		`{"mcpServers":{"showhow":{"url":"https://x"}}}`: Another,
		`{"mcpServers":[]}`: Nobodys, `{}`: Nobodys} {
		d, err := DoorFor("claude-code", env(t))
		must(t, err)
		must(t, os.WriteFile(d.Path, []byte(odd), 0o600))
		if got := d.Whose(); got != want {
			t.Errorf("%s: %v", odd, got)
		}
	}
}
