package api

import (
	"context"
	"os"
	"slices"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// A click in the tray is a person's word for what the tray shows in full: a run's question, and every confirmation that waits
// for a code somewhere else, as long as all of it fits into a menu. It is for the very request that was sent back for it.
//
// Any program on the session bus can send a click to the tray. So the tray names the process that did, which the bus knows from
// the kernel, and that process is examined like a caller: one below an agent is refused, the desktop's panel is not. The tray
// itself must be this very program, and a person's. It never sees a code; who asked uses a ticket that nobody else got.
//
// What this cannot stop: what ancestry cannot see (principal.go): a program that detached itself from an agent without a mark
// and has a bus of its own, or that controls the panel by synthetic input. The same program could as well read a terminal.
var trayActions = set("answer-run") // what the tray asks for itself

// byClick reports whether the caller is our tray, which may answer for the person who clicked; err says why it may not.
func (s *Server) byClick(c *Caller, clicker int) (bool, error) {
	if clicker == 0 || !s.isTray(c) {
		return false, nil
	}
	p := s.ancestry.principal(peer{pid: clicker, alive: func() bool { return true }})
	if p.Kind != access.User {
		return false, rejected("the click was not a person's: " + p.Why)
	}
	return true, nil
}

// isTray reports whether the caller is a person's and this very program, as the tray is.
func (s *Server) isTray(c *Caller) bool {
	if c.Kind != access.User || !c.machine {
		return false
	}
	self, err := os.Executable()
	return err == nil && runs(c.pid, self)
}

// trayGone is how long after its last look a tray counts as there; it looks every three seconds.
const trayGone = 10 * time.Second

// trayThere reports whether a tray that a panel shows could be clicked.
func (s *Server) trayThere() bool {
	return s.deps.wall().Sub(time.Unix(0, s.trayLooked.Load())) < trayGone
}

type confirmationPath struct {
	ConfirmationID string `path:"confirmationId" format:"uuid"`
}

type confirmationList struct {
	Answering bool `query:"answering" doc:"from Showhow's tray: a panel shows it, so it can be clicked"`
}

func (s *Server) confirmationRoutes() {
	list := get("list-confirmations", "/api/confirmations", tagAccess,
		"What waits for a person's word and can be answered in the tray; codes are not among it", userReads)
	list.access.Transport = "socket"
	register(s, list, func(ctx context.Context, p *confirmationList, _ *none) (*reply[wire.PendingConfirmations], error) {
		if p.Answering && s.isTray(CallerOf(ctx)) {
			s.trayLooked.Store(s.deps.wall().UnixNano())
		}
		return answer(wire.PendingConfirmations{Confirmations: s.confirm.pending(), SchemaVersion: 1}), nil
	})
	register(s, get("get-confirmation", "/api/confirmations/{confirmationId}", tagAccess, "Whether it was answered in the tray", userReads,
		fault.NotFound),
		func(_ context.Context, p *confirmationPath, _ *none) (*reply[wire.ConfirmationState], error) {
			return answered(s.confirm.state(p.ConfirmationID))
		})
	say := post("answer-confirmation", "/api/confirmations/{confirmationId}/answer", tagAccess, "From Showhow's tray: what the person clicked",
		userWrites, fault.NotFound, fault.PresenceRejected)
	say.access.Transport = "socket"
	register(s, say, func(ctx context.Context, p *confirmationPath, b *wire.ConfirmationAnswer) (*reply[wire.ConfirmationState], error) {
		if b.Allow { // to refuse needs nobody's word
			if ok, err := s.byClick(CallerOf(ctx), b.ClickedBy); err != nil {
				return nil, err
			} else if !ok {
				return nil, rejected("only a person's click in Showhow's tray confirms without a code")
			}
		}
		return answered(s.confirm.settle(p.ConfirmationID, b.Allow))
	})
}

// letTray lets the tray answer a confirmation, and returns what the asker uses once it has.
func (c *confirmations) letTray(id string, w wish, how string) (ticket string) {
	ticket = access.NewToken("shask_")
	c.mu.Lock()
	defer c.mu.Unlock()
	if o, ok := c.open[id]; ok {
		o.wish, o.how, o.ticket, o.forTray = w, how, ticket, true
	}
	return ticket
}

// pending is what the tray can be asked, oldest first.
func (c *confirmations) pending() []wire.PendingConfirmation {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []wire.PendingConfirmation{}
	for id, o := range c.open {
		if o.forTray && o.answer == notAnswered && c.now().Before(o.expires) {
			out = append(out, wire.PendingConfirmation{ConfirmationID: id, Action: o.action, Question: asked[o.action], About: o.wish.says,
				AskedIn: o.how, Revision: o.revision, ContentHash: o.hash, ExpiresAt: clock.At(o.expires)})
		}
	}
	slices.SortFunc(out, func(a, b wire.PendingConfirmation) int { return a.ExpiresAt.Compare(b.ExpiresAt.Time) })
	return out
}

func (c *confirmations) state(id string) (wire.ConfirmationState, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) {
		return wire.ConfirmationState{}, fault.New(fault.NotFound, "the confirmation is unknown, used or expired").WithHint("ask for a new one")
	}
	return wire.ConfirmationState{ConfirmationID: id, State: string(o.answer)}, nil
}

// settle is a person's answer, which stands.
func (c *confirmations) settle(id string, allow bool) (wire.ConfirmationState, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) || !o.forTray || o.answer != notAnswered {
		return wire.ConfirmationState{}, fault.New(fault.NotFound,
			"it does not wait for an answer any more").WithHint("ask for a new confirmation")
	}
	if o.answer = refused; allow {
		o.answer = granted
	}
	return wire.ConfirmationState{ConfirmationID: id, State: string(o.answer)}, nil
}
