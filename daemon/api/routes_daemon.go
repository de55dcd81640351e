package api

import (
	"context"
	"os"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/version"
)

const tagDaemon = "daemon"

func (s *Server) daemonRoutes() {
	register(s, get("get-version", "/api/version", tagDaemon, "The daemon's build", anybodyReads),
		func(context.Context, *none, *none) (*reply[version.Info], error) { return answer(s.deps.Version), nil })
	register(s, get("get-status", "/api/status", tagDaemon, "The daemon at a glance", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.DaemonStatus], error) {
			return answered(s.status(ctx))
		})
	register(s, get("get-doctor", "/api/doctor", tagDaemon, "What works here, what does not, and what to do about it", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Doctor], error) {
			d := wire.Doctor{OK: true, At: s.deps.Now()}
			if s.deps.Doctor != nil {
				d = s.deps.Doctor(ctx)
			}
			d.SchemaVersion = 1
			return answer(d), nil
		})
	register(s, get("list-adapters", "/api/observe/adapters", tagObservation, "Every source of observation, how it is and what would fix it",
		userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Adapters], error) {
			var as []wire.ObservationAdapterStatus
			if s.deps.Adapters != nil {
				as = s.deps.Adapters(ctx)
			}
			return answer(wire.Adapters{Adapters: as, SchemaVersion: 1}), nil
		})
	register(s, get("list-targets", "/api/observe/targets", tagObservation, "What could be observed right now; never stored", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Targets], error) {
			var t wire.Targets
			if s.deps.Targets != nil {
				t = s.deps.Targets(ctx)
			}
			t.SchemaVersion = 1
			return answer(t), nil
		})
	s.settingsRoutes()
	browse := post("open-browser", "/api/browser/open", tagObservation,
		"Open a page in Showhow's own browser, starting it when it does not run, or attach to one that runs", userWrites,
		fault.AdapterUnavailable, fault.UnsupportedInBuild)
	register(s, browse, func(ctx context.Context, _ *none, b *wire.BrowserOpen) (*reply[wire.BrowserOpened], error) {
		if s.deps.OpenBrowser == nil {
			return nil, fault.New(fault.UnsupportedInBuild, "this daemon has no browser of its own")
		}
		opened, err := s.deps.OpenBrowser(ctx, *b)
		if err != nil {
			return nil, err
		}
		return answer(opened), nil
	})
	stop := post("stop-daemon", "/api/daemon/stop", tagDaemon, "End the daemon after this answer", userWrites)
	stop.access.Transport = "socket"
	register(s, stop, func(_ context.Context, _ *none, b *wire.StopRequest) (*reply[wire.Stopping], error) {
		if s.deps.Stop == nil {
			return answer(wire.Stopping{}), nil
		}
		s.restarting.Store(b.Restart)
		s.deps.Stop(b.Restart)
		return answer(wire.Stopping{Stopping: true}), nil
	})
}

func (s *Server) status(ctx context.Context) (wire.DaemonStatus, error) {
	st := wire.DaemonStatus{}
	if s.deps.Status != nil {
		st = s.deps.Status(ctx)
	}
	st.Version, st.PID, st.SchemaVersion = s.deps.Version, os.Getpid(), 1
	x, ok, err := s.deps.Learn.ActiveSession(ctx)
	if err != nil {
		return st, err
	}
	if ok {
		st.ActiveSession, st.State = x.LearnSessionID, string(x.State)
	}
	st.BrowserLogins = s.tcp.listening()
	if s.moved.Load() {
		st.Warnings = append(st.Warnings, portTaken+" (`showhow open`)")
	}
	return st, nil
}
