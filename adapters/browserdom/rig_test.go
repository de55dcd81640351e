//go:build unix

package browserdom

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters/adaptertest"
	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/capture"
)

// patience is how long a test waits for an expected event; a loaded machine is slow.
const patience = time.Minute

// rig is a browser that tests share, as starting one takes half a second. The person acts through a second connection.
type rig struct {
	path func() string // of the browser
	once sync.Once
	m    *browser.Manager
	hand *hand
	dir  string
	err  error
}

// The tests run in Chromium's headless shell, where there is one, which takes two thirds of the time; what the shell does otherwise is
// tested in the whole browser.
var (
	shell  = &rig{path: browsertest.Shell}
	whole  = &rig{path: func() string { return "" }} // which browser.Find finds
	shared = shell
)

// inWholeBrowser has a test use the whole browser.
func inWholeBrowser(t *testing.T) {
	shared = whole
	t.Cleanup(func() { shared = shell })
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, r := range []*rig{shell, whole} {
		if err := r.close(); err != nil {
			fmt.Println(err)
			code = 1
		}
	}
	os.Exit(code)
}

func startShared(t testing.TB) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip("no Chromium here")
	}
	shared.once.Do(func() { shared.err = shared.start() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
}

func (r *rig) start() (err error) {
	if r.dir, err = os.MkdirTemp("", "browserdom-test-"); err != nil {
		return err
	}
	headless := true
	r.m = browser.NewManager(browser.Options{Path: r.path(), Headless: &headless, NoSandbox: true, Port: true,
		DownloadDir: filepath.Join(r.dir, "downloads"), ExtraArgs: []string{"--site-per-process"}})
	b, err := r.m.Browser(context.Background())
	if err == nil {
		r.hand, err = newHand(b.DebugURL())
	}
	return err
}

func (r *rig) close() (err error) {
	if r.hand != nil {
		r.hand.close()
	}
	if r.m != nil {
		err = r.m.Close()
	}
	if r.dir != "" {
		_ = os.RemoveAll(r.dir)
	}
	return err
}

// hand is the person: real input events over a connection of its own.
type hand struct {
	b      *browser.Browser
	client *browser.Client

	mu       sync.Mutex
	pages    map[target.ID]*browser.Session // tabs and out-of-process frames
	arrived  chan struct{}
	onDialog func(s *browser.Session, kind string)
}

func newHand(ws string) (*hand, error) {
	b, err := browser.Dial(context.Background(), ws)
	if err != nil {
		return nil, err
	}
	h := &hand{b: b, pages: map[target.ID]*browser.Session{}, arrived: make(chan struct{})}
	if h.client, err = b.NewClient(context.Background(), h); err != nil {
		return nil, err
	}
	_, err = cdp.Call(context.Background(), h.client.Root(), target.SetAutoAttach, attachOnly("page"))
	return h, err
}

// attachOnly attaches without a pause. Whichever client that pauses targets resumes one, it runs for all of them: a tab
// that the hand resumed could be clicked before the recorder was in it.
func attachOnly(kind string) target.SetAutoAttachParams {
	return target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true), Filter: target.Filter{{Type: kind}}}
}

func (h *hand) close() {
	h.client.Close()
	_ = h.b.Close()
}

func (h *hand) Attached(s *browser.Session) {
	s.Send(page.CommandEnable, nil, nil)
	s.Send(target.CommandSetAutoAttach, attachOnly("iframe"), nil)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pages[s.Info().TargetID] = s
	close(h.arrived)
	h.arrived = make(chan struct{})
}

func (h *hand) Detached(s *browser.Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pages, s.Info().TargetID)
	close(h.arrived)
	h.arrived = make(chan struct{})
}

func (h *hand) Event(s *browser.Session, method string, params jsonv2.Value) {
	if method != page.JavascriptDialogOpening.Method {
		return
	}
	var e page.EventJavascriptDialogOpening
	_ = browser.Decode(params, &e)
	h.mu.Lock()
	f := h.onDialog
	h.mu.Unlock()
	if f != nil {
		f(s, string(e.Type))
	} else {
		s.Send(page.CommandHandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}, nil)
	}
}

// frame returns an out-of-process frame as if it were a tab.
func (h *hand) frame(t testing.TB, url string) (p *sheet) {
	t.Helper()
	eventually(t, "the frame", func() bool {
		all, err := cdp.Call(ctxOf(t), h.client.Root(), target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{Type: "iframe"}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range all.TargetInfos {
			if i.URL == url {
				p = h.sheet(t, i.TargetID)
				return true
			}
		}
		return false
	})
	return p
}

// sheet is a tab the person works in.
type sheet struct {
	t  testing.TB
	h  *hand
	id target.ID
	s  *browser.Session
}

func ctxOf(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// open opens a tab and waits until its page is there, and observed if anything is.
func (h *hand) open(t testing.TB, url string) *sheet {
	t.Helper()
	p := h.tab(t, url)
	p.until(`document.readyState === "complete" && location.href !== "about:blank"`)
	if observers.Load() > 0 {
		p.observed()
	}
	p.drawn()
	return p
}

// observers is how many kinds observe the shared browser.
var observers atomic.Int32

// observed waits until the page half is in the tab's page.
func (p *sheet) observed() {
	p.t.Helper()
	if err := p.s.AwaitWorld(ctxOf(p.t), script.World); err != nil {
		p.t.Fatalf("the page is not observed: %v", err)
	}
}

// drawn waits a while until the page has been painted: Chromium drops clicks from before a person could see anything.
// A page behind another, or with nothing to show, is never painted.
func (p *sheet) drawn() {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var is bool
		if p.eval(`!document.body?.innerText || performance.getEntriesByType("paint").length > 0`, &is) != nil || is {
			return
		}
	}
}

// tab opens a tab that is closed when the test ends.
func (h *hand) tab(t testing.TB, url string) *sheet {
	t.Helper()
	res, err := cdp.Call(ctxOf(t), h.client.Root(), target.CreateTarget, target.CreateTargetParams{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	p := h.sheet(t, res.TargetID)
	t.Cleanup(p.shut)
	return p
}

func (h *hand) sheet(t testing.TB, id target.ID) *sheet {
	t.Helper()
	deadline := time.After(patience)
	for {
		h.mu.Lock()
		s, arrived := h.pages[id], h.arrived
		h.mu.Unlock()
		if s != nil {
			return &sheet{t: t, h: h, id: id, s: s}
		}
		select {
		case <-arrived:
		case <-deadline:
			t.Fatal("the tab did not appear")
		}
	}
}

func (p *sheet) shut() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, _ = cdp.Call(ctx, p.h.client.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: p.id})
}

// front brings the tab to the front: one pushed behind by a closing tab paints nothing, and takes no input for its
// frames.
func (p *sheet) front() { _, _ = cdp.Call(ctxOf(p.t), p.s, page.BringToFront, cdp.Empty{}) }

// eval evaluates an expression in the page; only the harness looks with it, the person never acts with it.
func (p *sheet) eval(expression string, v any) error {
	res, err := cdp.Call(ctxOf(p.t), p.s, runtime.Evaluate,
		runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true), AwaitPromise: new(true)})
	if err != nil {
		return err
	}
	if res.ExceptionDetails != nil {
		return fmt.Errorf("page: %s", res.ExceptionDetails.Text)
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(res.Result.Value, v)
}

func (p *sheet) until(condition string) {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		var ok bool
		if err := p.eval("!!("+condition+")", &ok); err == nil && ok {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("never: %s", condition)
		}
	}
}

// at is the centre of the element, in the page's coordinates.
func (p *sheet) at(selector string) (x, y float64) {
	p.t.Helper()
	var xy []float64
	err := p.eval(`(() => { let e = null; for (const part of `+quote(selector)+
		`.split(" >>> ")) { const root = e ? e.shadowRoot : document; e = root.querySelector(part); }
		e.scrollIntoView({block: "center", behavior: "instant"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + `+
		`r.height / 2]; })()`, &xy)
	if err != nil || len(xy) != 2 {
		p.t.Fatalf("%s: %v", selector, err)
	}
	return xy[0], xy[1]
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func (p *sheet) mouse(kind input.DispatchMouseEventType, x, y float64, button input.MouseButton, count int64) {
	p.t.Helper()
	_, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchMouseEvent,
		input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: button, ClickCount: count})
	if err != nil && !strings.Contains(err.Error(), "gone") {
		p.t.Logf("mouse: %v", err)
	}
}

func (p *sheet) clickAt(x, y float64) {
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, input.MouseButtonLeft, 1)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y, input.MouseButtonLeft, 1)
}

func (p *sheet) click(selector string) {
	p.t.Helper()
	x, y := p.at(selector)
	p.clickAt(x, y)
}

func (p *sheet) key(key, code string, vk int64, text string, mods int64) {
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		e := input.DispatchKeyEventParams{Type: kind, Key: key, Code: code, WindowsVirtualKeyCode: vk, Modifiers: mods}
		if kind == input.DispatchKeyEventTypeKeyDown {
			e.Text = text
		}
		if _, err := cdp.Call(ctxOf(p.t), p.s, input.DispatchKeyEvent, e); err != nil {
			p.t.Logf("key: %v", err)
		}
	}
}

func (p *sheet) keys(text string) {
	for _, c := range text {
		p.key(string(c), "", int64(unicode.ToUpper(c)), string(c), 0)
	}
}

func (p *sheet) enter()  { p.key("Enter", "Enter", 13, "\r", 0) }
func (p *sheet) tab()    { p.key("Tab", "Tab", 9, "", 0) }
func (p *sheet) escape() { p.key("Escape", "Escape", 27, "", 0) }
func (p *sheet) space()  { p.key(" ", "Space", 32, " ", 0) }
func (p *sheet) down()   { p.key("ArrowDown", "ArrowDown", 40, "", 0) }

// focus focuses an element, as Tab would after a while.
func (p *sheet) focus(selector string) {
	p.t.Helper()
	if err := p.eval("document.querySelector("+quote(selector)+").focus()", nil); err != nil {
		p.t.Fatal(err)
	}
}

// write clicks into a field, clears it and types.
func (p *sheet) write(selector, text string) {
	p.t.Helper()
	p.click(selector)
	p.keys(text)
}

// find waits for the n-th observation (from 1) with the verb.
func (w *watch) find(verb capture.Verb, n int) capture.Observation {
	w.t.Helper()
	var out capture.Observation
	w.Wait(w.t, fmt.Sprintf("%s %d", verb, n), patience, func(seen []adaptertest.Seen) bool {
		k := 0
		for _, o := range seen {
			if o.Verb == verb {
				if k++; k == n {
					out = o.Observation
					return true
				}
			}
		}
		return false
	})
	return out
}

// verbs waits until exactly these verbs were seen, in this order, and nothing follows.
func (w *watch) verbs(want ...capture.Verb) []adaptertest.Seen {
	w.t.Helper()
	w.Wait(w.t, fmt.Sprint(want), patience, func(seen []adaptertest.Seen) bool { return len(seen) >= len(want) })
	w.flushed()
	seen := w.Seen()
	got := make([]capture.Verb, 0, len(seen))
	for _, o := range seen {
		got = append(got, o.Verb)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Fatalf("verbs %v, want %v\n%s", got, want, adaptertest.Describe(seen))
	}
	return seen
}

// site serves pages by path; "" serves any path without a page of its own.
func site(t testing.TB, pages map[string]string) (*httptest.Server, string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			body, ok = pages[""]
		}
		switch {
		case r.URL.Path == "/302":
			http.Redirect(w, r, strings.TrimPrefix(r.URL.RawQuery, "to="), http.StatusFound)
			return
		case r.URL.Path == "/strict":
			w.Header().Set("Content-Security-Policy", "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
		}
		switch {
		case strings.HasSuffix(r.URL.Path, ".csv"):
			w.Header().Set("Content-Disposition", `attachment; filename="`+filepath.Base(r.URL.Path)+`"`)
			_, _ = w.Write([]byte("order,total\nA-1,10\n"))
		case !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<!doctype html><html lang=en><meta charset=utf-8><title>" + r.URL.Path + "</title>" + body))
		}
	}))
	t.Cleanup(srv.Close)
	return srv, strings.TrimPrefix(srv.URL, "http://")
}

// lastWith returns the tab that shows a URL.
func (h *hand) lastWith(t testing.TB, url string) *sheet {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		all, err := cdp.Call(ctxOf(t), h.client.Root(), target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range all.TargetInfos {
			if i.URL == url && i.Type == "page" {
				p := h.sheet(t, i.TargetID)
				p.until(`document.readyState === "complete"`)
				t.Cleanup(p.shut)
				return p
			}
		}
	}
	t.Fatalf("no tab shows it")
	return nil
}
