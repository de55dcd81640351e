package acceptance_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	canonicalschemas "showhow/daemon/canonical"
	"showhow/daemon/client"
	"showhow/daemon/pdf/pdftest"
	"showhow/internal/fault"
)

// writing is an agent at the door, through the SDK's own client, that calls a tool which asks.
type writing struct {
	w  *world
	cs *mcp.ClientSession
}

// begin calls in the background; the channel gets the structured answer.
func (x writing) begin(tool string, args map[string]any) <-chan string {
	done := make(chan string, 1)
	go func() {
		r, err := x.cs.CallTool(x.w.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			done <- err.Error()
			return
		}
		b, _ := json.Marshal(r.StructuredContent)
		done <- string(b)
	}()
	return done
}

// now calls and waits; nobody is asked.
func (x writing) now(tool string, args map[string]any) string { return <-x.begin(tool, args) }

func refOf(t *testing.T, answer string) string {
	t.Helper()
	var a struct {
		Ref string `json:"document_ref"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil || !strings.HasPrefix(a.Ref, "art_") {
		t.Fatalf("no document was made: %s", answer)
	}
	return a.Ref
}

// An agent edits a Word document that it handed in: the person is asked with the document's name and what would be changed,
// in the list where a connector's calls wait. No agent answers in the person's place, and no other agent profits. Refused,
// turned off and approved after a restart are as a connector's.
func TestOwnTools_WritingAsksThePerson(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	scribe, helper := w.agent("scribe"), w.agent("helper")
	one := got(scribe.UploadDocument(ctx, "contract.docx", "application/octet-stream", docx(t, "Contract", "Due on 3 May.")))(t)
	args := map[string]any{"document_ref": one.Ref, "edits": []map[string]any{{"do": "replace", "text": "3 May", "new": "12 June"}}}
	x := writing{w, w.doorOf("scribe", scribe)}

	done := x.begin("edit_word_document", args)
	d := w.asked()
	if d.ServerID != "showhow" || d.ToolName != "edit_word_document" || d.Agent != "scribe" || d.Arguments["document_ref"] != one.Ref ||
		len(d.About) != 2 || !strings.Contains(d.About[0], "“contract.docx”") || d.About[1] != "1. replace “3 May” (body/2), 1 place" {
		t.Errorf("%+v", d)
	}
	inbox := got(w.c.Inbox(ctx))(t)
	if !slices.ContainsFunc(inbox.Items, func(i client.InboxItem) bool { return i.Kind == "call_waiting" && i.Ref == d.DispatchID }) {
		t.Errorf("%+v", inbox.Items)
	}
	for _, agent := range []*client.Client{scribe, helper} {
		_, err := agent.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"})
		refused(t, err, fault.Forbidden)
		_, err = agent.PendingCalls(ctx)
		refused(t, err, fault.Forbidden)
	}
	if l := got(scribe.Documents(ctx))(t); len(l.Documents) != 1 {
		t.Errorf("it was made before it was allowed: %+v", l.Documents)
	}
	if r := got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t); !r.Resumed {
		t.Errorf("%+v", r)
	}
	ref := refOf(t, <-done)
	if text := x.now("read_word_document", map[string]any{"document_ref": ref}); !strings.Contains(text, "Due on 12 June.") ||
		!strings.Contains(text, "scribe (by an agent)") {
		t.Error(text)
	}
	if text := x.now("read_word_document", map[string]any{"document_ref": one.Ref}); !strings.Contains(text, "Due on 3 May.") {
		t.Error(text)
	}
	in := got(w.c.DocumentContent(ctx, ref))(t) // the person has it, too
	made := got(io.ReadAll(in))(t)
	in.Close()
	if !strings.HasPrefix(string(made), "PK") {
		t.Errorf("%q", made[:min(len(made), 20)])
	}
	_, err := helper.Document(ctx, ref)
	refused(t, err, fault.NotFound)
	y := writing{w, w.doorOf("helper", helper)}
	if text := y.now("edit_word_document", args); !strings.Contains(text, "NOT_FOUND") { // and nobody was asked
		t.Error(text)
	}

	done = x.begin("edit_word_document", args)
	d = w.asked()
	got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "deny"}))(t)
	if text := <-done; !strings.Contains(text, string(fault.MCPAskFirstRequired)) {
		t.Error(text)
	}
	_, err = w.c.RegisterConnector(ctx, client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Ѕhоwhow",
		EndpointURL: "http://127.0.0.1:1/mcp", Transport: "remote_http"}) // letters that only look like its name
	refused(t, err, fault.ConnectorNameReserved)
	_, err = w.c.SetConnectorPolicy(ctx, client.ConnectorTarget{TargetKind: "server", ServerID: "showhow"}, "enabled")
	refused(t, err, fault.ConnectorAlwaysAsks)
	got(w.c.ToggleConnectors(ctx, client.ConnectorSwitch{Scope: "global", Off: true}))(t)
	if text := x.now("edit_word_document", args); !strings.Contains(text, string(fault.ConnectorOff)) {
		t.Error(text)
	}
	got(w.c.ToggleConnectors(ctx, client.ConnectorSwitch{Scope: "global"}))(t)

	var results []string
	for _, r := range got(w.c.ConnectorReceipts(ctx, "showhow", "", 100))(t).Receipts {
		if r.Call != nil {
			results = append(results, r.Call.Agent+" "+r.Call.Result+" "+r.Call.ErrorCode)
		}
	}
	if want := []string{"scribe denied CONNECTOR_OFF", "scribe denied MCP_ASK_FIRST_REQUIRED", "helper denied NOT_FOUND",
		"scribe success "}; !slices.Equal(results, want) {
		t.Errorf("%q", results)
	}
	canonicalschemas.Must(t, w.o.Config.Memory)
}

// Places to be redacted are found unasked and marked once a person allows it; the agent that was allowed has the copy.
func TestOwnTools_MarkingRedactionsAsksThePerson(t *testing.T) {
	t.Parallel()
	boxed(t)
	w := begin(t)
	ctx := t.Context()
	scribe := w.agent("scribe")
	doc := pdftest.New().Page((&pdftest.Page{}).Text(72, 700, "write to ada.lovelace@corp.example")).Bytes()
	from, cut := handIn(t, scribe, doc), handIn(t, scribe, doc[:len(doc)/3])
	args := map[string]any{"document_ref": from.SourceRef, "classes": []string{"email"}}
	x := writing{w, w.doorOf("scribe", scribe)}
	const counts = `"on":[{"page":1,"pattern":"class:email","places":1}]`
	if text := x.now("find_pdf_redactions", args); !strings.Contains(text, counts) || strings.Contains(text, "lovelace") {
		t.Error(text)
	}
	if l := got(scribe.Documents(ctx))(t); len(l.Documents) != 2 {
		t.Errorf("%+v", l.Documents)
	}
	if text := x.now("mark_pdf_redactions", map[string]any{"document_ref": cut.SourceRef}); !strings.Contains(text,
		string(fault.AcrobatFailed)) || len(got(w.c.PendingCalls(ctx))(t).Dispatches) != 0 {
		t.Errorf("of a document that does not open a person was asked: %s", text)
	}
	done := x.begin("mark_pdf_redactions", args)
	d := w.asked()
	got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	answer := <-done
	if !strings.Contains(answer, counts) {
		t.Error(answer)
	}
	in := got(scribe.DocumentContent(ctx, refOf(t, answer)))(t)
	defer in.Close()
	if b := got(io.ReadAll(in))(t); !strings.Contains(string(b), "/Redact") {
		t.Error("the copy has no mark")
	}
}
