package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// testdata/payloads.txtar holds payloads as the agents send them (FORMAT/name.json) and the expected receipts
// (.want).
func TestParse(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/payloads.txtar")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range ar.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			want[name] = string(f.Data)
		}
	}
	for _, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".json")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			format := filepath.Dir(name)
			agent := map[bool]string{true: "some-agent", false: format}[format == Generic]
			got, err := json.MarshalIndent(Parse(format, agent, f.Data), "", " ")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.TrimSpace(want[name]), string(got)); d != "" {
				t.Errorf("(-want +got):\n%s\n%s", d, got)
			}
		})
	}
}

func TestTheSizeOfAWrittenFileIsLookedAt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("a,b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(map[string]any{"hook_event_name": "PostToolUse", "session_id": "s", "cwd": dir, "tool_name": "Write",
		"tool_input": map[string]any{"file_path": path, "content": "a,b\n"}, "tool_response": map[string]any{"type": "create"}})
	got := Parse(ClaudeCode, ClaudeCode, payload)
	if len(got) != 1 || len(got[0].Files) != 1 || got[0].Files[0] != (File{Path: path, Change: "created", Size: 4}) {
		t.Errorf("%+v", got)
	}
}

// A payload beyond the limit is truncated anywhere; its complete part still counts.
func TestParseACutOffPayload(t *testing.T) {
	whole := `{"session_id":"s1","hook_event_name":"PostToolUse","cwd":"/w","tool_name":"Write","tool_input":{"file_path":"/w/a.txt",` +
		`"content":"` +
		strings.Repeat("x", 1000) + `"},"tool_response":{"type":"create"},"tool_use_id":"t1"}`
	for cut := range len(whole) {
		for _, r := range Parse(ClaudeCode, ClaudeCode, []byte(whole[:cut])) {
			if b, _ := json.Marshal(r); strings.Contains(string(b), "xxx") {
				t.Fatalf("cut at %d: what was written is in the receipt: %s", cut, b)
			}
		}
	}
	at := strings.Index(whole, "xxxx")
	got := Parse(ClaudeCode, ClaudeCode, []byte(whole[:at+10]))
	if len(got) != 1 || len(got[0].Files) != 1 || got[0].Files[0].Path != "/w/a.txt" {
		t.Errorf("%+v", got)
	}
}

func TestWhatALongValueLoses(t *testing.T) {
	secret := strings.Repeat("k", 100)
	value := strings.Repeat("word ", (maxArg-50)/5) + secret // the bound falls into the last word
	r := Receipt{Kind: ToolCall, Tool: "t", Args: []Arg{{"a", value}, {"b", strings.Repeat("y", maxArg+1)}},
		RunID: strings.Repeat("ä", 200)}.bounded()
	if strings.Contains(r.Args[0].Value, "k") || !strings.HasSuffix(r.Args[0].Value, "word") || r.Args[1].Value != "" {
		t.Errorf("%d %d", len(r.Args[0].Value), len(r.Args[1].Value))
	}
	if len(r.RunID) > maxName || strings.ContainsRune(r.RunID, '\uFFFD') {
		t.Errorf("%q", r.RunID)
	}
}

func TestSkillInUse(t *testing.T) {
	for want, r := range map[string]Receipt{
		"change-an-order": {Tool: "Skill", Args: []Arg{{"skill", "change-an-order"}}},
		"export-orders":   {Tool: "Read", Args: []Arg{{"file_path", "/home/me/.claude/skills/export-orders/SKILL.md"}}},
		"":                {Tool: "Read", Args: []Arg{{"file_path", "/home/me/SKILL.txt"}}},
	} {
		if got := r.Skill(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The hook terminates on any input, within bounds that the daemon accepts.
func FuzzParse(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/payloads.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		f.Add(filepath.Dir(file.Name), file.Data)
	}
	f.Add(Generic, []byte(`{"tool":"x","args":{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}}`))
	f.Fuzz(func(t *testing.T, format string, payload []byte) {
		for _, r := range Parse(format, "a", payload) {
			if err := within(r); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func within(r Receipt) error {
	if len(r.Args) > maxArgs || len(r.Files) > maxFiles || len(r.Command) > maxCommand || len(r.Cwd) > maxPath ||
		len(r.RunID) > maxName || len(r.CallID) > maxName || len(r.Tool) > maxName || r.DurationMS < 0 {
		return fmt.Errorf("out of bounds: %+v", r)
	}
	for _, a := range r.Args {
		if len(a.Name) > maxName || len(a.Value) > maxArg {
			return fmt.Errorf("out of bounds: %+v", a)
		}
	}
	return nil
}
