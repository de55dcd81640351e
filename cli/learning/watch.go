package learning

import (
	"context"
	"fmt"
	"time"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// watch shows a live count and renews the terminal's part of the indicator lease until Ctrl-C, which stops the
// session.
func (e *env) watch(ctx context.Context, c *client.Client, id string) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := c.RenewIndicator(ctx, "terminal"); err != nil && ctx.Err() == nil {
			return err
		}
		s, err := c.ObservationScope(ctx, id)
		if err == nil && !e.JSON {
			fmt.Fprintf(e.ErrOut, "\r● %s: %d kept, %d withheld   (Ctrl-C stops)\x1b[K ", captureText(s), s.EventsKept, total(s.Withheld))
		}
		if err == nil && s.CaptureState == "stopped" {
			e.Note("")
			return nil
		}
		select {
		case <-ctx.Done():
			e.Note("")
			return e.stopWatched(context.WithoutCancel(ctx), c, id)
		case <-tick.C:
		}
	}
}

func captureText(s client.ObservationScopeRuntime) string {
	if s.PauseReason != "" {
		return fmt.Sprintf("%s (%s)", s.CaptureState, kit.Words(s.PauseReason))
	}
	return s.CaptureState
}

// stopWatched stops a session that may have been stopped or discarded meanwhile.
func (e *env) stopWatched(ctx context.Context, c *client.Client, id string) error {
	r, err := c.StopSession(ctx, id)
	if fault.Is(err, fault.CaptureAlreadyStopped) || fault.Is(err, fault.InvalidLearnStateTransition) {
		s, err := c.Session(ctx, id)
		if err != nil {
			return err
		}
		return e.Show(func() { e.SaySession(s) })
	}
	return e.sayStopped(r, err)
}

func (e *env) sayStopped(r client.StopResponse, err error) error {
	if err != nil {
		return err
	}
	return e.Show(func() {
		e.Say("Stopped: %s kept, %d withheld.", kit.Plural(r.CapturedEventCount, "observation", "observations"), r.Session.EventsWithheld)
		if r.CapturedEventCount == 0 {
			e.Say("next: showhow learn cancel, then begin anew   (showhow learn scope shows what was watched and withheld)")
			return
		}
		e.Say("next: showhow learn propose   (showhow learn events lists what was kept)")
	})
}

// total is how many observations were withheld, for any reason.
func total(w []client.Withheld) (n int64) {
	for _, x := range w {
		n += x.Count
	}
	return n
}
