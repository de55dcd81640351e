package daemon

import (
	"context"
	"time"

	"showhow/internal/footprint"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// exitWhenIdle ends the daemon after the configured time without a call, a capture or an open managed browser. The
// next client starts it again (decisions E8).
func (d *Daemon) exitWhenIdle(ctx context.Context) error {
	limit := func() time.Duration { return time.Duration(d.settings.Current().IdleExitMinutes) * time.Minute }
	every := time.Minute
	if l := limit(); l > 0 {
		every = min(l/4+time.Second, every)
	}
	if d.o.Test.Every > 0 {
		every = d.o.Test.Every
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := d.o.Test.Now()
	idle := func() bool {
		if limit() <= 0 || d.busy(ctx) {
			last = d.o.Test.Now()
			return false
		}
		if seen := d.api.LastCall(); seen.After(last) {
			last = seen
		}
		return d.o.Test.Now().Sub(last) > limit()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if idle() {
				d.log.Info("idle: ending")
				return nil
			}
			if d.o.Test.IdleLook != nil {
				d.o.Test.IdleLook()
			}
		}
	}
}

// busy reports whether the daemon is needed although nobody calls: an open stream, a capture, the managed browser, an
// agent whose runs are kept by consent, a run in the sandbox, callers from elsewhere that are let in, or an ability with a
// consented canary.
func (d *Daemon) busy(ctx context.Context) bool {
	return d.api.Streams() > 0 || len(d.capture.Active()) > 0 || d.browsers.Running() != nil || len(d.intake.Kept()) > 0 || d.runs.Busy() ||
		d.remote.Listening() || d.keeping.canaries.Any(ctx)
}

// How long after the last call the daemon frees what only work needs: memory and the program's own pages soon, and again when
// looking after itself has taken some; compiled expressions and languages later.
const (
	pauseAfter = 10 * time.Second
	restAfter  = time.Minute
)

// rest frees what a stretch of work has left behind. It is loaded again on demand, in milliseconds.
type rest struct {
	now      func() time.Time
	every    time.Duration // how often it looks
	lastCall func() time.Time
	working  func() bool // whether work is going on although nobody calls
}

// restOf returns the rest of a daemon. A window that only displays does not keep it from resting.
func restOf(d *Daemon) rest {
	every := pauseAfter
	if d.o.Test.Every > 0 {
		every = d.o.Test.Every
	}
	return rest{now: d.o.Test.Now, every: every, lastCall: d.api.LastCall, working: func() bool { return works(d) }}
}

func (r rest) run(ctx context.Context) error {
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	quiet := quiet{since: r.now()}
	shrunk := quiet.since
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			switch now := r.now(); {
			case quiet.begins(now, r.lastCall(), r.working()):
				letGo()
				shrunk = now
			case quiet.pauses(now, shrunk) && footprint.Grown():
				if shrunk.After(quiet.since) { // only looking after itself has happened since
					footprint.DropProgram()
				} else {
					footprint.Shrink()
				}
				shrunk = now
			}
		}
	}
}

// quiet is a period without calls or work.
type quiet struct {
	since time.Time
	told  bool // it has lasted restAfter, and begins has reported it
}

// begins reports, once for each period, that it has lasted restAfter.
func (q *quiet) begins(now, lastCall time.Time, working bool) bool {
	if working || lastCall.After(q.since) {
		q.since, q.told = now, false
	}
	if q.told || now.Sub(q.since) <= restAfter {
		return false
	}
	q.told = true
	return true
}

// pauses reports whether nobody has called for a moment, and as long has passed since memory was freed.
func (q *quiet) pauses(now, shrunk time.Time) bool {
	return now.Sub(q.since) >= pauseAfter && now.Sub(shrunk) >= pauseAfter
}

// letGo frees everything that can be made or read again.
func letGo() {
	lazyre.Forget()
	lang.Forget()
	footprint.Shrink()
}
