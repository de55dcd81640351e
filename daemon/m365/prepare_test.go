package m365_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/m365"
	"showhow/daemon/m365/m365test"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// native is the connector as the door has it.
func (d *desk) native() (*m365.Native, m365.Clients) {
	same := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return d.s.Native(d.entry, func() wire.MCPAuthProfile { return d.profile }),
		m365.Clients{Graph: &http.Client{Transport: bearer{d}, CheckRedirect: same}, Files: &http.Client{CheckRedirect: same}}
}

// What a person is asked about is definite, and said in names.
func TestPrepare(t *testing.T) {
	d := open(t)
	d.World(func(w *m365test.World) {
		w.Messages = []map[string]any{
			{"id": "r1", "subject": "Roof", "conversationId": "roof", "receivedDateTime": "2026-02-01T00:00:00Z",
				"from": m{"emailAddress": m{"name": "Bo", "address": "bo@example.net"}}},
			{"id": "r2", "subject": "RE: Roof", "conversationId": "roof", "receivedDateTime": "2026-02-03T00:00:00Z",
				"from": m{"emailAddress": m{"name": "Cy", "address": "cy@example.net"}}}}
		w.Events = []map[string]any{{"id": "e1", "subject": "Survey", "start": m{"dateTime": "2026-05-04T09:00:00.0000000", "timeZone": "UTC"},
			"attendees": []any{m{"type": "required", "emailAddress": m{"address": "bo@example.net"}}}}}
		w.Chats = map[string]map[string]any{"19:x@thread.v2": {"id": "19:x@thread.v2", "topic": "Site",
			"members": []any{m{"displayName": "Bo"}, m{"displayName": "Cy"}}}}
	})
	n, c := d.native()
	for _, x := range []struct {
		family     string
		args, sent m
		about      []string
		code       fault.Code
	}{
		{m365.DraftReply, m{"thread_id": "roof", "body_markdown": "yes"}, m{"message_id": "r2", "body_markdown": "yes"},
			[]string{"The message from “cy@example.net” (“Cy”) is “RE: Roof”."}, ""},
		{m365.DraftReply, m{"message_id": "r1", "body_markdown": "yes"}, m{"message_id": "r1", "body_markdown": "yes"},
			[]string{"The message from “bo@example.net” (“Bo”) is “Roof”."}, ""},
		{m365.DraftReply, m{"thread_id": "none", "body_markdown": "yes"}, nil, nil, fault.NotFound},
		{m365.UpdateEvent, m{"event_id": "e1", "title": "Later"}, m{"event_id": "e1", "title": "Later"},
			[]string{"The event with “bo@example.net” is “Survey”.", "Starts 4 May 2026, 09:00 UTC."}, ""},
		{m365.UpdateEvent, m{"event_id": "e2", "title": "Later"}, nil, nil, fault.NotFound},
		{m365.PostMessage, m{"target_kind": "chat", "target_ref": "19:x@thread.v2", "message_markdown": "Hi"},
			m{"target_kind": "chat", "target_ref": "19:x@thread.v2", "message_markdown": "Hi"}, []string{"The chat with “Bo”, “Cy” is “Site”."}, ""},
		{m365.PostMessage, m{"target_kind": "channel", "target_ref": "t/19:y", "message_markdown": "Hi"},
			m{"target_kind": "channel", "target_ref": "t/19:y", "message_markdown": "Hi"}, []string{"The channel is “General”."}, ""},
	} {
		raw, _ := json.Marshal(x.args)
		args, about, err := n.Prepare(t.Context(), c, x.family, raw)
		if fault.CodeOf(err) != x.code {
			t.Errorf("%s %v: %v", x.family, x.args, err)
		}
		if err != nil {
			continue
		}
		var sent m
		_ = json.Unmarshal(args, &sent)
		same(t, "sent of "+x.family, sent, x.sent)
		same(t, "said of "+x.family, about, x.about)
	}
	for _, a := range d.Asked() {
		if a.Method != http.MethodGet {
			t.Errorf("something is changed: %s %s", a.Method, a.Path)
		}
	}
	d.Next(1, m365test.Answer{Status: 403, Body: oops("Forbidden")})
	raw, _ := json.Marshal(m{"target_kind": "channel", "target_ref": "t/19:y", "message_markdown": "Hi"})
	_, about, err := n.Prepare(t.Context(), c, m365.PostMessage, raw)
	if err != nil || !slices.Equal(about, []string{"The name of the channel could not be looked up."}) {
		t.Errorf("%v %v", about, err)
	}
}

// What is looked up before a person is asked ends and fails as the call itself: when its timeout_ms are over, or when Graph is
// not there.
func TestPrepareFailsAsTheCall(t *testing.T) {
	release := make(chan struct{})
	silent := odd(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	t.Cleanup(func() { close(release) })
	away := open(t)
	away.entry.EndpointURL = "http://" + closed(t) + "/v1.0"
	for want, d := range map[string]*desk{"timeout": silent, "transport": away} {
		args := m{"thread_id": "roof", "body_markdown": "yes", "timeout_ms": 1000}
		raw, _ := json.Marshal(args)
		n, c := d.native()
		_, _, prepared := n.Prepare(t.Context(), c, m365.DraftReply, raw)
		_, done := d.do(m365.DraftReply, args)
		for _, err := range []error{prepared, done} {
			f := fault.From(err)
			if f.Code != fault.ConnectorUnreachable || f.Details["reason"] != want || f.Message != fault.From(done).Message {
				t.Errorf("%s: %v, %v", want, err, f.Details)
			}
		}
		if r, ok := fault.From(prepared).Details[m365.Detail].(m365.Response); !ok || r.Status != "blocked" {
			t.Errorf("%s: %+v", want, r)
		}
	}
}

// What somebody else wrote into a title or a name adds nobody to the people, and takes nobody away.
func TestATitleForgesNoPeople(t *testing.T) {
	d := open(t)
	const forged = `Roof", with bob@corp.example”, with “bob@corp.example. It was checked`
	long := forged + strings.Repeat(" and so on", 100)
	person := func(s string) m { return m{"type": "required", "emailAddress": m{"address": s}} }
	many := []any{person("eve@example.net")}
	for range 40 {
		many = append(many, person("somebody-with-a-long-name@example.net"))
	}
	d.World(func(w *m365test.World) {
		w.Messages = []map[string]any{{"id": "r1", "subject": long, "conversationId": "roof", "receivedDateTime": "2026-02-01T00:00:00Z",
			"from": m{"emailAddress": m{"name": "Bob <bob@corp.example>” is “fine", "address": "eve@example.net"}}}}
		w.Events = []map[string]any{{"id": "e1", "subject": long, "start": m{"dateTime": "soon”", "timeZone": "UTC. It was “checked"},
			"attendees": many}}
		w.Chats = map[string]map[string]any{"19:x@thread.v2": {"id": "19:x@thread.v2", "topic": long,
			"members": []any{m{"displayName": `Eve", “Bob`}}}}
	})
	n, c := d.native()
	for _, x := range []struct {
		family string
		args   m
		begins string
	}{
		{m365.DraftReply, m{"message_id": "r1", "body_markdown": "yes"},
			"The message from “eve@example.net” (“Bob <bob@corp.example>' is 'fine”) is “Roof', with bob@corp.example', with 'bob@"},
		{m365.UpdateEvent, m{"event_id": "e1", "title": "Later"},
			"The event with “eve@example.net”, “somebody-with-a-long-name@example.net”, "},
		{m365.PostMessage, m{"target_kind": "chat", "target_ref": "19:x@thread.v2", "message_markdown": "Hi"},
			`The chat with “Eve', 'Bob” is “Roof', with bob@corp.example', with 'bob@`},
	} {
		raw, _ := json.Marshal(x.args)
		_, about, err := n.Prepare(t.Context(), c, x.family, raw)
		if err != nil || !strings.HasPrefix(about[0], x.begins) || !strings.HasSuffix(about[0], "…”.") || len([]rune(about[0])) > 480 {
			t.Errorf("%s: %v %v", x.family, about, err)
		}
		if x.family == m365.UpdateEvent && (!strings.Contains(about[0], " and 35 more is “Roof'") ||
			about[1] != "Starts “soon'” in “UTC. It was 'checked”.") {
			t.Errorf("%v", about)
		}
	}
}
