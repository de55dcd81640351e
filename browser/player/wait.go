package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// How long at most an act's consequences are waited for before it counts as done: a caller that expects more settles for it.
const (
	navigationTime = 30 * time.Second       // a page that was asked for
	loadTime       = 10 * time.Second       // what a page loads
	requestTime    = 5 * time.Second        // other requests
	unreadTime     = 400 * time.Millisecond // the rest of an answer that a script has and may not want to read
	restlessTime   = 600 * time.Millisecond // changes of the page
	quiet          = 30 * time.Millisecond
	tick           = 50 * time.Millisecond
	answerTime     = 10 * time.Second // a page to answer at all
)

// rest waits until what the act started has come to rest: navigations, what the pages load, requests, changes of the page.
func (p *Player) rest(ctx context.Context) error {
	since := p.act.since
	for {
		t := p.current()
		if t == nil {
			return nil
		}
		if err := p.until(ctx, navigationTime, func() bool { return p.front != t || t.idle(p, since) }); err != nil && ctx.Err() != nil {
			return ctx.Err()
		} else if errors.Is(err, browser.ErrGone) {
			return err
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

func (p *Player) idle(t *tab, since time.Time) (ok bool) {
	p.locked(func() { ok = t.idle(p, since) })
	return ok
}

// idle: nothing is under way that the act started. The caller holds Player.mu.
func (t *tab) idle(p *Player, since time.Time) bool {
	if t.gone || t.dead || t.dialog != nil {
		return true
	}
	for frame, at := range t.asked {
		if time.Since(at) < loadTime || string(frame) == string(t.id) && time.Since(at) < navigationTime {
			return false
		}
	}
	late := time.Since(since) > loadTime
	if len(t.busy) > 0 && !late {
		return false
	}
	over := time.Since(since) > requestTime
	for _, v := range p.views {
		if v.tab != t {
			continue
		}
		for _, f := range v.flights {
			switch {
			case f.since.Before(since) || p.lingers[f.what] || f.unread():
			case over:
				p.lingers[f.what] = true
			default:
				return false
			}
		}
	}
	return true
}

// restState is what the documents of a tab say of themselves.
type restState struct {
	ready   bool          // all are loaded
	quiet   time.Duration // since the last change of any
	touched bool          // something changed since the last look
	blocked bool          // a dialog stops the page
	closing bool          // the page has closed itself
	failed  bool          // the top one did not answer: it is being replaced
}

// look asks a tab's documents, after their next frame. It also makes the browser tell what they have just started.
func (p *Player) look(ctx context.Context, t *tab) restState { return p.watch(ctx, t, 0) }

// watch looks, and gives documents that have changed a while to be still.
func (p *Player) watch(ctx context.Context, t *tab, still time.Duration) restState {
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

// ask evaluates an expression in our world of each document of a tab, all at once, the top one first; "" for one that did not
// answer. It ends early when a dialog stops the page.
func (p *Player) ask(ctx context.Context, t *tab, expression string) []string {
	type home struct {
		s      *browser.Session
		unique string
	}
	var homes []home
	p.locked(func() {
		for _, v := range p.viewsOf(t) {
			top := v.worlds[frameOf(v)]
			if top == "" && v.s == t.s {
				return // it is being replaced, and its frames with it
			}
			if top != "" {
				homes = append(homes, home{v.s, top})
			}
			for f, unique := range v.worlds {
				if f != frameOf(v) {
					homes = append(homes, home{v.s, unique})
				}
			}
		}
	})
	if len(homes) == 0 {
		return []string{""}
	}
	out := make([]string, len(homes))
	answers := make(chan func() bool, len(homes))
	for i, h := range homes {
		params := runtime.EvaluateParams{Expression: expression, UniqueContextID: h.unique, ReturnByValue: new(true), AwaitPromise: new(true),
			Silent: new(true)}
		h.s.Send(runtime.CommandEvaluate, params, func(raw jsonv2.Value, err error) {
			text := ""
			var res runtime.EvaluateResult
			if err == nil && browser.Decode(raw, &res) == nil && res.Result != nil && res.ExceptionDetails == nil {
				_ = json.Unmarshal(res.Result.Value, &text)
			}
			answers <- func() (top bool) {
				out[i] = text
				return i == 0
			}
		})
	}
	p.gather(ctx, t, answers, len(homes))
	return out
}

// frameTime is how much longer than for the top document the answers of frames are waited for: one that is stuck holds nothing up.
const frameTime = 300 * time.Millisecond

// gather takes n answers, unless a dialog or the end of the tab stops it.
func (p *Player) gather(ctx context.Context, t *tab, answers <-chan func() bool, n int) {
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	for n > 0 {
		p.mu.Lock()
		stopped, wake := t.dialog != nil || t.gone || t.dead, p.wake
		p.mu.Unlock()
		if stopped {
			return
		}
		select {
		case f := <-answers:
			if f() {
				timer.Reset(frameTime)
			}
			n--
		case <-wake:
		case <-p.client.Done():
			return
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// patience is how long something that is not there is waited for: as long as anything may still change it, and a while longer.
type patience struct {
	began, calm time.Time
	tries       int
}

// longest bounds the patience with a page that never rests.
const longest = 30 * time.Second

func (p *Player) patience() *patience { now := time.Now(); return &patience{began: now, calm: now} }

// more waits for a change of the tab, or a moment; false when patience has ended.
func (w *patience) more(ctx context.Context, p *Player, t *tab) bool {
	w.tries++
	if p.pause(ctx, min(tick, time.Duration(w.tries)*tick/10)) != nil || time.Since(w.began) > longest {
		return false
	}
	r := p.look(ctx, t)
	if r.blocked {
		return false
	}
	if !r.ready || r.failed || r.quiet < 2*tick || !p.idle(t, w.began.Add(-loadTime)) {
		w.calm = time.Now()
	}
	return time.Since(w.calm) < p.o.Patience
}

// find looks for a target until it is there or nothing changes any more. What is in a menu that opens under the pointer is looked
// for there.
func (p *Player) find(ctx context.Context, t *tab, w find.Want, wait *patience) (*find.Found, error) {
	hovered := false
	for {
		f, err := p.lookFor(ctx, t, w)
		var missing *find.NotFound
		switch {
		case err == nil:
			return f, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.As(err, &missing) && p.alive(t) != nil:
			return nil, p.alive(t)
		case errors.As(err, &missing) && !hovered && w.Target.Landmark != nil && w.Target.Landmark.Role == "menu":
			hovered = p.openMenu(ctx, t, w.Target.Landmark.Name)
		}
		if !wait.more(ctx, p, t) {
			if missing != nil && missing.Reason == find.Missing {
				if f := p.findFurther(ctx, t, w); f != nil {
					wait.calm = time.Now() // it may be drawn anew once more when it is scrolled into the middle
					return f, nil
				}
			}
			return nil, err
		}
	}
}

// lookFor looks once. A page that a dialog stops, or that does not answer, holds it up no longer than any other question.
func (p *Player) lookFor(ctx context.Context, t *tab, w find.Want) (*find.Found, error) {
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
func (p *Player) seek(ctx context.Context, t *tab, a Act) (*find.Found, error) {
	return p.lookFor(ctx, t, find.Want{Target: *a.Target, Verb: a.Verb})
}

func (p *Player) alive(t *tab) (err error) {
	p.locked(func() {
		if t.gone || t.dead {
			err = browser.ErrGone
		}
	})
	select {
	case <-p.client.Done():
		return browser.ErrGone
	default:
		return err
	}
}

// openMenu points at what a menu hangs on.
func (p *Player) openMenu(ctx context.Context, t *tab, name string) bool {
	for _, role := range []string{"menuitem", "link", "button"} {
		f, err := p.lookFor(ctx, t, find.Want{Target: capture.Target{Role: role, Name: name}, Verb: capture.Click})
		if err != nil {
			continue
		}
		h := &hand{p: p, t: t, f: f}
		if at, err := h.aim(ctx, aimHover); err == nil {
			return h.move(ctx, at) == nil
		}
	}
	return false
}

// Settle waits until the page in front is as expected. It gives up when nothing has changed for a while and nothing is under way
// (Options.Patience), or with ctx; it then returns the last state and why.
func (p *Player) Settle(ctx context.Context, until func(capture.State) bool) (capture.State, error) {
	wait := p.patience()
	var last string
	for {
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

// ErrUnsettled is what Settle ends with when the state did not come.
var ErrUnsettled = errors.New("the page rests in another state than the one expected")
