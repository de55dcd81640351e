package canonical_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/canonical"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"good", "categories/categories_current.json", `{"categories":[],"schema_version":1,"outbox_seq":3}`, ""},
		{"a bound", "learning/receipts.jsonl", `{"receipt_id":"01980000-0000-7000-8000-000000000000","kind":"x","summary":"` + strings.Repeat("y",
			401) +
			`","created_at":"2026-01-01T00:00:00Z","schema_version":1}`, "maxLength"},
		{"an old surface", "abilities/availability_current.json", `{"abilities":[{"ability_id":"a","title":"t","family":"f","source":"learned",
			"install_lane":"approved_workspace","enabled":true,"usable_now":true,"preferred_control_surfaces":["native_openclaw_exec"],
			"schema_version":1}],"snapshot_as_of":"2026-01-01T00:00:00Z","schema_version":1}`, "preferred_control_surfaces"},
		{"a line among others", "learning/checkpoint_receipts.jsonl", "{}\n{}", "checkpoint_receipts.jsonl, 2"},
		{"an unknown file", "learning/other.json", "{}", "no schema"},
		{"a file that is being written", "learning/.receipts.jsonl.part", `{"half`, ""},
		{"a bundle", "learning/installed/x/SKILL.md", "no JSON", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "system", filepath.FromSlash(tt.file))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := canonical.Check(dir)
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(got, "\n"); (tt.want == "") != (all == "") || !strings.Contains(all, tt.want) {
				t.Errorf("got %q, want %q in it", all, tt.want)
			}
		})
	}
}
