package client

import (
	"context"
	"net/url"

	"showhow/daemon/wire"
)

// ConfirmationService is the part of the API about a person's word: asking for it, and answering in the tray.
type ConfirmationService struct{ t *transport }

// AskConfirmation has the daemon show a code on the caller's terminal.
func (c ConfirmationService) AskConfirmation(ctx context.Context, r ConfirmationRequest) (Confirmation, error) {
	return post[Confirmation](ctx, c.t, "/api/confirmations", r)
}

// Confirmations are what the tray can be asked; answering: this is a tray that a panel shows.
func (c ConfirmationService) Confirmations(ctx context.Context, answering bool) (PendingConfirmations, error) {
	q := url.Values{}
	if answering {
		q.Set("answering", "true")
	}
	return get[PendingConfirmations](ctx, c.t, "/api/confirmations", q)
}

// Confirmation says whether it was answered in the tray.
func (c ConfirmationService) Confirmation(ctx context.Context, id string) (ConfirmationState, error) {
	return get[ConfirmationState](ctx, c.t, at("/api/confirmations/", id), nil)
}

// AnswerConfirmation is a click in the tray, by the process that the bus names.
func (c ConfirmationService) AnswerConfirmation(ctx context.Context, id string, allow bool, clickedBy int) (ConfirmationState, error) {
	return post[ConfirmationState](ctx, c.t, at("/api/confirmations/", id, "/answer"), wire.ConfirmationAnswer{Allow: allow, ClickedBy: clickedBy})
}
