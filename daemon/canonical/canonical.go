// Package canonical checks the canonical files (decisions E6) against schemas written from the specification's own:
// types, enumerations and bounds. Keys that no schema names are allowed, as in zod's objects.
//
// It is for tests: a package that writes canonical files calls Check in its tests, on files that a real store wrote. A
// file without a schema is a problem, too, so a new canonical file needs its schema here. Folders of skills
// (installed, set aside, revisions of drafts) are skipped.
package canonical

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed schemas.json
var schemas []byte

// kinds maps a file below the memory root's system folder to its schema.
var kinds = []struct{ pattern, schema string }{
	{"learning/runtime/current.json", "learning_runtime"},
	{"learning/runtime/observation_scope_current.json", "observation_scope"},
	{"learning/interpretations/*.json", "interpretation"},
	{"learning/sessions/*.json", "learn_session"},
	{"learning/proposals/*.json", "skill_bundle_proposal"},
	{"learning/archived/sessions/*.json", "learn_session"},
	{"learning/archived/proposals/*.json", "skill_bundle_proposal"},
	{"learning/receipts.jsonl", "receipt"},
	{"learning/validation_runs.jsonl", "validation_run"},
	{"learning/validation_step_results.jsonl", "validation_step_result"},
	{"learning/checkpoint_receipts.jsonl", "checkpoint_receipt"},
	{"abilities/availability_current.json", "availability"},
	{"abilities/catalog_current.json", "catalog"},
	{"capabilities/bridge_entries_current.json", "bridge"},
	{"capabilities/health_current.json", "capability_health_index"},
	{"capabilities/stats_current.json", "capability_stats_index"},
	{"capabilities/traces.jsonl", "execution_trace"},
	{"capabilities/ui_anchors.jsonl", "ui_anchor"},
	{"capabilities/manifests/*.json", "manifest"},
	{"capabilities/metadata/*.json", "metadata"},
	{"projects/source_bindings.json", "project_bindings"},
	{"categories/categories_current.json", "categories"},
	{"categories/assignments.jsonl", "category_assignment"},
	{"mcp/registry_current.json", "mcp_registry"},
	{"mcp/provider_policy_current.json", "mcp_policy"},
	{"mcp/health_current.json", "mcp_health"},
	{"mcp/receipts.jsonl", "mcp_receipt"},
	{"mcp/archive/receipts-*.jsonl", "mcp_receipt"},
	{"events/events.jsonl", "runtime_events_line"},
	{"events/runtime_event_envelopes.jsonl", "runtime_envelope_line"},
	{"events/projected_feedback.jsonl", "projected_feedback_record"},
	{"events/latest_workflow_state.json", "runtime_workflow_state"},
	{"events/workflow_history.jsonl", "runtime_workflow_state"},
	{"events/reports/openclaw_import_*.json", "runtime_import_report"},
	{"events/reports/*openclaw_operator_handoff_bundle*.json", "runtime_handoff_bundle"},
	{"events/reports/openclaw_operator_handoff_*.json", "runtime_handoff"},
	{"events/reports/*runtime_session_report*.json", "runtime_session_report"},
	{"events/reports/*runtime_event_inspection*.json", "runtime_inspection"},
	{"events/reports/latest_evolution_report.json", "evolution_report"},
	{"events/reports/latest_governance_report.json", "governance_report"},
	{"events/reports/latest_operator_review.json", "operator_review"},
	{"events/reports/latest_promotion_artifact.json", "promotion_artifact"},
	{"events/reports/runtime_session_report_*.md", text},
	{"events/reports/latest_governance_report.md", text},
	{"skills/imports_current.json", "skill_imports"},
	{"skills/config/*.json", "skill_config"},
	{"skills/config/*/*.json", "skill_config"},
}

// text marks a file for people: it has no schema, only a marker in its first line.
const text = "text"

// Check lists what is wrong with the canonical files under a memory root, one problem a line.
func Check(memory string) ([]string, error) {
	var problems []string
	root := filepath.Join(memory, "system")
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p != root {
			return nil // it was one until now
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skillFolder(rel) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(d.Name(), ".") && strings.HasSuffix(d.Name(), ".part") {
			return nil // a running daemon writes it at this moment, and renames it
		}
		found, err := checkFile(p, rel)
		problems = append(problems, found...)
		return err
	})
	return problems, err
}

// skillFolder reports whether a folder holds skills: installed ones, what was set aside, and the revisions of drafts.
func skillFolder(rel string) bool {
	if rel == "learning/installed" || rel == "learning/set-aside" {
		return true
	}
	for _, p := range []string{"learning/proposals/*", "learning/archived/proposals/*"} {
		if ok, _ := path.Match(p, rel); ok {
			return true
		}
	}
	return false
}

func checkFile(file, rel string) ([]string, error) {
	name := schemaOf(rel)
	if name == "" {
		return []string{rel + ": no schema is known for it"}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if name == text {
		if !bytes.HasPrefix(data, []byte("<!-- outbox_seq: ")) {
			return []string{rel + ": its first line has no sequence"}, nil
		}
		return nil, nil
	}
	s, err := schema(name)
	if err != nil {
		return nil, err
	}
	docs := [][]byte{data}
	if strings.HasSuffix(rel, ".jsonl") {
		docs = bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	}
	var problems []string
	for i, doc := range docs {
		if len(doc) == 0 {
			continue
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err == nil {
			err = s.Validate(v)
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s, %d: %v", rel, i+1, err))
		}
	}
	return problems, nil
}

func schemaOf(rel string) string {
	for _, k := range kinds {
		if ok, _ := path.Match(k.pattern, rel); ok {
			return k.schema
		}
	}
	return ""
}

var compiler = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	return c, c.AddResource("canonical.json", doc)
})

var compiling sync.Mutex // a compiler is for one goroutine

func schema(name string) (*jsonschema.Schema, error) {
	c, err := compiler()
	if err != nil {
		return nil, err
	}
	compiling.Lock()
	defer compiling.Unlock()
	return c.Compile("canonical.json#/$defs/" + name)
}

// Failer is the part of testing.TB that Must needs.
type Failer interface {
	Helper()
	Error(args ...any)
}

// Must fails the test for everything that is wrong under a memory root. A root without files is fine.
func Must(t Failer, memory string) {
	t.Helper()
	problems, err := Check(memory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
