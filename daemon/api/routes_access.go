package api

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"

	"showhow/daemon/access"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

const tagAccess = "access"

type agentPath struct {
	Name string `path:"name" minLength:"1" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$"`
}

func (s *Server) accessRoutes() {
	register(s, get("list-agents", "/api/agents", tagAccess, "Agents that were given a token", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Agents], error) {
			as, err := s.deps.Access.Agents(ctx)
			return answered(wire.Agents{Agents: as}, err)
		})
	add := post("add-agent", "/api/agents", tagAccess, "Mint a token for an agent; it is shown once", userWrites.confirmed("add-agent"),
		fault.NameTaken)
	add.secret, add.status = true, http.StatusCreated
	registerConfirmed(s, add,
		func(_ context.Context, _ *none, b *wire.AgentAdd) (Subject, bool, error) {
			return Subject{ID: b.Name}.say("The agent “%s” gets a token and may look skills up, report what it did and propose", b.Name), true, nil
		}, s.addAgent)
	register(s, op{id: "revoke-agent", method: http.MethodDelete, path: "/api/agents/{name}", tag: tagAccess,
		summary: "Refuse its token from now on",
		access:  userWrites, errors: []fault.Code{fault.NotFound}}, s.revokeAgent)

	confirm := post("ask-confirmation", "/api/confirmations", tagAccess,
		"Ask for a person's word; the daemon shows a code on the caller's terminal", userWrites,
		fault.PresenceRequired, fault.PresenceRejected, fault.TooManyRequests, fault.NotFound)
	confirm.secret, confirm.status = true, http.StatusCreated
	register(s, confirm, s.askConfirmation)
	s.confirmationRoutes()

	open := post("open-session", "/api/session/open", tagAccess, "Open the local port and get a URL for one browser login", userWrites,
		fault.UnsupportedInBuild)
	open.secret, open.status, open.access.Transport = true, http.StatusCreated, "socket"
	register(s, open, s.openSession)
	exchange := post("exchange-session", exchangePath, tagAccess, "Trade the URL's code for a bearer, once", userWrites)
	exchange.secret, exchange.status, exchange.access.Transport = true, http.StatusCreated, "tcp"
	register(s, exchange, s.exchange)
}

func (s *Server) addAgent(ctx context.Context, _ *none, b *wire.AgentAdd) (*reply[wire.AgentAdded], error) {
	token := access.NewToken(access.AgentPrefix)
	row := access.AgentRow{AgentID: s.deps.NewID(), Name: b.Name, CreatedAt: s.deps.Now()}
	ok, err := s.deps.Access.AddAgent(ctx, row, access.HashToken(token), CallerOf(ctx).CorrelationID)
	if err == nil && !ok {
		err = fault.New(fault.NameTaken, "an agent of this name exists").WithHint("revoke it first, or choose another name")
	}
	return answered(wire.AgentAdded{Agent: row, Token: token}, err)
}

func (s *Server) revokeAgent(ctx context.Context, p *agentPath, _ *none) (*reply[wire.AgentRevoked], error) {
	a, ok, err := s.deps.Access.RevokeAgent(ctx, p.Name, s.deps.Now(), CallerOf(ctx).CorrelationID)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "there is no agent of this name")
	}
	return answered(wire.AgentRevoked{Agent: a}, err)
}

// askConfirmation shows the code for an action that some operation asks presence for, and for no other.
func (s *Server) askConfirmation(ctx context.Context, _ *none, b *wire.ConfirmationRequest) (*reply[wire.Confirmation], error) {
	if !slices.ContainsFunc(s.operations, func(o op) bool { return o.access.Presence == b.Action }) {
		return nil, fault.New(fault.NotFound, "no operation asks for this action")
	}
	c := CallerOf(ctx)
	clicked := false
	if trayActions[b.Action] {
		var err error
		if clicked, err = s.byClick(c, b.ClickedBy); err != nil {
			return nil, err
		}
	}
	if clicked || c.window && c.Kind == access.User {
		w, _ := s.confirm.wish(claimOf(*b))
		return answered(s.confirm.offer(*b, question(b, w.says)))
	}
	how := "program"
	switch {
	case !c.machine:
		how = "browser"
	case c.tty != nil:
		how = "terminal"
	}
	return answered(s.confirm.ask(*b, c.tty, how, describeClaim(b), s.trayThere()))
}

// describeClaim is what a person reads on the terminal. Everything in it was checked against a plain alphabet.
func describeClaim(b *wire.ConfirmationRequest) string {
	text := strings.ReplaceAll(b.Action, "-", " ") + " " + b.SubjectID
	if b.Action == "widen-test-policy" {
		text = "let the test really write or send, where the draft " + b.SubjectID + " works"
	}
	if len(b.ContentHash) >= 12 {
		text += " (content " + strings.TrimPrefix(b.ContentHash, "sha256:")[:8] + ")"
	}
	return text
}

func (s *Server) openSession(ctx context.Context, _ *none, b *wire.OpenRequest) (*reply[wire.SessionOpened], error) {
	address, err := s.tcp.open()
	if err != nil {
		return nil, err
	}
	if s.deps.Screen != nil && b.Display != "" {
		s.deps.Screen(b.Display, b.XAuthority)
	}
	code, expires := s.logins.code(CallerOf(ctx).tty)
	url := "http://" + address + "/#code=" + code
	launched := false
	if b.Launch && s.deps.Browse != nil {
		launched = s.deps.Browse(ctx, url) == nil
	}
	o := wire.SessionOpened{URL: url, ExpiresAt: clock.At(expires), Launched: launched, Pages: s.deps.UI != nil}
	if s.moved.Swap(false) {
		o.Notice = portTaken
	}
	return answer(o), nil
}

// portTaken says why a tab that was open does not go on.
const portTaken = "the port that browser tabs used before the restart was taken by another program: they are signed out, and the " +
	"address is a new one"

func (s *Server) exchange(_ context.Context, _ *none, b *wire.ExchangeRequest) (*reply[wire.Exchanged], error) {
	bearer, expires, ok := s.logins.exchange(b.Code)
	if !ok {
		return nil, fault.New(fault.Unauthorized, "the code is unknown, used or expired").WithHint("run `showhow open` again")
	}
	s.tcp.touch()
	s.keep()
	return answer(wire.Exchanged{Bearer: bearer, ExpiresAt: clock.At(expires)}), nil
}

// present asks for a person's word where the operation needs one (decisions D2). request tells this one from others.
func (s *Server) present(ctx context.Context, o op, subject func() (Subject, bool, error), request func() [sha256.Size]byte) error {
	c := CallerOf(ctx)
	x, needed, err := subject()
	if err != nil || !needed || c.demo {
		return err
	}
	if c.confirmation != "" {
		return s.confirm.use(c.confirmation, o.access.Presence, x, request)
	}
	if c.Kind == access.User {
		s.confirm.wants(claim{o.access.Presence, x.ID, x.ContentHash, x.Revision}, wish{says: x.Says, request: request()})
	}
	f := fault.New(fault.PresenceRequired, "a person must confirm this").
		WithHint("run the command in a terminal and type the code that appears there, or confirm in the tray or the Showhow window").
		WithDetail("action", o.access.Presence).WithDetail("subject_id", x.ID)
	if x.Revision > 0 {
		f = f.WithDetail("revision", x.Revision)
	}
	if x.ContentHash != "" {
		f = f.WithDetail("content_hash", x.ContentHash)
	}
	return f
}
