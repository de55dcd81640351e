package client

import (
	"context"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ConfirmationService is the part of the API about a person's confirmation: requesting it, and answering in the tray.
type ConfirmationService struct{ t *transport }

// AskConfirmation makes the daemon show a code on the caller's terminal.
func (c ConfirmationService) AskConfirmation(ctx context.Context, r ConfirmationRequest) (Confirmation, error) {
	return post[Confirmation](ctx, c.t, "/api/confirmations", r)
}

// Confirmations lists what the tray can confirm; answering means that this is a tray that a panel shows.
func (c ConfirmationService) Confirmations(ctx context.Context, answering bool) (PendingConfirmations, error) {
	q := url.Values{}
	if answering {
		q.Set("answering", "true")
	}
	return get[PendingConfirmations](ctx, c.t, "/api/confirmations", q)
}

// Confirmation returns whether it was answered in the tray.
func (c ConfirmationService) Confirmation(ctx context.Context, id string) (ConfirmationState, error) {
	return get[ConfirmationState](ctx, c.t, at("/api/confirmations/", id), nil)
}

// AnswerConfirmation is a click in the tray, by the process that the bus names.
func (c ConfirmationService) AnswerConfirmation(ctx context.Context, id string, allow bool, clickedBy int) (ConfirmationState, error) {
	return post[ConfirmationState](ctx, c.t, at("/api/confirmations/", id, "/answer"),
		wire.ConfirmationAnswer{Allow: allow, ClickedBy: clickedBy})
}

// presence reads what a PRESENCE_REQUIRED requires.
func presence(err error) (Presence, bool) {
	if !fault.Is(err, fault.PresenceRequired) {
		return Presence{}, false
	}
	d := fault.From(err).Details
	text := func(k string) string { s, _ := d[k].(string); return s }
	p := Presence{Action: text("action"), SubjectID: text("subject_id"), ContentHash: text("content_hash")}
	if n, ok := d["revision"].(float64); ok {
		p.Revision = int(n)
	}
	return p, p.Action != ""
}

// askPerson opens a confirmation, gets the code from the hook, and puts both on the request.
func (c *transport) askPerson(ctx context.Context, r *call, ask Presence) error {
	quiet := *c
	quiet.confirm, quiet.record = nil, nil
	open, err := ConfirmationService{&quiet}.AskConfirmation(ctx,
		ConfirmationRequest{Action: ask.Action, SubjectID: ask.SubjectID, Revision: ask.Revision, ContentHash: ask.ContentHash})
	if err != nil {
		return err
	}
	code, err := quiet.word(ctx, c.confirm, ask, open)
	if err != nil {
		return err
	}
	Confirmed(open.ConfirmationID, code)(r)
	return nil
}

// trayEvery is the interval of polling for the tray's answer.
const trayEvery = 300 * time.Millisecond

// word returns the typed code, or the ticket once the person has confirmed in the tray, whichever comes first.
func (c *transport) word(ctx context.Context, hook Confirm, ask Presence, open Confirmation) (string, error) {
	if open.Ticket == "" {
		return hook(ctx, ask, open)
	}
	typing, answered := context.WithCancel(ctx)
	defer answered()
	type word struct {
		code string
		err  error
	}
	typed := make(chan word, 1)
	go func() {
		code, err := hook(typing, ask, open)
		typed <- word{code, err}
	}()
	for {
		select {
		case w := <-typed:
			return w.code, w.err
		case <-time.After(trayEvery):
		}
		st, err := ConfirmationService{c}.Confirmation(ctx, open.ConfirmationID)
		if err == nil && st.State == "open" {
			continue
		}
		answered()
		if w := <-typed; w.err == nil {
			return w.code, nil // typed at the last moment
		}
		switch {
		case err != nil:
			return "", err
		case st.State != "granted":
			return "", fault.New(fault.PresenceRejected, "you refused it in the tray")
		}
		return open.Ticket, nil
	}
}

// Deed is what a yes to a question does, in the question's own words, behind "to": "Send this skill to a registry?" is "send
// this skill to a registry". Without a question it is the action's name.
func Deed(question, action string) string {
	said := strings.TrimSuffix(question, "?")
	if said == "" {
		return strings.ReplaceAll(action, "-", " ")
	}
	first, n := utf8.DecodeRuneInString(said)
	return string(unicode.ToLower(first)) + said[n:]
}
