package presence

import (
	"slices"

	"showhow/daemon/access"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// offerToTray lets the tray answer a confirmation, and returns the ticket that the requester uses afterwards.
func (c *Confirmations) offerToTray(id string, ch Challenge, askedIn string) (ticket string) {
	ticket = access.NewToken("shask_")
	c.mu.Lock()
	defer c.mu.Unlock()
	if o, ok := c.open[id]; ok {
		o.challenge, o.askedIn, o.ticket, o.inTray = ch, askedIn, ticket, true
	}
	return ticket
}

// Pending lists what the tray can confirm, oldest first.
func (c *Confirmations) Pending() []wire.PendingConfirmation {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []wire.PendingConfirmation{}
	for id, o := range c.open {
		if o.inTray && o.answer == notAnswered && c.now().Before(o.expires) {
			out = append(out, wire.PendingConfirmation{ConfirmationID: id, Action: o.Action, Question: Questions[o.Action], About: o.challenge.Lines,
				AskedIn: o.askedIn, Revision: o.Revision, ContentHash: o.Hash, ExpiresAt: clock.At(o.expires)})
		}
	}
	slices.SortFunc(out, func(a, b wire.PendingConfirmation) int { return a.ExpiresAt.Compare(b.ExpiresAt.Time) })
	return out
}

// State is the state of a confirmation.
func (c *Confirmations) State(id string) (wire.ConfirmationState, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) {
		return wire.ConfirmationState{}, fault.New(fault.NotFound, "the confirmation is unknown, used or expired").WithHint("ask for a new one")
	}
	return wire.ConfirmationState{ConfirmationID: id, State: string(o.answer)}, nil
}

// Settle records a person's answer, which is final.
func (c *Confirmations) Settle(id string, allow bool) (wire.ConfirmationState, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) || !o.inTray || o.answer != notAnswered {
		return wire.ConfirmationState{}, fault.New(fault.NotFound,
			"it does not wait for an answer any more").WithHint("ask for a new confirmation")
	}
	if o.answer = refused; allow {
		o.answer = granted
	}
	return wire.ConfirmationState{ConfirmationID: id, State: string(o.answer)}, nil
}
