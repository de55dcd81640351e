package api

import (
	"context"

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

type confirmationPath struct {
	ConfirmationID string `path:"confirmationId" format:"uuid"`
}

type confirmationList struct {
	Answering bool `query:"answering" doc:"from Showhow's tray: a panel shows it, so it can be clicked"`
}

func (rs accessRoutes) confirmationRoutes(g *engine.Engine) {
	list := engine.Get("list-confirmations", "/api/confirmations", tagAccess,
		"What waits for a person's word and can be answered in the tray; codes are not among it", engine.UserReads)
	list.Access.Transport = "socket"
	engine.Register(g, list, func(ctx context.Context, p *confirmationList, _ *engine.None) (*engine.Reply[wire.PendingConfirmations], error) {
		if p.Answering && rs.tray.isTray(caller.Of(ctx)) {
			rs.tray.notePoll()
		}
		return engine.Answer(wire.PendingConfirmations{Confirmations: g.Confirm.Pending(), SchemaVersion: 1}), nil
	})
	engine.Register(g, engine.Get("get-confirmation", "/api/confirmations/{confirmationId}", tagAccess, "Whether it was answered in the tray",
		engine.UserReads,
		fault.NotFound),
		func(_ context.Context, p *confirmationPath, _ *engine.None) (*engine.Reply[wire.ConfirmationState], error) {
			return engine.Answered(g.Confirm.State(p.ConfirmationID))
		})
	say := engine.Post("answer-confirmation", "/api/confirmations/{confirmationId}/answer", tagAccess,
		"From Showhow's tray: what the person clicked",
		engine.UserWrites, fault.NotFound, fault.PresenceRejected)
	say.Access.Transport = "socket"
	engine.Register(g, say, func(ctx context.Context, p *confirmationPath, b *wire.ConfirmationAnswer) (*engine.Reply[wire.ConfirmationState],
		error) {
		if b.Allow { // refusing needs no confirmation
			if ok, err := rs.tray.byClick(caller.Of(ctx), b.ClickedBy); err != nil {
				return nil, err
			} else if !ok {
				return nil, presence.Rejected("only a person's click in Showhow's tray confirms without a code")
			}
		}
		return engine.Answered(g.Confirm.Settle(p.ConfirmationID, b.Allow))
	})
}
