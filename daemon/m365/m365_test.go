package m365_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/m365"
	"showhow/daemon/m365/m365test"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

type m map[string]any

// desk calls operations of a Graph.
type desk struct {
	*m365test.Graph
	t       *testing.T
	s       *m365.Service
	entry   wire.MCPServerRegistryEntry
	profile wire.MCPAuthProfile
	token   string
	kept    map[string][]byte
	waits   []time.Duration
	bound   map[string]wire.ProjectBinding
}

type bearer struct{ d *desk }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.d.token)
	return http.DefaultTransport.RoundTrip(r)
}

func families() (out []string) {
	for _, o := range m365.Operations().Operations {
		out = append(out, o.OperationFamily)
	}
	return out
}

func open(t *testing.T) *desk {
	d := &desk{Graph: m365test.New(t), t: t, kept: map[string][]byte{}, bound: map[string]wire.ProjectBinding{}}
	all := families()
	d.token = d.Token()
	d.entry = wire.MCPServerRegistryEntry{ServerID: "m365", Provider: "m365", EndpointURL: d.URL, InteractionMode: m365.Interactive,
		AuthProfileID: "auth-1", M365: &wire.M365Registration{OperationFamilies: all, RequestedScopes: m365.ScopesOf(all)}}
	d.profile = wire.MCPAuthProfile{AuthProfileID: "auth-1", AuthMode: "oauth2_delegated", Scopes: m365.ScopesOf(all)}
	d.s = m365.New(m365.Options{
		Binding: func(_ context.Context, p string) (wire.ProjectBinding, bool, error) {
			b, ok := d.bound[p]
			return b, ok, nil
		},
		Keep: func(_ context.Context, _ m365.Owner, name string, content []byte) (string, error) {
			ref := fmt.Sprintf("doc_%d_%s", len(d.kept), name)
			d.kept[ref] = content
			return ref, nil
		},
		Comments: func(b []byte) ([]m365.Comment, error) {
			return []m365.Comment{{CommentID: "0", Author: "Ada", Preview: strings.Repeat("é", 900)}, {CommentID: "1", Preview: string(b)}}, nil
		},
		Wait: func(_ context.Context, w time.Duration) error { d.waits = append(d.waits, w); return nil }})
	return d
}

func (d *desk) do(family string, args m) (m365.Response, error) {
	b, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	same := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := m365.Clients{Graph: &http.Client{Transport: bearer{d}, CheckRedirect: same}, Files: &http.Client{CheckRedirect: same}}
	r, err := d.s.Do(context.Background(), m365.Account{Entry: d.entry, Profile: d.profile, Clients: c}, family, b)
	judge(d.t, r)
	return r, err
}

// ok is the result of an operation that is done.
func (d *desk) ok(family string, args m) m {
	d.t.Helper()
	r, err := d.do(family, args)
	if err != nil {
		d.t.Fatalf("%s: %v", family, err)
	}
	b, _ := json.Marshal(r.Result)
	out := m{}
	_ = json.Unmarshal(b, &out)
	return out
}

// no is the code of an operation that is not done.
func (d *desk) no(family string, args m) (m365.Response, fault.Code) {
	d.t.Helper()
	r, err := d.do(family, args)
	if err == nil {
		d.t.Fatalf("%s was done: %+v", family, r.Result)
	}
	if r.Result != nil || r.ErrorCode != string(fault.CodeOf(err)) || strings.Contains(r.ErrorMessage+err.Error(), "CANARY") {
		d.t.Errorf("%s: %+v, %v", family, r, err)
	}
	return r, fault.CodeOf(err)
}

// judge checks a response's envelope (M365OperationResponseSchema).
func judge(t *testing.T, r m365.Response) {
	t.Helper()
	done := r.Status == "ok" || r.Status == "degraded"
	if r.OperationID == "" || r.ServerID == "" || r.GrantedScopes == nil || r.MissingScopes == nil || r.SchemaVersion != 1 ||
		done != (r.Result != nil) || done != (r.ErrorCode == "") || r.ThrottleState.State == "" || len([]rune(r.ErrorMessage)) > 500 {
		t.Errorf("the response is not of its form: %+v", r)
	}
}

func list(v any, key string) (out []string) {
	for _, x := range v.([]any) {
		out = append(out, fmt.Sprint(x.(map[string]any)[key]))
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func files(w *m365test.World) {
	for i := range 23 {
		w.Files = append(w.Files, m365test.File{Drive: "b!lib", ID: fmt.Sprintf("f%02d", i), Name: fmt.Sprintf("Report %02d.docx", i),
			Modified: fmt.Sprintf("2026-02-%02dT10:00:00Z", i+1)})
	}
	w.Files = append(w.Files, m365test.File{Drive: "b!lib", ID: "dir", Name: "Old", Folder: true},
		m365test.File{Drive: "b!lib", ID: "in", Parent: "dir", Name: "Plan.xlsx"},
		m365test.File{Drive: "mine", ID: "own", Name: "Own.txt"})
	w.Sites["contoso.sharepoint.com,1,2"], w.Sites["contoso.sharepoint.com:/sites/team"] = "b!lib", "b!lib"
	w.Links["https://contoso.sharepoint.com/:w:/s/x"] = "f03"
	w.Contents["f03"], w.Contents["own"] = []byte("three"), []byte("mine")
}

// DOC3 0.2E: sharepoint_list_documents, with paging on Graph's own origin.
func TestListDocuments(t *testing.T) {
	d := open(t)
	d.World(files)
	for _, site := range []string{"contoso.sharepoint.com,1,2", "contoso.sharepoint.com:/sites/team",
		"https://contoso.sharepoint.com/sites/team/Shared"} {
		got := d.ok(m365.ListDocuments, m{"site_ref": site})
		if refs := list(got["documents"], "document_ref"); len(refs) != 23 || refs[3] != "drives/b!lib/items/f03" {
			t.Errorf("%s: %v", site, refs)
		}
	}
	same(t, "at most", len(d.ok(m365.ListDocuments, m{"site_ref": "x", "drive_ref": "b!lib", "max_results": 12})["documents"].([]any)), 12)
	same(t, "a folder", list(d.ok(m365.ListDocuments, m{"site_ref": "x", "drive_ref": "b!lib", "folder_ref": "dir"})["documents"], "title"),
		[]string{"Plan.xlsx"})
	d.Odd(func(_, path string) *m365test.Answer {
		if !strings.HasSuffix(path, "/children") {
			return nil
		}
		return &m365test.Answer{Status: 200, Body: m{"value": []any{}, "@odata.nextLink": "https://elsewhere.example/v1.0/next"}}
	})
	if _, code := d.no(m365.ListDocuments, m{"site_ref": "x", "drive_ref": "b!lib"}); code != fault.ConnectorUnreachable {
		t.Errorf("a page elsewhere is asked for: %s", code)
	}
}

// DOC3 0.2E: onedrive_fetch_file. The content comes from another host, which sees no credentials.
func TestFetchFile(t *testing.T) {
	d := open(t)
	d.World(files)
	for ref, want := range map[string]string{"drives/b!lib/items/f03": "f03", "own": "own", "https://contoso.sharepoint.com/:w:/s/x": "f03"} {
		got := d.ok(m365.FetchFile, m{"drive_item_ref": ref})
		if !strings.HasSuffix(got["document_ref"].(string), "/"+want) || got["content_ref"] != nil || got["download_url"] != nil {
			t.Errorf("%s: %v", ref, got)
		}
	}
	got := d.ok(m365.FetchFile, m{"drive_item_ref": "drives/b!lib/items/f03", "include_content": true})
	same(t, "content", string(d.kept[got["content_ref"].(string)]), "three")
	for _, bad := range []string{"..", "drives/x/items/../me", "drives/x/items/a/b", "drives/only", "a\\b"} {
		d.Asked()
		if _, code := d.no(m365.FetchFile, m{"drive_item_ref": bad}); code != fault.InvalidRequest || len(d.Asked()) > 0 {
			t.Errorf("%q: %s", bad, code)
		}
	}
	if r, code := d.no(m365.FetchFile, m{"drive_item_ref": "gone/../../me/messages?x=#"}); code != fault.NotFound { // one escaped segment
		t.Errorf("%s %+v", code, r)
	}
	if _, code := d.no(m365.FetchFile, m{"drive_item_ref": "drives/b!lib/items/dir", "include_content": true}); code != fault.InvalidRequest {
		t.Errorf("a folder has a content: %s", code)
	}
}

// DOC3 0.2E: project_get_latest_document uses the project's bindings, then a search, then nothing.
func TestLatestDocument(t *testing.T) {
	d := open(t)
	d.World(files)
	d.bound["atlas"] = wire.ProjectBinding{ProjectID: "atlas", SharepointRefs: []string{"https://contoso.sharepoint.com/sites/team"},
		OnedriveRefs: []string{"gone"}, PreferredDocTypes: []string{".docx"}}
	got := d.ok(m365.LatestDocument, m{"project_id": "atlas"})
	same(t, "bound", got, m{"operation_family": m365.LatestDocument, "project_id": "atlas", "document_ref": "drives/b!lib/items/f22",
		"resolved_via": "project_binding"})
	got = d.ok(m365.LatestDocument, m{"project_id": "atlas", "title_hint": "report 07"})
	same(t, "by title", got["document_ref"], "drives/b!lib/items/f07")
	d.bound["folder"] = wire.ProjectBinding{ProjectID: "folder", OnedriveRefs: []string{"drives/b!lib/items/dir"}}
	same(t, "a folder", d.ok(m365.LatestDocument, m{"project_id": "folder"})["document_ref"], "drives/b!lib/items/in")
	d.World(func(w *m365test.World) {
		w.Hits["driveItem"] = []map[string]any{
			m365test.File{Drive: "b!z", ID: "old", Name: "Zeta brief.docx", Modified: "2025-01-01T00:00:00Z"}.Item(),
			m365test.File{Drive: "b!z", ID: "new", Name: "Zeta brief 2.docx", Modified: "2026-01-01T00:00:00Z"}.Item()}
	})
	got = d.ok(m365.LatestDocument, m{"project_id": "zeta", "document_role": "brief"})
	same(t, "searched", []any{got["document_ref"], got["resolved_via"]}, []any{"drives/b!z/items/new", "connector_search"})
	got = d.ok(m365.LatestDocument, m{"project_id": "zeta", "document_role": "invoice"})
	same(t, "none", []any{got["document_ref"], got["resolved_via"]}, []any{nil, "none"})
}

// DOC3 0.2E: search asks Graph once for each kind of entity, and for mail and people only where the sign-in covers them.
func TestSearch(t *testing.T) {
	d := open(t)
	d.World(func(w *m365test.World) {
		for i := range 60 {
			w.Hits["driveItem"] = append(w.Hits["driveItem"], m365test.File{Drive: "b!1", ID: fmt.Sprint("i", i), Name: "A.docx"}.Item())
			w.Hits["message"] = append(w.Hits["message"], m{"id": fmt.Sprint("m", i), "subject": strings.Repeat("s", 300),
				"receivedDateTime": "2026-02-01T00:00:00Z", "webLink": "javascript:alert(1)"})
		}
		w.Hits["site"] = []map[string]any{{"id": "s1", "name": "team", "displayName": "The team",
			"webUrl": "https://contoso.sharepoint.com/sites/team"}}
		w.Hits["person"] = []map[string]any{{"id": "p1", "displayName": "Ada"}}
	})
	got := d.ok(m365.Search, m{"query": "plan", "max_results": 100})
	kinds := map[string]int{}
	for _, k := range list(got["hits"], "source_kind") {
		kinds[k]++
	}
	same(t, "kinds", kinds, map[string]int{"file": 50, "site": 1, "mail": 49})
	same(t, "the best of each first", list(got["hits"], "source_kind")[:3], []string{"file", "site", "mail"})
	same(t, "a reference that can be fetched", list(got["hits"], "hit_id")[0], "drives/b!1/items/i0")
	for _, h := range got["hits"].([]any) {
		x := h.(map[string]any)
		if len([]rune(x["title"].(string))) > 240 || strings.HasPrefix(fmt.Sprint(x["url"]), "javascript") {
			t.Errorf("%v", x)
		}
	}
	r, code := d.no(m365.Search, m{"query": "plan", "entity_filters": []string{"people"}})
	if code != fault.M365ScopeMissing || !slices.Equal(r.MissingScopes, []string{"People.Read"}) || r.Status != "blocked" {
		t.Errorf("%s %+v", code, r)
	}
	d.profile.Scopes = append(d.profile.Scopes, "People.Read")
	same(t, "people", list(d.ok(m365.Search, m{"query": "ada", "entity_filters": []string{"people"}})["hits"], "title"), []string{"Ada"})
}

// DOC3 0.2E: outlook_mail_search, outlook_get_thread and outlook_draft_reply. Nothing is sent to anybody.
func TestMail(t *testing.T) {
	d := open(t)
	d.World(func(w *m365test.World) {
		for i := range 25 {
			w.Messages = append(w.Messages, m{"id": fmt.Sprintf("AAMk/%02d=", i), "subject": `An "offer"`, "conversationId": "it's one",
				"receivedDateTime": fmt.Sprintf("2026-02-%02dT00:00:00Z", 25-i),
				"from":             m{"emailAddress": m{"name": "Ada", "address": "ada@example.com"}}})
		}
		w.Messages = append(w.Messages, m{"id": "other", "subject": "Lunch", "conversationId": "two", "receivedDateTime": "2026-03-01T00:00:00Z"})
		w.Folders["archive"] = []string{"other"}
	})
	got := d.ok(m365.MailSearch, m{"query": `An "offer"`})
	same(t, "messages", len(got["messages"].([]any)), 25)
	same(t, "from", list(got["messages"], "from")[0], "Ada <ada@example.com>")
	same(t, "a folder", list(d.ok(m365.MailSearch, m{"query": "Lunch", "folder": "archive"})["messages"], "message_id"), []string{"other"})
	got = d.ok(m365.GetThread, m{"message_id": "AAMk/03="})
	ids := got["message_ids"].([]any)
	same(t, "thread", []any{got["thread_id"], len(ids), ids[0], ids[24]}, []any{"it's one", 25, "AAMk/24=", "AAMk/00="})
	const body = "Dear *Ada*,\n<b>yes</b>"
	got = d.ok(m365.DraftReply, m{"thread_id": "it's one", "body_markdown": body, "subject_override": "Yes"})
	same(t, "draft", got, m{"operation_family": m365.DraftReply, "draft_id": "draft-1", "thread_id": "it's one", "status": "draft_created"})
	sent := d.Asked()
	last := sent[len(sent)-1]
	same(t, "what is sent", []any{last.Path, last.Body}, []any{"/me/messages/AAMk%2F00=/createReply",
		map[string]any{"message": map[string]any{"subject": "Yes", "body": map[string]any{"contentType": "text", "content": body}}}})
	for _, x := range sent {
		if strings.Contains(strings.ToLower(x.Path), "send") {
			t.Errorf("something is sent: %s", x.Path)
		}
	}
	for _, args := range []m{{"body_markdown": "x"}, {"body_markdown": "x", "thread_id": "a", "message_id": "b"}, {"thread_id": "a"},
		{"thread_id": "a", "body_markdown": strings.Repeat("x", 40001)}, {"thread_id": "a", "body_markdown": "x", "to": "b"}} {
		if _, code := d.no(m365.DraftReply, args); code != fault.InvalidRequest {
			t.Errorf("%v: %s", args, code)
		}
	}
	if _, code := d.no(m365.GetThread, m{"thread_id": "none"}); code != fault.NotFound {
		t.Error(code)
	}
}

// DOC3 0.2E: calendar_check_availability, for others and for oneself.
func TestAvailability(t *testing.T) {
	d := open(t)
	d.World(func(w *m365test.World) {
		w.Free["a@example.com"], w.Free["b@example.com"] = "00220010", "00000340"
		w.Events = []map[string]any{{"id": "e1", "showAs": "oof", "start": m{"dateTime": "2026-05-04T09:20:00.0000000", "timeZone": "UTC"},
			"end": m{"dateTime": "2026-05-04T09:40:00.0000000", "timeZone": "UTC"}}}
	})
	at := m{"time_min": "2026-05-04T11:00:00+02:00", "time_max": "2026-05-04T13:00:00+02:00"}
	slots := func(args m) (out []string) {
		for k, v := range at {
			args[k] = v
		}
		for _, s := range d.ok(m365.Availability, args)["slots"].([]any) {
			x := s.(map[string]any)
			out = append(out, x["start_time"].(string)[11:16]+"-"+x["end_time"].(string)[11:16]+" "+x["state"].(string))
		}
		return out
	}
	same(t, "two people", slots(m{"attendee_emails": []string{"a@example.com", "b@example.com"}}), []string{"09:00-09:30 free",
		"09:30-10:00 busy", "10:00-10:15 free", "10:15-10:30 busy", "10:30-10:45 tentative", "10:45-11:00 free"})
	same(t, "long enough", slots(m{"attendee_emails": []string{"a@example.com"}, "duration_minutes": 30}), []string{"09:00-09:30 free",
		"09:30-10:00 busy", "10:00-10:30 free", "10:30-10:45 tentative"})
	same(t, "a stranger", slots(m{"attendee_emails": []string{"c@example.com"}}), []string{"09:00-11:00 unknown"})
	same(t, "oneself", slots(m{}), []string{"09:00-09:15 free", "09:15-09:45 busy", "09:45-11:00 free"})
	many := []string{}
	for i := range 45 {
		many = append(many, fmt.Sprintf("p%d@example.com", i))
	}
	d.Asked()
	slots(m{"attendee_emails": many})
	same(t, "twenty at a time", len(d.Asked()), 3)
	for _, args := range []m{{"time_min": "2026-05-04T11:00:00Z", "time_max": "2026-05-04T10:00:00Z"},
		{"time_min": "2026-05-04", "time_max": "x"},
		{"time_min": "2026-01-01T00:00:00Z", "time_max": "2026-05-04T10:00:00Z"}, {"time_min": "2026-05-04T10:00:00Z",
			"time_max": "2026-05-04T11:00:00Z", "attendee_emails": []string{"Ada <a@example.com>"}}} {
		if _, code := d.no(m365.Availability, args); code != fault.InvalidRequest {
			t.Errorf("%v: %s", args, code)
		}
	}
}

// DOC3 0.2E: calendar_create_event and calendar_update_event send what they are given, and nothing else.
func TestEvents(t *testing.T) {
	d := open(t)
	got := d.ok(m365.CreateEvent, m{"title": "Review", "start_time": "2026-05-04T11:00:00+02:00", "end_time": "2026-05-04T12:00:00+02:00",
		"attendee_emails": []string{"a@example.com"}, "location": "Room 1", "body_markdown": "*bring* <b>it</b>"})
	same(t, "created", got, m{"operation_family": m365.CreateEvent, "event_id": "event-1", "status": "created"})
	sent := d.Asked()[0].Body
	if sent["transactionId"] == "" {
		t.Error("a repeat would make a second event")
	}
	delete(sent, "transactionId")
	same(t, "sent", sent, map[string]any{"subject": "Review", "start": map[string]any{"dateTime": "2026-05-04T09:00:00", "timeZone": "UTC"},
		"end":      map[string]any{"dateTime": "2026-05-04T10:00:00", "timeZone": "UTC"},
		"location": map[string]any{"displayName": "Room 1"}, "body": map[string]any{"contentType": "text", "content": "*bring* <b>it</b>"},
		"attendees": []any{map[string]any{"type": "required", "emailAddress": map[string]any{"address": "a@example.com"}}}})
	got = d.ok(m365.UpdateEvent, m{"event_id": "event-1", "title": "Later"})
	same(t, "updated", got, m{"operation_family": m365.UpdateEvent, "event_id": "event-1", "status": "updated"})
	same(t, "only the title", d.Asked()[0].Body, map[string]any{"subject": "Later"})
	d.ok(m365.UpdateEvent, m{"event_id": "event-1", "attendee_emails": []string{}, "body_markdown": ""})
	same(t, "nobody any more", d.Asked()[0].Body, map[string]any{"attendees": []any{},
		"body": map[string]any{"contentType": "text", "content": ""}})
	if _, code := d.no(m365.UpdateEvent, m{"event_id": "event-1"}); code != fault.InvalidRequest {
		t.Error(code)
	}
	if _, code := d.no(m365.UpdateEvent, m{"event_id": "none", "title": "x"}); code != fault.NotFound {
		t.Error(code)
	}
}

// DOC3 0.2E: word_fetch_content and word_fetch_comments.
func TestWord(t *testing.T) {
	d := open(t)
	d.World(files)
	got := d.ok(m365.WordContent, m{"document_ref": "drives/b!lib/items/f03", "include_comments": true})
	same(t, "content", []any{string(d.kept[got["content_ref"].(string)]), got["comment_count"]}, []any{"three", 2.0})
	got = d.ok(m365.WordComments, m{"document_ref": "drives/b!lib/items/f03"})
	first := got["comments"].([]any)[0].(map[string]any)
	if len([]rune(first["preview"].(string))) != 500 || first["author"] != "Ada" {
		t.Errorf("%v", first)
	}
	same(t, "at most", len(d.ok(m365.WordComments, m{"document_ref": "drives/b!lib/items/f03", "max_results": 1})["comments"].([]any)), 1)
	if _, code := d.no(m365.WordContent, m{"document_ref": "own"}); code != fault.InvalidRequest {
		t.Error(code)
	}
}

// DOC3 0.2E: teams_post_message and teams_get_channel_context; each target needs its own scope.
func TestTeams(t *testing.T) {
	d := open(t)
	got := d.ok(m365.PostMessage, m{"target_kind": "channel", "target_ref": "team-1/19:abc@thread.tacv2", "message_markdown": "**Hi**"})
	same(t, "posted", got, m{"operation_family": m365.PostMessage, "message_id": "post-1", "target_kind": "channel",
		"target_ref": "team-1/19:abc@thread.tacv2"})
	same(t, "sent", d.Asked()[0].Body, map[string]any{"body": map[string]any{"contentType": "text", "content": "**Hi**"}})
	d.ok(m365.PostMessage, m{"target_kind": "chat", "target_ref": "19:chat@unq.gbl.spaces", "message_markdown": "Hi"})
	d.profile.Scopes = slices.DeleteFunc(slices.Clone(d.profile.Scopes), func(s string) bool { return s == "Chat.ReadWrite" })
	r, code := d.no(m365.PostMessage, m{"target_kind": "chat", "target_ref": "19:chat@unq.gbl.spaces", "message_markdown": "Hi"})
	if code != fault.M365ScopeMissing || !slices.Equal(r.MissingScopes, []string{"Chat.ReadWrite"}) {
		t.Errorf("%s %+v", code, r)
	}
	d.ok(m365.PostMessage, m{"target_kind": "channel", "target_ref": "team-1/19:abc@thread.tacv2", "message_markdown": "Hi"})
	got = d.ok(m365.ChannelContext, m{"team_id": "team-1", "channel_id": "19:abc@thread.tacv2"})
	same(t, "channel", got, m{"operation_family": m365.ChannelContext, "team_id": "team-1", "channel_id": "19:abc@thread.tacv2",
		"channel_name": "General", "recent_message_count": 0.0})
	args := m{"team_id": "team-1", "channel_id": "19:abc@thread.tacv2", "include_recent_messages": true}
	if _, code := d.no(m365.ChannelContext, args); code != fault.M365ScopeMissing {
		t.Error(code)
	}
	d.profile.Scopes = append(d.profile.Scopes, "https://graph.microsoft.com/channelmessage.read.all")
	same(t, "recent", d.ok(m365.ChannelContext, args)["recent_message_count"], 2.0)
	bad := m{"target_kind": "channel", "target_ref": "only-a-team", "message_markdown": "x"}
	if _, code := d.no(m365.PostMessage, bad); code != fault.InvalidRequest {
		t.Error(code)
	}
}

// DOC3 0.2E, M365_DELEGATED_ONLY_OPERATION, M365_BACKGROUND_ONLY_OPERATION, M365_FORBIDDEN_AUTH_MODE at run time: nothing
// is sent.
func TestModes(t *testing.T) {
	d := open(t)
	post := m{"target_kind": "chat", "target_ref": "c", "message_markdown": "x", "interaction_mode": m365.Background}
	if _, code := d.no(m365.PostMessage, post); code != fault.M365DelegatedOnly {
		t.Error(code)
	}
	list := m{"site_ref": "x", "interaction_mode": m365.Background}
	if _, code := d.no(m365.ListDocuments, list); code != fault.M365ForbiddenAuthMode {
		t.Error(code)
	}
	d.entry.InteractionMode, d.entry.M365.AllowBackgroundServiceOps, d.profile.AuthMode = m365.Background, true, "oauth2_client_credentials"
	if _, code := d.no(m365.ListDocuments, m{"site_ref": "x", "interaction_mode": m365.Interactive}); code != fault.M365BackgroundOnly {
		t.Error(code)
	}
	if _, code := d.no(m365.MailSearch, m{"query": "x"}); code != fault.M365DelegatedOnly {
		t.Error(code)
	}
	d.entry.M365.OperationFamilies = []string{m365.ListDocuments}
	if _, code := d.no(m365.Search, m{"query": "x"}); code != fault.InvalidRequest {
		t.Error(code)
	}
	if n := len(d.Asked()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	d.World(files)
	r, err := d.do(m365.ListDocuments, m{"site_ref": "contoso.sharepoint.com,1,2"})
	if err != nil || r.IdentityAssertedKind != "service_principal" {
		t.Errorf("%v %+v", err, r)
	}
}

// M365_AUTH_EXPIRED, throttling with Retry-After, 403, 5xx, redirects and huge answers.
func TestWhenGraphSaysNo(t *testing.T) {
	d := open(t)
	query := m{"query": "x"}
	for range 2 { // short waits are waited for, by a write, too
		d.Next(1, m365test.Answer{Status: 429, Header: map[string]string{"Retry-After": "2"}, Body: oops("TooManyRequests")})
	}
	d.ok(m365.PostMessage, m{"target_kind": "chat", "target_ref": "c", "message_markdown": "x"})
	same(t, "waits", d.waits, []time.Duration{2 * time.Second, 2 * time.Second})
	same(t, "posted once", len(d.Asked()), 3)
	for _, x := range []struct {
		a     m365test.Answer
		n     int
		code  fault.Code
		state string
	}{
		{m365test.Answer{Status: 429, Header: map[string]string{"Retry-After": "120"}, Body: oops("TooManyRequests")}, 1,
			fault.ConnectorThrottled, "rate_limited"},
		{m365test.Answer{Status: 503, Header: map[string]string{"Retry-After": "120"}, Body: oops("serviceNotAvailable")}, 1,
			fault.ConnectorThrottled, "server_backoff"},
		{m365test.Answer{Status: 429, Body: oops("TooManyRequests")}, 1, fault.ConnectorThrottled, "cooldown"},
		{m365test.Answer{Status: 429, Header: map[string]string{"Retry-After": "1"}, Body: oops("TooManyRequests")}, 3, fault.ConnectorThrottled,
			"rate_limited"},
		{m365test.Answer{Status: 401, Body: oops("InvalidAuthenticationToken")}, 1, fault.M365AuthExpired, "none"},
		{m365test.Answer{Status: 403, Body: oops("Authorization_RequestDenied")}, 1, fault.M365ScopeMissing, "none"},
		{m365test.Answer{Status: 403, Body: oops("ErrorAccessDenied")}, 1, fault.NotFound, "none"},
		{m365test.Answer{Status: 400, Body: oops("BadRequest")}, 1, fault.InvalidRequest, "none"},
		{m365test.Answer{Status: 500, Body: oops("generalException")}, 1, fault.ConnectorUnreachable, "none"},
		{m365test.Answer{Status: 504, Raw: "<html>CANARY</html>"}, 1, fault.ConnectorUnreachable, "none"},
		{m365test.Answer{Status: 302, Header: map[string]string{"Location": "https://elsewhere.example/"}}, 1, fault.ConnectorUnreachable,
			"none"},
		{m365test.Answer{Status: 200, Raw: "no JSON"}, 1, fault.ConnectorUnreachable, "none"},
		{m365test.Answer{Status: 200, Raw: `{"value":"` + strings.Repeat("x", 9<<20) + `"}`}, 1, fault.ConnectorUnreachable, "none"},
	} {
		d.Next(x.n, x.a)
		d.Asked()
		r, code := d.no(m365.MailSearch, query)
		if code != x.code || r.ThrottleState.State != x.state || len(d.Asked()) != x.n {
			t.Errorf("%d %v: %s, %+v", x.a.Status, x.a.Header, code, r)
		}
	}
	d.ok(m365.MailSearch, query)
}

func oops(code string) any {
	return m{"error": m{"code": code, "message": "CANARY what the service says of the person's own data"}}
}

// A call that its caller gave up is cancelled, not failed.
func TestCancelled(t *testing.T) {
	d := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := d.s.Do(ctx, m365.Account{Entry: d.entry, Profile: d.profile, Clients: m365.Clients{Graph: http.DefaultClient}}, m365.GetThread,
		json.RawMessage(`{"thread_id":"x"}`))
	if !fault.Is(err, fault.Cancelled) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A test of an application's connector fails when Microsoft does not know the application.
func TestPingOfAnApplication(t *testing.T) {
	d := open(t)
	d.profile.AuthMode, d.entry.InteractionMode = "oauth2_client_credentials", m365.Background
	n, c := d.native()
	if err := n.Ping(t.Context(), c.Graph); err != nil {
		t.Error(err)
	}
	d.Next(1, m365test.Answer{Status: 403, Body: oops("Authorization_RequestDenied")}) // known, but not allowed this
	if err := n.Ping(t.Context(), c.Graph); err != nil {
		t.Error(err)
	}
	d.token = "stale"
	if err := n.Ping(t.Context(), c.Graph); !fault.Is(err, fault.M365AuthExpired) || strings.Contains(fault.From(err).Hint, "login") {
		t.Errorf("%v", err)
	}
}
