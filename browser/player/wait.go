package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// rest waits until the page has settled: navigations, loading, requests, changes of the page.
func (p *reader) rest(ctx context.Context) error {
	since := p.act.since
	for {
		t := p.current()
		if t == nil {
			return nil
		}
		if err := p.until(ctx, navigationTime, func() bool {
			return p.front != t || t.idle(p.tracker, since) || p.act.holding() != nil
		}); err != nil && ctx.Err() != nil {
			return ctx.Err()
		} else if errors.Is(err, browser.ErrGone) {
			return err
		}
		if p.readHeld(ctx, t) {
			continue
		}
		r := p.watch(ctx, t, quiet)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case r.blocked || p.current() != t:
			return nil
		case time.Since(since) > navigationTime:
			return nil
		case r.closing && time.Since(since) < closeTime:
			_ = p.until(ctx, closeTime, func() bool { return t.gone || t.dialog != nil }) // or it is too late for that
		case !p.idle(t, since): // it has started something meanwhile
		case r.failed && time.Since(since) < loadTime: // a page that is being replaced
			if err := p.pause(ctx, tick/5); err != nil {
				return err
			}
		case r.failed || r.ready && (r.quiet >= quiet || !r.touched) || time.Since(since) > restlessTime+loadTime ||
			r.ready && time.Since(since) > restlessTime:
			return nil
		default:
			if err := p.pause(ctx, max(quiet-r.quiet, tick/10)); err != nil {
				return err
			}
		}
	}
}

// readHeld reads the page while one of its requests is held back, then sends the request; it
// returns false if none is held.
func (p *reader) readHeld(ctx context.Context, t *tab) bool {
	var h *delay
	p.locked(func() { h = p.act.holding() })
	if h == nil || t == nil {
		return false
	}
	defer h.letGo(&p.mu)
	bound, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	p.watch(bound, t, quiet)
	h.read(bound)
	return true
}

// restState is what the documents of a tab report about their activity.
type restState struct {
	ready   bool          // all are loaded
	quiet   time.Duration // since the last change of any
	touched bool          // something changed since the last look
	blocked bool          // a dialog stops the page
	closing bool          // the page has closed itself
	failed  bool          // the top one did not answer: it is being replaced
}

// look queries a tab's documents after their next frame. It also makes the browser report what they
// have just started.
func (p *reader) look(ctx context.Context, t *tab) restState { return p.watch(ctx, t, 0) }

// watch is look, and gives documents that have changed some time to be still.
func (p *reader) watch(ctx context.Context, t *tab, still time.Duration) restState {
	type said struct {
		Ready   bool    `json:"ready"`
		Quiet   float64 `json:"quiet"`
		Touched bool    `json:"touched"`
		Closing bool    `json:"closing"`
	}
	out := restState{ready: true, quiet: time.Hour}
	for i, text := range p.ask(ctx, t, fmt.Sprintf("globalThis.showhow.rest(%d)", still.Milliseconds())) {
		var s said
		if text == "" || json.Unmarshal([]byte(text), &s) != nil {
			out.failed = out.failed || i == 0
			continue // of a frame that shows nothing, or that has just gone
		}
		out.ready = out.ready && s.Ready
		out.touched = out.touched || s.Touched
		out.closing = out.closing || i == 0 && s.Closing
		out.quiet = min(out.quiet, time.Duration(s.Quiet*float64(time.Millisecond)))
	}
	p.locked(func() { out.blocked = t.dialog != nil || t.gone || t.dead })
	return out
}

// patience is how long to wait for something missing: as long as anything may still change it, and
// a while longer.
type patience struct {
	began, calm time.Time
	tries       int
}

// longest bounds the patience with a page that keeps loading. One that merely keeps changing, as by
// a clock, gets mostRestless: with the usual patience after that, a missing element is reported
// after 8 s.
const (
	longest      = 30 * time.Second
	mostRestless = 5 * time.Second
)

func (p *reader) patience() *patience { now := time.Now(); return &patience{began: now, calm: now} }

// more waits for a change of the tab, or a moment; it returns false when patience has run out.
func (w *patience) more(ctx context.Context, p *reader, t *tab) bool {
	w.tries++
	if p.pause(ctx, min(tick, time.Duration(w.tries)*tick/10)) != nil || time.Since(w.began) > longest {
		return false
	}
	r := p.look(ctx, t)
	if r.blocked {
		return false
	}
	changing := r.quiet < 2*tick && time.Since(w.began) < mostRestless
	if !r.ready || r.failed || changing || !p.idle(t, w.began.Add(-loadTime)) {
		w.calm = time.Now()
	}
	return time.Since(w.calm) < p.o.Patience
}

// lookFor looks once. A page that is stopped by a dialog, or does not answer, delays it no longer
// than any other question.
func (p *reader) lookFor(ctx context.Context, t *tab, w find.Want) (*find.Found, error) {
	bound, cancel := context.WithTimeout(ctx, answerTime)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if p.until(bound, answerTime, func() bool { return t.dialog != nil || t.gone || t.dead }) == nil {
			cancel()
		}
	}()
	defer func() {
		cancel()
		<-watched
	}()
	f, err := find.Find(bound, p.sessions(t), w)
	if err != nil && bound.Err() != nil && ctx.Err() == nil {
		return nil, &Unready{Reason: Unanswered, What: "page"}
	}
	return f, err
}

// seek looks for an act's target once.
func (p *reader) seek(ctx context.Context, t *tab, a Act) (*find.Found, error) {
	return p.lookFor(ctx, t, find.Want{Target: *a.Target, Verb: a.Verb})
}

// Settle waits until the page in front is as expected. It gives up when nothing has changed for a
// while and nothing is in progress (Options.Patience), or with ctx; it then returns the last state
// and the reason.
func (p *reader) Settle(ctx context.Context, until func(capture.State) bool) (capture.State, error) {
	wait := p.patience()
	var last string
	for {
		p.readHeld(ctx, p.current())
		s, err := p.State(ctx)
		if err == nil && until(s) {
			return s, nil
		}
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		if now, _ := json.Marshal(s); string(now) != last {
			last, wait.calm = string(now), time.Now()
		}
		t := p.current()
		if t == nil {
			return s, browser.ErrGone
		}
		if !wait.more(ctx, p, t) {
			if err == nil {
				err = ErrUnsettled
			}
			return s, err
		}
	}
}

// ErrUnsettled is the error of Settle if the expected state did not come.
var ErrUnsettled = errors.New("the page rests in another state than the one expected")
