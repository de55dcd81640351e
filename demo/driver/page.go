package driver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/remote"

	"showhow/browser"
)

//go:embed look.js
var lookJS string

// hands is the person's side of the browser: a connection that only looks, points and types.
type hands struct {
	conn     *browser.Conn
	client   *browser.Client
	attached chan *browser.Session
	pace     time.Duration
	patience time.Duration
}

// tab is one tab the person has before them.
type tab struct {
	*hands
	s  *browser.Session
	id target.ID
}

// hands is a client's handler that only needs to hear of its own attachment.
func (h *hands) Attached(s *browser.Session)                  { h.attached <- s }
func (h *hands) Detached(*browser.Session)                    {}
func (h *hands) Event(*browser.Session, string, jsonv2.Value) {}

// sit connects to the browser at url: its ws:// address or the http:// address of its debugging port.
func sit(ctx context.Context, url string, c Config) (*hands, error) {
	ws, err := socket(ctx, url)
	if err != nil {
		return nil, err
	}
	tr, err := remote.DialContext(ctx, ws)
	if err != nil {
		return nil, errors.New("the browser cannot be reached")
	}
	h := &hands{conn: browser.NewConn(tr), attached: make(chan *browser.Session, 16), pace: c.pace(), patience: c.patience()}
	if h.client, err = h.conn.NewClient(ctx, h); err != nil {
		_ = h.conn.Close()
		return nil, errors.New("the browser does not answer")
	}
	return h, nil
}

func socket(ctx context.Context, url string) (string, error) {
	if strings.HasPrefix(url, "ws://") {
		return url, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/json/version", nil)
	if err != nil {
		return "", errors.New("not an address of a browser")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", errors.New("the browser's debugging port does not answer")
	}
	defer resp.Body.Close()
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil || v.URL == "" {
		return "", errors.New("the browser's debugging port does not name its address")
	}
	return v.URL, nil
}

func (h *hands) leave() {
	h.client.Close()
	_ = h.conn.Close()
}

// firstTab is the tab in front; newTab opens one, like Ctrl+T and an address.
func (h *hands) firstTab(ctx context.Context) (*tab, error) {
	r, err := cdp.Call(ctx, h.client.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, errors.New("the browser does not name its tabs")
	}
	for _, t := range r.TargetInfos {
		if t.Type == "page" && !strings.HasPrefix(t.URL, "devtools:") {
			return h.attach(ctx, t.TargetID)
		}
	}
	return h.newTab(ctx, "about:blank")
}

func (h *hands) newTab(ctx context.Context, url string) (*tab, error) {
	r, err := cdp.Call(ctx, h.client.Root(), target.CreateTarget, target.CreateTargetParams{URL: url})
	if err != nil {
		return nil, errors.New("no new tab could be opened")
	}
	t, err := h.attach(ctx, r.TargetID)
	if err != nil {
		return nil, err
	}
	// A person takes longer to look at a new tab than the recorder to be in it. Without capture nothing comes.
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = t.s.AwaitWorld(ctx, "showhow")
	return t, nil
}

func (h *hands) attach(ctx context.Context, id target.ID) (*tab, error) {
	flat := true
	if _, err := cdp.Call(ctx, h.client.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: id, Flatten: &flat}); err != nil {
		return nil, errors.New("the tab cannot be reached")
	}
	for {
		select {
		case s := <-h.attached:
			if s.Info().TargetID == id {
				return &tab{h, s, id}, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// front brings the tab to the front, as a click on it in the tab bar does.
func (t *tab) front(ctx context.Context) error {
	return t.s.Call(ctx, cdppage.CommandBringToFront, nil, nil)
}

// close closes the tab.
func (t *tab) close(ctx context.Context) error {
	_, err := cdp.Call(ctx, t.client.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.id})
	return err
}

// goTo types an address.
func (t *tab) goTo(ctx context.Context, url string) error {
	_, err := cdp.Call(ctx, t.s, cdppage.Navigate, cdppage.NavigateParams{URL: url})
	if err != nil {
		return errors.New("the address does not open")
	}
	return nil
}

// view is the result of a look at the whole page.
type view struct {
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	Ready    bool     `json:"ready"`
	Headings []string `json:"headings"`
	Status   []string `json:"status"`
	Alerts   []string `json:"alerts"`
}

func (v view) heading() string {
	if len(v.Headings) == 0 {
		return ""
	}
	return v.Headings[0]
}

// thing is one element that the person sees. Positions are CSS pixels of the viewport.
type thing struct {
	Count   int      `json:"count"`
	X       float64  `json:"x"`
	Y       float64  `json:"y"`
	W       float64  `json:"w"`
	H       float64  `json:"h"`
	Height  float64  `json:"height"` // of the viewport
	Value   string   `json:"value"`
	Checked bool     `json:"checked"`
	Focused bool     `json:"focused"`
	Chosen  string   `json:"chosen"`
	Options []option `json:"options"`
	Date    []string `json:"date"` // order of year, month, day as dates are written here
}

type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// look reads the page. A page that is being replaced shows nothing.
func (t *tab) look(ctx context.Context, into any, args ...string) error {
	words, err := json.Marshal(args)
	if err != nil {
		return err
	}
	byValue := true
	r, err := cdp.Call(ctx, t.s, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(" + lookJS + ")(..." + string(words) + ")", ReturnByValue: &byValue})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil || r.Result == nil {
		return errors.New("the page cannot be read")
	}
	return json.Unmarshal(r.Result.Value, into)
}

// see waits until the page is complete and ok accepts it.
func (t *tab) see(ctx context.Context, what string, ok func(view) bool) (view, error) {
	var last view
	err := t.until(ctx, what, func() bool {
		var v view
		if t.look(ctx, &v, "page") != nil || !v.Ready {
			return false
		}
		last = v
		return ok(v)
	})
	return last, err
}

// find waits until something is visible and stands still, scrolling to it.
func (t *tab) find(ctx context.Context, kind, name, within string) (thing, error) {
	var e thing
	err := t.until(ctx, kind+" "+name, func() bool {
		var now thing
		if t.look(ctx, &now, kind, name, within) != nil || now.Count == 0 {
			return false
		}
		if now.Y < 0 || now.Y+now.H > now.Height {
			t.wheel(ctx, now)
			e = thing{}
			return false
		}
		still := e.Count > 0 && e.X == now.X && e.Y == now.Y
		e = now
		return still
	})
	return e, err
}

// until looks repeatedly, until the person's patience ends.
func (t *tab) until(ctx context.Context, what string, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("not seen in time: %s", what)
		}
	}
	return nil
}

// wheel scrolls a thing to the middle of the view. The browser requires both deltas, even if zero.
func (t *tab) wheel(ctx context.Context, e thing) {
	_ = t.s.Call(ctx, input.CommandDispatchMouseEvent, map[string]any{
		"type": input.DispatchMouseEventTypeMouseWheel, "x": 20, "y": e.Height / 2, "deltaX": 0, "deltaY": e.Y + e.H/2 - e.Height/2}, nil)
}

// press clicks at a point inside a thing, given as fractions of its width and height.
func (t *tab) press(ctx context.Context, e thing, across, down float64) error {
	x, y := e.X+e.W*across, e.Y+e.H*down
	for _, m := range []input.DispatchMouseEventParams{
		{Type: input.DispatchMouseEventTypeMouseMoved, X: x - 9, Y: y - 4},
		{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y},
		{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1},
		{Type: input.DispatchMouseEventTypeMouseReleased, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1},
	} {
		if _, err := cdp.Call(ctx, t.s, input.DispatchMouseEvent, m); err != nil {
			return errors.New("the mouse does not reach the page")
		}
		if err := t.beat(ctx); err != nil {
			return err
		}
	}
	return nil
}

// keys types text, one key after the other.
func (t *tab) keys(ctx context.Context, text string) error {
	for _, r := range text {
		for _, k := range browser.Keystroke(r) {
			if _, err := cdp.Call(ctx, t.s, input.DispatchKeyEvent, k); err != nil {
				return errors.New("the keyboard does not reach the page")
			}
		}
		if err := t.beat(ctx); err != nil {
			return err
		}
	}
	return nil
}

// selectAll is Ctrl+A.
func (t *tab) selectAll(ctx context.Context) error {
	k := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Modifiers: 2, Key: "a", Code: "KeyA",
		WindowsVirtualKeyCode: 'A', Commands: []string{"selectAll"}}
	if _, err := cdp.Call(ctx, t.s, input.DispatchKeyEvent, k); err != nil {
		return errors.New("the keyboard does not reach the page")
	}
	k.Type, k.Commands = input.DispatchKeyEventTypeKeyUp, nil
	_, err := cdp.Call(ctx, t.s, input.DispatchKeyEvent, k)
	return err
}

// beat is the time between two movements of the hand.
func (h *hands) beat(ctx context.Context) error {
	select {
	case <-time.After(h.pace):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
