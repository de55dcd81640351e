package acceptance_test

import (
	"context"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/canary"
	"showhow/internal/fault"
)

// A preview shows what a session would keep, as it would keep it, and leaves nothing behind (decisions A4).
func TestR11_2_PreviewShowsAndStoresNothing(t *testing.T) {
	w := begin(t)
	sh := w.shell()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	updates := make(chan client.PreviewUpdate, 100)
	over := make(chan error, 1)
	go func() {
		over <- w.c.Preview(ctx, client.PreviewRequest{Scope: client.Scope{Shells: []string{sh.tty}}},
			func(u client.PreviewUpdate, _ client.Event) error { updates <- u; return nil })
	}()
	next := func(ok func(client.PreviewUpdate) bool) client.PreviewUpdate {
		t.Helper()
		for {
			select {
			case u := <-updates:
				if ok(u) {
					return u
				}
			case err := <-over:
				t.Fatalf("the preview ended: %v", err)
			case <-t.Context().Done():
				t.Fatal("no update")
			}
		}
	}
	next(func(u client.PreviewUpdate) bool { return len(u.Adapters) > 0 })
	sh.marked(true)
	const secret = "Canary7Preview42"
	sh.run("echo previewed --password " + secret)
	r := next(func(u client.PreviewUpdate) bool {
		return u.Record != nil && strings.Contains(u.Record.Event.ActionLabel, "previewed")
	}).Record
	if strings.Contains(r.Event.ActionLabel, secret) {
		t.Error("a preview must redact like a session")
	}
	if _, err := w.c.Runtime(t.Context()); !fault.Is(err, fault.LearnSessionNotFound) {
		t.Errorf("a preview is no session: %v", err)
	}
	if st := got(w.c.Status(t.Context()))(t); !st.Previewing {
		t.Error("status must say that a preview looks on")
	}

	// A session takes its place.
	s := got(w.c.CreateSession(t.Context(), client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent", Goal: "x",
		Scope: &client.Scope{Shells: []string{sh.tty}}}))(t)
	got(w.c.StartSession(t.Context(), s.Session.LearnSessionID))(t)
	if err := <-over; err != nil {
		t.Errorf("the preview must end quietly when a session starts: %v", err)
	}
	err := w.c.Preview(t.Context(), client.PreviewRequest{Scope: client.Scope{Shells: []string{sh.tty}}},
		func(client.PreviewUpdate, client.Event) error { return nil })
	refused(t, err, fault.LearnSessionAlreadyActive)
	got(w.c.CancelSession(t.Context(), s.Session.LearnSessionID, ""))(t)
	w.stop()
	planted := []canary.Canary{{Label: "the secret", Text: secret}, {Label: "the command", Text: "previewed"}}
	if hits := got(canary.Scan(w.o.Roots.Data, planted...))(t); len(hits) > 0 {
		t.Errorf("a preview left something behind: %v", hits)
	}
	if hits := got(canary.Bytes("the log", []byte(w.log.String()), planted...))(t); len(hits) > 0 {
		t.Errorf("a preview told the log: %v", hits)
	}
}

// A scope that is widened while watching starts the adapters that it asks for.
func TestR11_2_AWiderScopeStartsItsAdapters(t *testing.T) {
	w := begin(t)
	sh := w.shell()
	s := got(w.c.CreateSession(t.Context(), client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Goal: "x"}))(t).Session
	got(w.c.StartSession(t.Context(), s.LearnSessionID))(t)
	got(w.c.SetScope(t.Context(), s.LearnSessionID, client.ScopeRequest{Scope: client.Scope{Shells: []string{sh.tty}}}))(t)
	sh.marked(true)
	sh.run("echo widened")
	w.until("the command is kept", func() bool {
		return got(w.c.ObservationScope(t.Context(), s.LearnSessionID))(t).EventsKept > 0
	})
}
