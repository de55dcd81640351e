package api

import (
	"context"
	"os"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/routes"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// activeSession finds the session that the status names.
type activeSession interface {
	ActiveSession(ctx context.Context) (state.Session, bool, error)
}

// daemonRoutes are the routes of the daemon itself. A nil part does not exist in this daemon.
type daemonRoutes struct {
	version     version.Info
	learn       activeSession
	browser     *browserAccess
	now         func() clock.Time
	adapters    func(ctx context.Context) []wire.ObservationAdapterStatus
	doctor      func(ctx context.Context) wire.Doctor
	targets     func(ctx context.Context) wire.Targets
	stateOf     func(ctx context.Context) wire.DaemonStatus
	stop        func(restart bool)
	openBrowser func(ctx context.Context, r wire.BrowserOpen) (wire.BrowserOpened, error)
}

func (rs daemonRoutes) register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-version", "/api/version", routes.TagDaemon, "The daemon's build", engine.AnybodyReads),
		func(context.Context, *engine.None, *engine.None) (*engine.Reply[version.Info], error) {
			return engine.Answer(rs.version), nil
		})
	engine.Register(g, engine.Get("get-status", "/api/status", routes.TagDaemon, "The daemon at a glance", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.DaemonStatus], error) {
			return engine.Answered(rs.status(ctx))
		})
	engine.Register(g, engine.Get("get-doctor", "/api/doctor", routes.TagDaemon, "What works here, what does not, and what to do about it",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Doctor], error) {
			d := wire.Doctor{OK: true, At: rs.now()}
			if rs.doctor != nil {
				d = rs.doctor(ctx)
			}
			d.SchemaVersion = 1
			return engine.Answer(d), nil
		})
	engine.Register(g, engine.Get("list-adapters", "/api/observe/adapters", routes.TagObservation,
		"Every source of observation, how it is and what would fix it",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Adapters], error) {
			var as []wire.ObservationAdapterStatus
			if rs.adapters != nil {
				as = rs.adapters(ctx)
			}
			return engine.Answer(wire.Adapters{Adapters: as, SchemaVersion: 1}), nil
		})
	engine.Register(g, engine.Get("list-targets", "/api/observe/targets", routes.TagObservation,
		"What could be observed right now; never stored", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Targets], error) {
			var t wire.Targets
			if rs.targets != nil {
				t = rs.targets(ctx)
			}
			t.SchemaVersion = 1
			return engine.Answer(t), nil
		})
	browse := engine.Post("open-browser", "/api/browser/open", routes.TagObservation,
		"Open a page in Showhow's own browser, starting it when it does not run, or attach to one that runs", engine.UserWrites,
		fault.AdapterUnavailable, fault.UnsupportedInBuild)
	engine.Register(g, browse, func(ctx context.Context, _ *engine.None, b *wire.BrowserOpen) (*engine.Reply[wire.BrowserOpened], error) {
		if rs.openBrowser == nil {
			return nil, fault.New(fault.UnsupportedInBuild, "this daemon has no browser of its own")
		}
		opened, err := rs.openBrowser(ctx, *b)
		if err != nil {
			return nil, err
		}
		return engine.Answer(opened), nil
	})
	stop := engine.Post("stop-daemon", "/api/daemon/stop", routes.TagDaemon, "End the daemon after this answer", engine.UserWrites)
	stop.Access.Transport = "socket"
	engine.Register(g, stop, func(_ context.Context, _ *engine.None, b *wire.StopRequest) (*engine.Reply[wire.Stopping], error) {
		if rs.stop == nil {
			return engine.Answer(wire.Stopping{}), nil
		}
		rs.browser.restarting.Store(b.Restart)
		rs.stop(b.Restart)
		return engine.Answer(wire.Stopping{Stopping: true}), nil
	})
}

func (rs daemonRoutes) status(ctx context.Context) (wire.DaemonStatus, error) {
	st := wire.DaemonStatus{}
	if rs.stateOf != nil {
		st = rs.stateOf(ctx)
	}
	st.Version, st.PID, st.SchemaVersion = rs.version, os.Getpid(), 1
	x, ok, err := rs.learn.ActiveSession(ctx)
	if err != nil {
		return st, err
	}
	if ok {
		st.ActiveSession, st.State = x.LearnSessionID, string(x.State)
	}
	st.BrowserLogins = rs.browser.gate.listening()
	if rs.browser.portLost.Load() {
		st.Warnings = append(st.Warnings, portTaken+" (`showhow open`)")
	}
	return st, nil
}
