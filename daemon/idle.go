package daemon

import (
	"context"
	"time"
)

// exitWhenIdle ends the daemon after the configured time in which nobody called, nothing was captured and the managed browser
// was closed. Whoever needs it next starts it again (decisions E8).
func (d *Daemon) exitWhenIdle(ctx context.Context) error {
	limit := time.Duration(d.o.Config.IdleExitMinutes) * time.Minute
	if limit <= 0 {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(min(limit/4+time.Second, time.Minute))
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if d.busy(ctx) {
				last = time.Now()
				continue
			}
			if seen := d.api.LastCall(); seen.After(last) {
				last = seen
			}
			if time.Since(last) > limit {
				d.log.Info("idle: ending")
				return nil
			}
		}
	}
}

// busy reports whether somebody needs the daemon although nobody calls: an open stream, a capture, the managed browser.
func (d *Daemon) busy(ctx context.Context) bool {
	return d.api.Streams() > 0 || len(d.capture.active()) > 0 || d.browsers.Running() != nil
}
