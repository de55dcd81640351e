package overlay

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"showhow/app/follow"
	"showhow/daemon/client"
	"showhow/internal/fault"
	"showhow/internal/hotkey"
)

// Options are an overlay's settings.
type Options struct {
	Client  *client.Client
	Display string // X11's, such as ":0"
	Logger  *slog.Logger
	// PauseKey pauses and resumes from anywhere while the overlay is shown; "" is none.
	PauseKey string
	// Dir is the folder in which the window's position is saved after it was moved; "": it is not saved.
	Dir string
	// Open opens Showhow, for what follows a demonstration; may be nil.
	Open func(ctx context.Context) error
}

const (
	// waitFor is how long to wait for a capture to begin, or for a lost daemon to come back.
	waitFor = 15 * time.Second
	// noticeTime is how long an error stays on the window.
	noticeTime = 10 * time.Second
	// afterTime is how long the window shows the next step after capture was stopped on it.
	afterTime = 20 * time.Second
)

type overlay struct {
	o    Options
	f    *follow.Follower
	w    *window
	quit context.CancelFunc
	acts sync.WaitGroup

	mu        sync.Mutex
	view      follow.View
	notice    string
	noticedAt time.Time
	lastOn    time.Time
	shownID   string // the session that is shown, or was shown last
	stoppedID string // the one that was stopped here: the window then says what comes next
	stoppedAt time.Time
}

// Run shows the overlay until capture has ended, the display is gone, or asked ends. Without a display it fails with
// ADAPTER_UNAVAILABLE, which names other indicators.
func Run(asked context.Context, o Options) error {
	ctx, cancel := context.WithCancel(asked)
	defer cancel()
	w, err := open(o.Display, o.Dir)
	if err != nil {
		return fault.Wrap(err, fault.AdapterUnavailable, "the X11 display cannot be reached").
			WithHint("check DISPLAY and XAUTHORITY; `showhow tray` shows in a panel what is watched")
	}
	v := &overlay{o: o, f: follow.New(o.Client), w: w, quit: cancel, lastOn: time.Now()}
	v.takeKey()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel() // the display is gone
		w.events(func(b button) { v.press(ctx, b) }, v.f.Look)
	}()
	err = v.f.Run(ctx, func(now follow.View) { v.show(ctx, now) })
	cancel()
	v.acts.Wait()
	w.close()
	<-done
	if err == nil && asked.Err() == nil && !w.shown() {
		err = fault.New(fault.InvalidLearnStateTransition, "nothing is watched, so there is nothing to show").
			WithHint("`showhow learn start` begins; show = true under [overlay] in config.toml brings the overlay by itself")
	}
	return err
}

// takeKey grabs the pause key. If that fails, the window says so, and works without.
func (v *overlay) takeKey() {
	if v.o.PauseKey == "" {
		return
	}
	k, err := hotkey.Parse(v.o.PauseKey)
	if err == nil {
		err = k.Grab(v.w.conn, v.w.screen.Root)
	}
	if err != nil {
		v.notice, v.noticedAt = fmt.Sprintf("No pause key: %v", err), time.Now()
	}
}

// show displays a view and, if a person can see it there, renews the lease.
func (v *overlay) show(ctx context.Context, now follow.View) {
	v.mu.Lock()
	v.view = now
	if now.State == follow.Watching || now.State == follow.Paused {
		v.lastOn = time.Now()
	}
	gone := time.Since(v.lastOn)
	if time.Since(v.noticedAt) > noticeTime {
		v.notice = ""
	}
	notice := v.notice
	seen := v.w.shown()
	if now.On() {
		v.shownID = now.Session.LearnSessionID
	}
	next := now.State == follow.Off && v.shownID != "" && v.shownID == v.stoppedID && time.Since(v.stoppedAt) < afterTime
	v.mu.Unlock()
	switch {
	case next:
	case now.State == follow.Off && seen, gone > waitFor:
		v.quit()
		return
	case !seen && now.State != follow.Watching && now.State != follow.Paused:
		return // not yet
	}
	if err := v.w.paint(face{View: now, notice: notice, next: next, opens: v.o.Open != nil}); err != nil {
		v.o.Logger.Debug("the window could not be painted")
		return
	}
	if now.On() && v.w.inSight() {
		if _, err := v.o.Client.RenewIndicator(ctx, "overlay"); err != nil && ctx.Err() == nil {
			v.o.Logger.Debug("the lease could not be renewed", "code", string(fault.CodeOf(err)))
		}
	}
}

// press handles a button in the background.
func (v *overlay) press(ctx context.Context, b button) {
	v.mu.Lock()
	now := v.view
	v.mu.Unlock()
	v.acts.Go(func() {
		var err error
		switch {
		case b == toggle && now.May("pause"):
			err = v.f.Pause(ctx, now)
		case b == toggle && now.May("resume"):
			err = v.f.Resume(ctx, now)
		case b == stop && now.May("stop"):
			v.mu.Lock()
			v.stoppedID, v.stoppedAt = now.Session.LearnSessionID, time.Now()
			v.mu.Unlock()
			err = v.f.Stop(ctx, now)
		case b == stop && now.State == follow.Off && v.o.Open != nil:
			if err = v.o.Open(ctx); err == nil {
				v.quit()
			}
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		f := fault.From(err)
		v.o.Logger.Info("a button could not be followed", "code", string(f.Code))
		v.mu.Lock()
		v.notice, v.noticedAt = "Not done: "+f.Message, time.Now()
		v.mu.Unlock()
		v.f.Look()
	})
}
