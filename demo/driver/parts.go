package driver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"

	"showhow/browser"
)

// The person's parts separately, for demonstrations of tasks other than the desk's.

// Shell is a real interactive bash in a pseudo terminal.
type Shell struct{ s *shell }

// StartShell starts it in the person's home and waits for its prompt.
func StartShell(ctx context.Context, c Config) (*Shell, error) {
	s, err := startShell(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Shell{s}, nil
}

// TTY is the terminal as a scope names it: pts/3.
func (s *Shell) TTY() string { return s.s.tty }

// Run types a line key by key and waits for the next prompt.
func (s *Shell) Run(ctx context.Context, line string) error { return s.s.run(ctx, line) }

// Watched reports whether the prompt says that the shell is captured.
func (s *Shell) Watched() bool { return s.s.watched() }

// Close ends the shell and waits for it.
func (s *Shell) Close() { s.s.close() }

// Hands is the person's side of a browser: it only looks, points and types.
type Hands struct{ h *hands }

// Sit connects to a browser at its ws:// address or the http:// address of its debugging port.
func Sit(ctx context.Context, url string, c Config) (*Hands, error) {
	h, err := sit(ctx, url, c)
	if err != nil {
		return nil, err
	}
	return &Hands{h}, nil
}

// Leave closes the connection; the browser stays.
func (h *Hands) Leave() { h.h.leave() }

// NewTab opens a tab, like Ctrl+T and an address, and brings it to the front.
func (h *Hands) NewTab(ctx context.Context, url string) (*Tab, error) {
	t, err := h.h.newTab(ctx, url)
	if err != nil {
		return nil, err
	}
	return &Tab{t}, t.front(ctx)
}

// Tab is one tab that the person has before them.
type Tab struct{ t *tab }

// Session is the session with the tab's page.
func (t *Tab) Session() *browser.Session { return t.t.s }

// Close closes the tab.
func (t *Tab) Close(ctx context.Context) error { return t.t.close(ctx) }

// GoTo types an address.
func (t *Tab) GoTo(ctx context.Context, url string) error { return t.t.goTo(ctx, url) }

// Look runs a function that reads the page and changes nothing, with these words, and decodes its result.
func (t *Tab) Look(ctx context.Context, into any, script string, words ...string) error {
	args, err := json.Marshal(words)
	if err != nil {
		return err
	}
	byValue := true
	r, err := cdp.Call(ctx, t.t.s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: "(" + script + ")(..." + string(args) + ")", ReturnByValue: &byValue})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil || r.Result == nil {
		return errors.New("the page cannot be read")
	}
	return json.Unmarshal(r.Result.Value, into)
}

// Until looks repeatedly until ok, as long as the person is patient.
func (t *Tab) Until(ctx context.Context, what string, ok func() bool) error {
	return t.t.until(ctx, what, ok)
}

// Mouse moves, presses or releases the left button at a point of the viewport.
func (t *Tab) Mouse(ctx context.Context, kind input.DispatchMouseEventType, x, y float64, held bool) error {
	m := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if held || kind != input.DispatchMouseEventTypeMouseMoved {
		m.Button, m.ClickCount = input.MouseButtonLeft, 1
	}
	if held {
		m.Buttons = 1
	}
	if _, err := cdp.Call(ctx, t.t.s, input.DispatchMouseEvent, m); err != nil {
		return errors.New("the mouse does not reach the page")
	}
	return t.t.beat(ctx)
}

// Wheel scrolls by dy pixels.
func (t *Tab) Wheel(ctx context.Context, dy float64) error {
	return t.t.s.Call(ctx, input.CommandDispatchMouseEvent, map[string]any{
		"type": input.DispatchMouseEventTypeMouseWheel, "x": 5, "y": 300, "deltaX": 0, "deltaY": dy}, nil)
}

// Keys types text, one key after the other.
func (t *Tab) Keys(ctx context.Context, text string) error { return t.t.keys(ctx, text) }

// SelectAll is Ctrl+A.
func (t *Tab) SelectAll(ctx context.Context) error { return t.t.selectAll(ctx) }
