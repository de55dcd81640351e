package capturing

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"showhow/capture"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// preview shows what would be kept. It runs the same adapters and pipeline as a session, with a temporary key and a
// log that stores nothing.
type preview struct {
	run    *sessionRun
	cancel context.CancelFunc
	ended  chan struct{}
}

// forgetful is the log of a preview.
type forgetful struct{ seq int64 } // one pipeline appends, from one goroutine

func (f *forgetful) Append(_ context.Context, records []capture.Record) error {
	for i := range records {
		f.seq++
		records[i].Seq = f.seq
	}
	return nil
}

const (
	previewQueue = 256 // how many records a slow reader may lag behind; further ones are not shown
	previewTick  = 500 * time.Millisecond
)

// Preview implements port.Capturer. It returns when ctx ends, show fails, nothing observes any more or a session
// starts.
func (c *Capturer) Preview(ctx context.Context, s state.Session, show func(wire.PreviewUpdate) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	records := make(chan capture.Record, previewQueue)
	p, armed, err := c.beginPreview(ctx, s, cancel, func(rs []capture.Record) {
		for _, r := range rs {
			select {
			case records <- r:
			default:
			}
		}
	})
	if err != nil {
		return err
	}
	defer func() {
		p.run.end()
		guardMemory(false)
		close(p.ended)
		c.mu.Lock()
		if c.preview == p {
			c.preview = nil
		}
		c.mu.Unlock()
	}()
	if err := show(wire.PreviewUpdate{Adapters: armed}); err != nil {
		return err
	}
	tick := time.NewTicker(previewTick)
	defer tick.Stop()
	var withheld []capture.Withheld
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-records:
			err = show(wire.PreviewUpdate{Record: twin.To[*wire.Observation](&r)})
		case <-tick.C:
			if now := p.run.pipe.Withheld(); !slices.Equal(now, withheld) {
				withheld = now
				err = show(wire.PreviewUpdate{Withheld: now})
			}
		}
		if err != nil {
			return err
		}
	}
}

// beginPreview replaces an earlier preview; during a capture it fails.
func (c *Capturer) beginPreview(ctx context.Context, s state.Session, cancel context.CancelFunc, out func([]capture.Record)) (*preview,
	[]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run != nil {
		return nil, nil, fault.New(fault.LearnSessionAlreadyActive, "a session is being captured: it shows what is kept").
			WithDetail("active_session_id", c.run.sessionID).WithHint("`showhow learn events` lists what was kept")
	}
	c.endPreview()
	key := make([]byte, 32)
	rand.Read(key)
	run, err := c.prepare(ctx, s, c.o.NewID(), vault{log: &forgetful{}, key: key})
	if err != nil {
		return nil, nil, err
	}
	run.live = out
	run.failed = func(state.PauseReason) { cancel() }
	armed, err := run.arm(ctx, s)
	if err != nil {
		run.end()
		return nil, nil, err
	}
	run.pipe.Start()
	guardMemory(true)
	c.preview = &preview{run: run, cancel: cancel, ended: make(chan struct{})}
	return c.preview, armed, nil
}

// endPreview ends a preview and waits until its adapters have stopped. The lock is held.
func (c *Capturer) endPreview() {
	if c.preview == nil {
		return
	}
	c.preview.cancel()
	<-c.preview.ended
	c.preview = nil
}

// Previewing reports whether a preview is running.
func (c *Capturer) Previewing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.preview != nil
}
