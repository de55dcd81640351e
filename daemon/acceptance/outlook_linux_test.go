package acceptance_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// playedOutlook is an osascript that answers what an Outlook would.
const playedOutlook = `#!/bin/sh
asked=$(cat)
case "$2" in
*"-- Lists the accounts"*) echo '{"accounts":[{"name":"work","address":"will@example.com","type":"exchange"}]}' ;;
*"-- Looks for messages"*) case "$asked" in
	*'"find"'*) echo '{"ids":[7]}' ;;
	*'"describe"'*) echo '{"rows":[{"id":7,"subject":"canary-subject","from":"canary-sender@example.com","at":1771853720,' \
		'"headers":"Message-ID: <a@b>"}]}' ;;
	*) echo '{"rows":[{"id":7,"subject":"canary-subject","from":"canary-sender@example.com","at":1771853720}],' \
		'"complete":true,"folder":"Inbox"}' ;;
	esac ;;
*"-- Reads the message"*) echo '{"id":7,"subject":"canary-subject","from":"canary-sender@example.com","at":1771853720,' \
	'"headers":"Message-ID: <a@b>","text":"canary-mailtext"}' ;;
*"-- Makes a draft"*) echo "syntax error: canary-failure (-1743)" >&2; exit 1 ;;
*"-- Sends a message"*) echo "$asked" >> "$PLAYED_OUTLOOK/sent"; echo '{"sent":true}' ;;
*) echo '{"error":true,"number":9000,"message":"canary-failure"}' ;;
esac
`

// R9 2 with H7: an agent finds the skill, reads mail unasked, and sends once a person allowed exactly that; nothing of a mail, its
// recipients or Outlook's errors is in a receipt, log, page or file.
func TestOutlook_SendsOnlyWhatWasAllowed(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "osascript"), []byte(playedOutlook), 0o700))
	t.Setenv("PLAYED_OUTLOOK", dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	w := begin(t)
	ctx := t.Context()
	if e := got(w.c.Ability(ctx, "showhow-outlook"))(t); !e.BuiltIn || !e.UsableNow || e.Family != "outlook" {
		t.Errorf("%+v", e)
	}
	x := writing{w, w.doorOf("scribe", w.agent("scribe"))}
	if text := x.now("outlook_email_search", map[string]any{"query": "canary-query"}); !strings.Contains(text, `"total_results":0`) {
		t.Error(text)
	}
	if text := x.now("outlook_email_read", map[string]any{"message_id": "work:Inbox:<a@b>"}); !strings.Contains(text, "canary-mailtext") {
		t.Error(text)
	}
	args := map[string]any{"account": "work", "to": []string{"nobody"}, "subject": "canary-heading", "body": "canary-body"}
	if text := x.now("outlook_email_draft", args); !strings.Contains(text, string(fault.InvalidRequest)) { // and nobody was asked
		t.Error(text)
	}
	args["to"] = []string{"canary-recipient@example.com"}
	done := x.begin("outlook_email_draft", args)
	d := w.asked()
	got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	if text := <-done; !strings.Contains(text, string(fault.OutlookNotAllowed)) || strings.Contains(text, "canary-failure") {
		t.Error(text)
	}
	done = x.begin("outlook_email_send", args)
	d = w.asked()
	if d.ToolName != "outlook_email_send" || d.ActionClass != "send" || d.Arguments["body"] != "canary-body" ||
		!strings.Contains(strings.Join(d.About, "\n"), "to 1 person") {
		t.Errorf("%+v", d)
	}
	if _, err := os.Stat(filepath.Join(dir, "sent")); err == nil {
		t.Error("it was sent before it was allowed")
	}
	got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t)
	if text := <-done; !strings.Contains(text, `"success":true`) {
		t.Error(text)
	}
	if b := got(os.ReadFile(filepath.Join(dir, "sent")))(t); strings.Count(string(b), "canary-body") != 1 {
		t.Errorf("%s", b)
	}
	done = x.begin("outlook_email_send", args)
	d = w.asked()
	got(w.c.DecideCall(ctx, d.DispatchID, client.CallDecision{Decision: "deny"}))(t)
	if text := <-done; !strings.Contains(text, string(fault.MCPAskFirstRequired)) {
		t.Error(text)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "sent"))) // it is the stub's
	if r := w.receipts(client.ReceiptFilter{Kind: "outlook.read"}); len(r) != 2 || !strings.Contains(r[0].Summary, "scribe read in Outlook") {
		t.Errorf("%+v", r)
	}
	canaries := []string{"canary-subject", "canary-sender", "canary-mailtext", "canary-failure", "canary-recipient", "canary-heading",
		"canary-body", "canary-query"}
	for _, path := range []string{"/api/mcp/receipts", "/api/mcp/ask-first/pending", "/api/learn/receipts", "/api/status"} {
		b := got(w.c.Raw(ctx, http.MethodGet, path, nil))(t)
		for _, c := range canaries {
			if strings.Contains(string(b), c) {
				t.Errorf("%s is in %s", c, path)
			}
		}
	}
	w.nothingHolds(canaries...)
}

// Where there is no Outlook the skill is there, and says so; its tools are not.
func TestOutlook_IsNotPretended(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	w := begin(t)
	e := got(w.c.Ability(t.Context(), "showhow-outlook"))(t)
	if e.UsableNow || e.ReasonCode != "adapter_missing" || !strings.Contains(e.ReasonUnusable, "this is no Mac") {
		t.Errorf("%+v", e)
	}
	l, err := w.atDoor("scout").ListTools(t.Context(), nil)
	must(t, err)
	for _, tool := range l.Tools {
		if strings.HasPrefix(tool.Name, "outlook_") {
			t.Errorf("%s is there", tool.Name)
		}
	}
}
