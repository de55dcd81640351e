package api

import (
	"context"

	"showhow/daemon/observe"
	"showhow/daemon/wire"
)

// Leaving takes back what Showhow made outside its own folders; *daemon.Daemon is it.
type Leaving interface {
	Outside(ctx context.Context) (wire.Leaving, error)
	Leave(ctx context.Context, m observe.Meta, r wire.LeaveRequest) (wire.Left, error)
}

func (s *Server) leavingRoutes() {
	register(s, get("get-leaving", "/api/leaving", tagDaemon, "What Showhow made outside its own folders, which an uninstallation takes back",
		userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Leaving], error) {
			return answered(s.deps.Leaving.Outside(ctx))
		})
	registerConfirmed(s, post("leave", "/api/leaving", tagDaemon, "Take it back: copies of skills, hooks and keys",
		userWrites.confirmed("uninstall")),
		func(ctx context.Context, _ *none, b *wire.LeaveRequest) (Subject, bool, error) {
			l, err := s.deps.Leaving.Outside(ctx)
			return Subject{ID: "showhow", ContentHash: l.ContentHash}.sayLeaving(l, b), true, err
		},
		func(ctx context.Context, _ *none, b *wire.LeaveRequest) (*reply[wire.Left], error) {
			return answered(s.deps.Leaving.Leave(ctx, observed(ctx), *b))
		})
}

func (x Subject) sayLeaving(l wire.Leaving, b *wire.LeaveRequest) Subject {
	count := map[string]int{}
	for _, o := range l.Outside {
		count[o.Kind]++
	}
	if n := count["skill"]; n > 0 && !b.KeepSkills {
		x = x.say("Copies of skills that agents lose: %d", n)
	}
	if n := count["hook"]; n > 0 {
		x = x.say("Hooks in agents' settings: %d", n)
	}
	if b.DestroyKeys {
		x = x.say("The keys of what was sealed: nobody can read it again")
	}
	if len(x.Says) == 0 {
		x = x.say("Nothing outside Showhow's own folders")
	}
	return x
}
