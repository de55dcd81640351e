package m365_test

import (
	"encoding/json"
	"net/http"
	"slices"
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
			[]string{`The message is "RE: Roof", from Cy <cy@example.net>.`}, ""},
		{m365.DraftReply, m{"message_id": "r1", "body_markdown": "yes"}, m{"message_id": "r1", "body_markdown": "yes"},
			[]string{`The message is "Roof", from Bo <bo@example.net>.`}, ""},
		{m365.DraftReply, m{"thread_id": "none", "body_markdown": "yes"}, nil, nil, fault.NotFound},
		{m365.UpdateEvent, m{"event_id": "e1", "title": "Later"}, m{"event_id": "e1", "title": "Later"},
			[]string{`The event is "Survey", with bo@example.net.`, "Starts 4 May 2026, 09:00 UTC."}, ""},
		{m365.UpdateEvent, m{"event_id": "e2", "title": "Later"}, nil, nil, fault.NotFound},
		{m365.PostMessage, m{"target_kind": "chat", "target_ref": "19:x@thread.v2", "message_markdown": "Hi"},
			m{"target_kind": "chat", "target_ref": "19:x@thread.v2", "message_markdown": "Hi"}, []string{`The chat is "Site", with Bo, Cy.`}, ""},
		{m365.PostMessage, m{"target_kind": "channel", "target_ref": "t/19:y", "message_markdown": "Hi"},
			m{"target_kind": "channel", "target_ref": "t/19:y", "message_markdown": "Hi"}, []string{`The channel is "General".`}, ""},
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
