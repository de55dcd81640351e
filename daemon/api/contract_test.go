package api

import (
	"encoding/json"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/api/engine"
	"showhow/daemon/learn"
	"showhow/internal/fault"
)

func described(t *testing.T) *Server {
	t.Helper()
	return New(Deps{Learn: (*learn.Service)(nil), Abilities: (*ability.Service)(nil)})
}

// operations yields every operation of the document.
func operations(d *engine.Document) map[string]*huma.Operation {
	out := map[string]*huma.Operation{}
	for _, item := range d.OpenAPI.Paths {
		for _, h := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete, item.Patch} {
			if h != nil {
				out[h.OperationID] = h
			}
		}
	}
	return out
}

func TestTheCommittedDocumentIsCurrent(t *testing.T) {
	want, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/openapi.json")
	if err != nil || string(got) != string(want) {
		t.Errorf("docs/openapi.json is stale (%v): run go generate ./daemon/api", err)
	}
	again, _ := Document()
	if string(again) != string(want) {
		t.Error("the document is not the same twice")
	}
}

func TestEveryOperationIsDescribed(t *testing.T) {
	s := described(t)
	all := operations(s.engine.Document())
	if len(all) != len(s.engine.Operations) || len(all) < 60 {
		t.Fatalf("%d described, %d registered", len(all), len(s.engine.Operations))
	}
	for _, o := range s.engine.Operations {
		h := all[o.ID]
		if h == nil || h.Summary == "" || len(h.Tags) != 1 {
			t.Errorf("%s has no summary or tag", o.ID)
			continue
		}
		if a, ok := h.Extensions["x-showhow-access"].(engine.Access); !ok || len(a.Principals) == 0 {
			t.Errorf("%s does not say who may call it", o.ID)
		}
		reads := []string{"lookup-abilities", "explain-match", "explain-capability", "explain-route", "resolve-project",
			"test-skill-trigger", "preview-skill-push", "search-notes", "list-tasks"}
		if o.Access.Write != (o.Method != "GET") && !slices.Contains(reads, o.ID) {
			t.Errorf("%s: a %s with write %v", o.ID, o.Method, o.Access.Write)
		}
		checkErrors(t, s, o, h)
		checkParameters(t, h)
	}
}

// checkErrors: every code of an operation is documented under its status, with the envelope.
func checkErrors(t *testing.T, s *Server, o engine.Op, h *huma.Operation) {
	for _, code := range s.engine.Codes(&o) {
		r := h.Responses[itoa(code.Spec().HTTP)]
		if r == nil || !strings.Contains(r.Description, string(code)) ||
			r.Content["application/json"].Schema.Ref != "#/components/schemas/ApiErrorEnvelope" {
			t.Errorf("%s does not document %s", o.ID, code)
		}
	}
	for _, code := range o.Errors {
		if code.Spec() == fault.Internal.Spec() && code != fault.Internal && code != fault.BridgeRebuildFailed {
			t.Errorf("%s lists %s, which is no known code", o.ID, code)
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// checkParameters: every placeholder of the path is a parameter, and every revisioned operation takes If-Match.
func checkParameters(t *testing.T, h *huma.Operation) {
	has := map[string]bool{}
	for _, p := range h.Parameters {
		has[p.In+" "+p.Name] = true
	}
	for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(h.Path, -1) {
		if !has["path "+m[1]] {
			t.Errorf("%s has no parameter %s", h.OperationID, m[1])
		}
	}
	codes, _ := h.Extensions["x-showhow-errors"].([]fault.Code)
	if slices.Contains(codes, fault.RevisionConflict) != has["header If-Match"] && h.OperationID != "set-scope" &&
		h.OperationID != "set-settings" {
		t.Errorf("%s: If-Match %v, REVISION_CONFLICT %v", h.OperationID, has["header If-Match"], !has["header If-Match"])
	}
}

// An operation that is called is described alone: it must be checked against what the document of all of them says.
func TestASingleOperationMatchesTheDocument(t *testing.T) {
	s := described(t)
	all := s.engine.Document()
	printed := operations(all)
	for _, o := range s.engine.Operations {
		alone := s.engine.Document(o.ID)
		got, want := spelledOut(t, alone, operations(alone)[o.ID]), spelledOut(t, all, printed[o.ID])
		if got != want {
			t.Errorf("%s\nalone    %s\ndocument %s", o.ID, got, want)
		}
	}
}

// spelledOut is what an operation checks, with each schema in the place of its name.
func spelledOut(t *testing.T, d *engine.Document, h *huma.Operation) string {
	t.Helper()
	var within []string // the names of the schemas around; a schema that holds itself is named
	var resolve func(v any) any
	resolve = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = resolve(v[i])
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok && !slices.Contains(within, ref) {
				within = append(within, ref)
				defer func() { within = within[:len(within)-1] }()
				return map[string]any{path.Base(ref): resolve(plainJSON(t, d.Schemas().SchemaFromRef(ref)))}
			}
			for k := range v {
				v[k] = resolve(v[k])
			}
		}
		return v
	}
	b, err := json.Marshal(resolve(plainJSON(t, map[string]any{"parameters": h.Parameters, "body": h.RequestBody})))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func plainJSON(t *testing.T, v any) (out any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryPostTakesAClientRequestID(t *testing.T) {
	d := described(t).engine.Document()
	// A login that is good once; a heartbeat; a stream; bodies of others, whose events have ids; bodies with a password, of which not
	// even a hash is remembered.
	without := []string{"exchange-session", "renew-indicator", "preview-observation", "take-runtime-events", "import-runtime-events",
		"preview-runtime-report", "extract-pdf-text", "extract-pdf-tables", "read-pdf-values",
		"recognise-pdf", "prepare-pdf-redaction"}
	for _, h := range operations(d) {
		if h.Method != "POST" || slices.Contains(append(without, "upload-skill-bundle", "upload-document"), h.OperationID) {
			continue
		}
		if h.RequestBody == nil {
			t.Errorf("%s takes no body", h.OperationID)
			continue
		}
		schema := d.Schemas().SchemaFromRef(h.RequestBody.Content["application/json"].Schema.Ref)
		if p := schema.Properties["client_request_id"]; p == nil || p.MaxLength == nil || *p.MaxLength != 120 {
			t.Errorf("%s takes no client_request_id", h.OperationID)
		}
	}
}

// The table of decisions D1, from the other side: all that an agent may do.
func TestWhatAnAgentMayDo(t *testing.T) {
	var got []string
	for _, o := range described(t).engine.Operations {
		if slices.Contains(o.Access.Principals, access.Agent) {
			got = append(got, o.ID)
		}
		if o.Access.Presence != "" && slices.Contains(o.Access.Principals, access.Agent) {
			t.Errorf("%s asks an agent for presence", o.ID)
		}
	}
	want := []string{"call-contract", "capture-inbox", "delete-document", "discard-changes", "explain-match",
		"extract-pdf-tables", "extract-pdf-text",
		"get-ability", "get-ability-configuration", "get-acrobat-health", "get-availability", "get-bridge", "get-catalog", "get-document",
		"get-document-content", "get-note", "get-progress", "get-version", "list-documents", "list-note-changes", "list-tasks",
		"lookup-abilities", "prepare-pdf-redaction", "propose-changes", "read-pdf-values", "recognise-pdf", "search-notes",
		"submit-config-intent", "take-receipts", "take-runtime-events", "upload-document", "verify-checkpoint"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("an agent may %v", got)
	}
}

// Decisions D2: what a person must confirm.
func TestWhatAPersonMustConfirm(t *testing.T) {
	got := map[string]string{}
	for _, o := range described(t).engine.Operations {
		if o.Access.Presence != "" {
			got[o.ID] = o.Access.When
		}
	}
	for _, id := range []string{"approve-proposal", "install-proposal", "reject-proposal", "delete-session", "delete-ability",
		"approve-ability", "approve-skill-import", "install-skill-import", "reject-skill-import", "promote-ability", "unquarantine-ability",
		"add-agent", "allow-canary", "clear-quarantine", "purge-data", "export-data", "erase-data"} {
		if when, ok := got[id]; !ok || when != "" {
			t.Errorf("%s must always be confirmed", id)
		}
	}
	for _, id := range []string{"set-scope", "set-test-policy", "validate-proposal", "request-more-tests", "create-session", "set-journal",
		"set-settings", "change-canary-settings"} {
		if got[id] == "" {
			t.Errorf("%s must say when it is to be confirmed", id)
		}
	}
}
