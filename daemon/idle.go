package daemon

import (
	"context"
	"time"
)

// exitWhenIdle ends the daemon after the configured time in which nobody called, nothing was captured and the managed browser
// was closed. Whoever needs it next starts it again (decisions E8).
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
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if limit() <= 0 || d.busy(ctx) {
				last = d.o.Test.Now()
				continue
			}
			if seen := d.api.LastCall(); seen.After(last) {
				last = seen
			}
			if d.o.Test.Now().Sub(last) > limit() {
				d.log.Info("idle: ending")
				return nil
			}
		}
	}
}

// busy reports whether somebody needs the daemon although nobody calls: an open stream, a capture, the managed browser, an
// agent whose runs are kept by consent, a run in the sandbox.
func (d *Daemon) busy(ctx context.Context) bool {
	return d.api.Streams() > 0 || len(d.capture.Active()) > 0 || d.browsers.Running() != nil || len(d.intake.Kept()) > 0 || d.runs.Busy()
}
