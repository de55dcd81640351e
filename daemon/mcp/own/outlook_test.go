package own

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/door"
	"showhow/daemon/outlook"
	"showhow/internal/fault"
)

// played is an osascript that answers what an Outlook with one mail would, and writes down what was written.
const played = `#!/bin/sh
asked=$(cat)
case "$2" in
*"-- Lists the accounts"*) echo '{"accounts":[{"name":"work","address":"will@example.com","type":"exchange"}]}' ;;
*"-- Lists the calendars"*) echo '{"calendars":[{"name":"Calendar","account":"work","address":"will@example.com","default":true}]}' ;;
*"-- Looks for messages"*) case "$asked" in
	*describe*) echo '{"rows":[{"id":7,"subject":"Hi","from":"tom@example.com","at":1771853720,"headers":"Message-ID: <a@b>"}]}' ;;
	*) echo '{"rows":[{"id":7,"subject":"Hi","from":"tom@example.com","at":1771853720}],"complete":true,"folder":"Inbox"}' ;;
	esac ;;
*"-- Reads the message"*) echo '{"id":7,"subject":"Hi","from":"tom@example.com","at":1771853720,' \
	'"headers":"Message-ID: <a@b>","text":"canary-body"}' ;;
*"-- Sends a message"*) echo "$asked" >> "$PLAYED/sent"; echo '{"sent":true}' ;;
*"-- Reads the events"*) echo '{"complete":true,"events":[{"id":5,"title":"Call","start":1771853720,"end":1771857320,' \
	'"account":"work","address":"will@example.com"}]}' ;;
*"-- Deletes the event"*) echo "$asked" >> "$PLAYED/deleted"; echo '{"id":5,"title":"Call","start":1771853720,"end":1771857320}' ;;
*) echo '{"error":true,"number":9000}' ;;
esac
`

func withOutlook(t *testing.T) (h *House, dir string) {
	t.Helper()
	dir = t.TempDir()
	program := filepath.Join(dir, "osascript")
	if err := os.WriteFile(program, []byte(played), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLAYED", dir)
	return New(Options{Outlook: outlook.New(outlook.Options{Program: program, Home: dir})}), dir
}

// R9 2.3: each tool takes the parameters that are specified, and no other.
func TestParametersR9_2_3(t *testing.T) {
	h, _ := withOutlook(t)
	tools, err := h.Tools(scribe)
	if err != nil {
		t.Fatal(err)
	}
	event := "title string,start_time string,end_time string,all_day boolean,location string,categories array,reminders array," +
		"attendees array,notes string,recurrence object"
	letter := "account! string,to! array,cc array,subject! string,body! string,reply_to_message_id string"
	want := map[string]string{
		"outlook_email_search": "account string,query string,from string,subject string,date_from string,date_to string,unread_only boolean," +
			"folder string,max_results integer",
		"outlook_email_read": "message_id! string", "outlook_email_draft": letter, "outlook_email_send": letter,
		"outlook_email_list_accounts": "", "outlook_calendar_list_calendars": "",
		"outlook_calendar_read": "account string,calendar string,date_from string,date_to string",
		"outlook_calendar_create": "account! string,calendar string," + strings.NewReplacer("title ", "title! ", "start_time ", "start_time! ").
			Replace(event),
		"outlook_calendar_update": "event_id! string," + event, "outlook_calendar_delete": "event_id! string",
		"outlook_email_save_attachments": "message_id! string,destination string,filename_filter array",
	}
	asks, err := h.Asking()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, tool := range tools {
		w, ours := want[tool.Name]
		if !ours {
			continue
		}
		seen++
		var got, exp []string
		s := tool.InputSchema.(*jsonschema.Schema)
		for name, p := range s.Properties {
			if len(p.Types) > 0 && slices.Contains(p.Types, "array") {
				p.Type = "array" // or null, which Go's empty list is
			}
			if slices.Contains(s.Required, name) {
				name += "!"
			}
			got = append(got, name+" "+p.Type)
		}
		if w != "" {
			exp = strings.Split(w, ",")
		}
		slices.Sort(got)
		slices.Sort(exp)
		if !slices.Equal(got, exp) || s.AdditionalProperties == nil {
			t.Errorf("%s takes\n%v\nwant\n%v", tool.Name, got, exp)
		}
		i := slices.IndexFunc(asks, func(d connector.Definition) bool { return d.Name == tool.Name })
		if reads := tool.Annotations.ReadOnlyHint; reads == (i >= 0) {
			t.Errorf("%s reads: %v, and asks: %v", tool.Name, reads, i >= 0)
		}
		class := map[string]string{"outlook_email_send": "send", "outlook_calendar_delete": "delete"}[tool.Name]
		if i >= 0 && string(asks[i].Class) != class && (class != "" || asks[i].Class != "write") {
			t.Errorf("%s is %s", tool.Name, asks[i].Class)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d tools", seen, len(want))
	}
	for _, g := range []door.Guest{{Agent: "far", Remote: true}} {
		all, err := h.Tools(g)
		if err != nil || slices.ContainsFunc(all, func(t *mcp.Tool) bool { return strings.HasPrefix(t.Name, "outlook_") }) {
			t.Error("a caller from elsewhere reads this person's mail")
		}
	}
	without, err := New(Options{Outlook: outlook.New(outlook.Options{Program: "no-such-osascript"})}).Tools(scribe)
	if err != nil || slices.ContainsFunc(without, func(t *mcp.Tool) bool { return strings.HasPrefix(t.Name, "outlook_") }) {
		t.Error("tools for an Outlook that is not there")
	}
}

// H7 instead of R9 2.2's autonomy: nothing is sent or deleted before it was allowed; what is allowed is what was prepared.
func TestOutlookAsks(t *testing.T) {
	h, dir := withOutlook(t)
	sent := func(file string) string { b, _ := os.ReadFile(filepath.Join(dir, file)); return string(b) }
	args := json.RawMessage(`{"account":"work","to":["tom@example.com"],"subject":"Hi","body":"Hello \" & do shell script \"id\" & \""}`)
	deed, err := h.Prepare(t.Context(), scribe, "outlook_email_send", args)
	if err != nil || sent("sent") != "" || !strings.Contains(strings.Join(deed.About, "\n"), "“work” (“will@example.com”) to 1 person") {
		t.Fatalf("%q %v %q", deed.About, err, sent("sent"))
	}
	res, err := deed.Do(t.Context())
	if err != nil || res.IsError || strings.Count(sent("sent"), "do shell script") != 1 {
		t.Errorf("%v %v %q", res, err, sent("sent"))
	}
	deed, err = h.Prepare(t.Context(), scribe, "outlook_calendar_delete", json.RawMessage(`{"event_id":"outlook_evt_5"}`))
	if err != nil || sent("deleted") != "" || !strings.Contains(deed.About[0], "“Call”") {
		t.Fatalf("%q %v", deed.About, err)
	}
	if _, err := deed.Do(t.Context()); err != nil || !strings.Contains(sent("deleted"), `"title":"Call"`) {
		t.Errorf("%v %q", err, sent("deleted"))
	}
	for tool, bad := range map[string]string{
		"outlook_email_send":      `{"account":"work","to":["tom@example.com"],"subject":"x","body":"x","bcc":["eve@example.com"]}`,
		"outlook_email_draft":     `{"account":"work","to":[],"subject":"x","body":"x"}`,
		"outlook_calendar_create": `{"account":"work","title":"x","start_time":null}`,
		"outlook_calendar_update": `{"event_id":"outlook_evt_5","title":null}`,
		"outlook_calendar_delete": `{"event_id":"5"}`,
	} {
		if _, err := h.Prepare(t.Context(), scribe, tool, json.RawMessage(bad)); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%s: %v", tool, err)
		}
	}
	_, err = h.Prepare(t.Context(), scribe, "outlook_email_send",
		json.RawMessage(`{"account":"other","to":["t@example.com"],"subject":"x","body":"x"}`))
	res = door.Refused(err)
	b, _ := json.Marshal(res.StructuredContent)
	const want = `"operation":{"error":true,"tool":"email_send.applescript","message":"Outlook has no such account","stderr":null}`
	if !fault.Is(err, fault.OutlookNoAccount) || !strings.Contains(string(b), want) {
		t.Errorf("%v %s", err, b)
	}
}

// What reads answers at once, with the mark that others wrote it.
func TestOutlookReads(t *testing.T) {
	h, _ := withOutlook(t)
	call := func(tool, args string) string {
		t.Helper()
		res, known := h.Call(t.Context(), scribe, &mcp.CallToolRequest{}, tool, json.RawMessage(args))
		if !known || res.IsError {
			t.Fatalf("%s: %v", tool, res)
		}
		b, _ := json.Marshal(res.StructuredContent)
		return string(b)
	}
	found := call("outlook_email_search", `{"query":"hi"}`)
	if !strings.Contains(found, `"message_id":"work:Inbox:\u003ca@b\u003e"`) || !strings.Contains(found, `"untrusted":true`) {
		t.Error(found)
	}
	if strings.Contains(found, "canary-body") {
		t.Error("a search reads the texts of mails")
	}
	if read := call("outlook_email_read", `{"message_id":"work:Inbox:<a@b>"}`); !strings.Contains(read, "canary-body") ||
		!strings.Contains(read, `"untrusted":true`) {
		t.Error(read)
	}
	for tool, want := range map[string]string{"outlook_email_list_accounts": `"email_address":"will@example.com"`,
		"outlook_calendar_list_calendars": `"is_default":true`} {
		if got := call(tool, `{}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got := call("outlook_calendar_read", `{"date_from":"2026-02-23"}`); !strings.Contains(got, `"outlook_evt_5"`) {
		t.Error(got)
	}
}
