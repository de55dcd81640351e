package player

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
	"showhow/browser/find"
)

// reader queries the pages of a browser and waits until they settle.
type reader struct{ *tracker }

// prepared waits until a tab has processed what was sent when it was attached: a question asked
// while the tab navigates might be lost with the old process.
func (p *reader) prepared(ctx context.Context, t *tab) error {
	return p.sendFor(ctx, startTime, t, t.s, runtime.CommandGetIsolateID, nil, nil)
}

func (p *reader) callOn(ctx context.Context, t *tab, f *find.Found, function string, into any, args ...any) error {
	params := runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: f.ObjectID, ReturnByValue: new(true),
		AwaitPromise: new(true), Silent: new(true)}
	for _, a := range args {
		b, err := json.Marshal(a)
		if err != nil {
			return err
		}
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: jsonv2.Value(b)})
	}
	var res runtime.CallFunctionOnResult
	err := p.send(ctx, t, f.Session, runtime.CommandCallFunctionOn, params, &res)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errStopped):
		return &Unready{Reason: Unanswered}
	case err != nil:
		if gone := p.alive(t); gone != nil {
			return gone
		}
		return &Unready{Reason: Replaced, passing: true}
	case res.ExceptionDetails != nil || res.Result == nil:
		return &Unready{Reason: Replaced, passing: true}
	case into == nil || len(res.Result.Value) == 0:
		return nil
	}
	return json.Unmarshal(res.Result.Value, into)
}

// send sends a command and waits for its answer, for a dialog that the player leaves open, or for
// the end of the tab.
func (p *reader) send(ctx context.Context, t *tab, s *browser.Session, method string, params, into any) error {
	return p.sendFor(ctx, answerTime, t, s, method, params, into)
}

// sendFor is send with a limit of its own.
func (p *reader) sendFor(ctx context.Context, most time.Duration, t *tab, s *browser.Session, method string, params, into any) error {
	type answer struct {
		v   jsonv2.Value
		err error
	}
	got := make(chan answer, 1)
	s.Send(method, params, func(v jsonv2.Value, err error) { got <- answer{v.Clone(), err} })
	timer := time.NewTimer(most)
	defer timer.Stop()
	read := func(a answer) error {
		if a.err != nil || into == nil {
			return a.err
		}
		return browser.Decode(a.v, into)
	}
	lost := func(a answer) bool { return s == t.s && errors.Is(a.err, browser.ErrGone) }
	for {
		p.mu.Lock()
		stopped, wake := t.dialog != nil || t.gone || t.dead, p.wake
		p.mu.Unlock()
		if stopped {
			select {
			case a := <-got: // an answer that is there counts
				if !lost(a) {
					return read(a)
				}
			default:
			}
			return errStopped
		}
		select {
		case a := <-got:
			if !lost(a) {
				return read(a)
			}
			got = nil // the tab has ended, or everything has: wait to be told which
		case <-wake:
		case <-p.client.Done():
			return browser.ErrGone
		case <-timer.C:
			return &Unready{Reason: Unanswered}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask evaluates an expression in our world of each document of a tab, all at once, the top document
// first; "" for one that did not answer. It returns early when a dialog stops the page.
func (p *reader) ask(ctx context.Context, t *tab, expression string) []string {
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

// gather collects n answers, unless a dialog or the end of the tab intervenes.
func (p *reader) gather(ctx context.Context, t *tab, answers <-chan func() bool, n int) {
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

// frameTime is how much longer to wait for frames than for the top document: a stuck frame must not
// hold anything up.
const frameTime = 300 * time.Millisecond
