package api

import (
	"context"
	"net/http"
	"slices"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/api/routes"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

const tagAccess = "access"

// accessRoutes are the routes of agents' tokens, a person's confirmations and browser logins.
type accessRoutes struct {
	store   access.Store
	browser *browserAccess
	tray    *tray
	screen  func(display, xauthority string)            // may be nil
	browse  func(ctx context.Context, url string) error // may be nil
	pages   bool                                        // this build has pages
	now     func() clock.Time
	newID   func() string
}

func (rs accessRoutes) register(g *engine.Engine) {
	engine.Register(g, engine.Get("list-agents", "/api/agents", tagAccess, "Agents that were given a token", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Agents], error) {
			as, err := rs.store.Agents(ctx)
			return engine.Answered(wire.Agents{Agents: as}, err)
		})
	add := engine.Post("add-agent", "/api/agents", tagAccess, "Mint a token for an agent; it is shown once",
		engine.UserWrites.Confirmed("add-agent"),
		fault.NameTaken)
	add.Secret, add.Status = true, http.StatusCreated
	engine.RegisterConfirmed(g, add,
		func(_ context.Context, _ *engine.None, b *wire.AgentAdd) (presence.Subject, bool, error) {
			return presence.Subject{ID: b.Name}.Say("The agent “%s” gets a token and may look skills up, report what it did and propose",
				b.Name), true, nil
		}, rs.addAgent)
	engine.Register(g, engine.Op{ID: "revoke-agent", Method: http.MethodDelete, Path: "/api/agents/{name}", Tag: tagAccess,
		Summary: "Refuse its token from now on",
		Access:  engine.UserWrites, Errors: []fault.Code{fault.NotFound}}, rs.revokeAgent)

	confirm := engine.Post("ask-confirmation", "/api/confirmations", tagAccess,
		"Ask for a person's word; the daemon shows a code on the caller's terminal", engine.UserWrites,
		fault.PresenceRequired, fault.PresenceRejected, fault.TooManyRequests, fault.NotFound)
	confirm.Secret, confirm.Status = true, http.StatusCreated
	engine.Register(g, confirm, func(ctx context.Context, _ *engine.None, b *wire.ConfirmationRequest) (*engine.Reply[wire.Confirmation],
		error) {
		return rs.askConfirmation(ctx, g, b)
	})
	rs.confirmationRoutes(g)

	open := engine.Post("open-session", "/api/session/open", tagAccess, "Open the local port and get a URL for one browser login",
		engine.UserWrites,
		fault.UnsupportedInBuild)
	open.Secret, open.Status, open.Access.Transport = true, http.StatusCreated, "socket"
	engine.Register(g, open, rs.openSession)
	exchange := engine.Post("exchange-session", exchangePath, tagAccess, "Trade the URL's code for a bearer, once", engine.UserWrites)
	exchange.Secret, exchange.Status, exchange.Access.Transport = true, http.StatusCreated, "tcp"
	engine.Register(g, exchange, rs.exchange)
}

func (rs accessRoutes) addAgent(ctx context.Context, _ *engine.None, b *wire.AgentAdd) (*engine.Reply[wire.AgentAdded], error) {
	token := access.NewToken(access.AgentPrefix)
	row := access.AgentRow{AgentID: rs.newID(), Name: b.Name, CreatedAt: rs.now()}
	ok, err := rs.store.AddAgent(ctx, row, access.HashToken(token), caller.Of(ctx).CorrelationID)
	if err == nil && !ok {
		err = fault.New(fault.NameTaken, "an agent of this name exists").WithHint("revoke it first, or choose another name")
	}
	return engine.Answered(wire.AgentAdded{Agent: row, Token: token}, err)
}

func (rs accessRoutes) revokeAgent(ctx context.Context, p *routes.AgentPath, _ *engine.None) (*engine.Reply[wire.AgentRevoked], error) {
	a, ok, err := rs.store.RevokeAgent(ctx, p.Name, rs.now(), caller.Of(ctx).CorrelationID)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "there is no agent of this name")
	}
	return engine.Answered(wire.AgentRevoked{Agent: a}, err)
}

// askConfirmation shows the code for an action, which must be one that some operation requires presence for.
func (rs accessRoutes) askConfirmation(ctx context.Context, g *engine.Engine,
	b *wire.ConfirmationRequest) (*engine.Reply[wire.Confirmation], error) {
	if !slices.ContainsFunc(g.Operations, func(o engine.Op) bool { return o.Access.Presence == b.Action }) {
		return nil, fault.New(fault.NotFound, "no operation asks for this action")
	}
	c := caller.Of(ctx)
	clicked := false
	if trayActions[b.Action] {
		var err error
		if clicked, err = rs.tray.byClick(c, b.ClickedBy); err != nil {
			return nil, err
		}
	}
	if clicked || c.Window && c.Kind == access.User {
		ch, _ := g.Confirm.Challenged(presence.ClaimOf(*b))
		return engine.Answered(g.Confirm.Offer(*b, presence.Question(b, ch.Lines)))
	}
	how := "program"
	switch {
	case !c.OverSocket:
		how = "browser"
	case c.TTY != nil:
		how = "terminal"
	}
	return engine.Answered(g.Confirm.Ask(*b, c.TTY, how, presence.DescribeClaim(b), rs.tray.available()))
}

func (rs accessRoutes) openSession(ctx context.Context, _ *engine.None, b *wire.OpenRequest) (*engine.Reply[wire.SessionOpened], error) {
	address, err := rs.browser.gate.open()
	if err != nil {
		return nil, err
	}
	if rs.screen != nil && b.Display != "" {
		rs.screen(b.Display, b.XAuthority)
	}
	code, expires := rs.browser.logins.code(caller.Of(ctx).TTY)
	url := "http://" + address + "/#code=" + code
	launched := false
	if b.Launch && rs.browse != nil {
		launched = rs.browse(ctx, url) == nil
	}
	o := wire.SessionOpened{URL: url, ExpiresAt: clock.At(expires), Launched: launched, Pages: rs.pages}
	if rs.browser.portLost.Swap(false) {
		o.Notice = portTaken
	}
	return engine.Answer(o), nil
}

// portTaken explains why an open tab cannot continue.
const portTaken = "the port that browser tabs used before the restart was taken by another program: they are signed out, and the " +
	"address is a new one"

func (rs accessRoutes) exchange(_ context.Context, _ *engine.None, b *wire.ExchangeRequest) (*engine.Reply[wire.Exchanged], error) {
	bearer, expires, ok := rs.browser.logins.exchange(b.Code)
	if !ok {
		return nil, fault.New(fault.Unauthorized, "the code is unknown, used or expired").WithHint("run `showhow open` again")
	}
	rs.browser.gate.touch()
	rs.browser.keep()
	return engine.Answer(wire.Exchanged{Bearer: bearer, ExpiresAt: clock.At(expires)}), nil
}
