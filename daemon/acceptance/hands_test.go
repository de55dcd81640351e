//go:build linux

package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"mime"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

// A shop shows the nth text by itself in every place that a page has, and in others what was entered on the page before:
//
//	/?n=3&note=...   the page
//	/file?n=3        a file to save that is named after the text
func shop(t *testing.T, heading string, texts []string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("n"))
		n %= len(texts)
		switch r.URL.Path {
		case "/":
			password := ""
			if n%7 == 0 && n > 0 {
				password = signIn
			}
			entered := r.FormValue("note") + r.FormValue("more") + r.FormValue("who")
			fmt.Fprintf(w, shopPage, html.EscapeString(texts[n]), html.EscapeString(heading), n, n+1, html.EscapeString(entered), password)
		case "/file":
			w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(texts[n]) + ".csv"}))
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, "a,b\n")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

const shopPage = `<!doctype html><meta charset=utf-8><title>Shop %[1]s</title><h1>%[2]s</h1><h2>%[1]s</h2><p role=alert>%[1]s</p>
<table aria-label="List of %[1]s"><tr><th>%[1]s</th></tr><tr><td>%[1]s</td></tr></table>
<h2>Entered %[5]s</h2><p role=status>%[5]s</p><table aria-label="Sent %[5]s"><tr><th>Sent</th></tr><tr><td>%[5]s</td></tr></table>
<a id=link href="#%[1]s" title="%[1]s">Details of %[1]s</a> <a id=file href="/file?n=%[3]d" download>Save</a>
<button id=tell onclick="alert(document.querySelector('h2').textContent)">Tell %[1]s</button>
<select id=pick aria-label="Choice"><option>one</option><option>%[1]s</option></select>
<textarea id=source aria-label="Source">%[1]s</textarea>
<div id=remark contenteditable role=textbox aria-label="Remark">-</div>
<form><input type=hidden name=n value=%[4]d><input id=note name=note aria-label="Note" placeholder="%[1]s">` +
	` <input id=more name=more aria-label="More" autocomplete=off>
<input id=upload type=file aria-label="Attachment">%[6]s<button id=send>Send</button></form>`

// A page with this in it is one for signing in, of which nothing is kept.
const signIn = `<input id=who name=who type=password aria-label="Password">`

// hands are a person's at the browser: a connection that only looks, points and types.
type hands struct {
	t        *testing.T
	client   *browser.Client
	attached chan *browser.Session
}

func (h *hands) Attached(s *browser.Session) { h.attached <- s }
func (*hands) Detached(*browser.Session)     {}
func (*hands) Event(s *browser.Session, method string, _ jsonv2.Value) {
	if method == cdppage.JavascriptDialogOpening.Method {
		s.Send(cdppage.CommandHandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: true}, nil)
	}
}

// sit takes a place before the browser at its debugging address.
func sit(t *testing.T, ws string) *hands {
	b := got(browser.Dial(context.Background(), ws))(t)
	t.Cleanup(func() { b.Close() })
	h := &hands{t: t, attached: make(chan *browser.Session, 16)}
	h.client = got(b.NewClient(context.Background(), h))(t)
	t.Cleanup(h.client.Close)
	return h
}

// tab is an open page.
type tab struct {
	h *hands
	s *browser.Session
}

func (h *hands) tab(url string) *tab {
	h.t.Helper()
	ctx := h.t.Context()
	res := got(cdp.Call(ctx, h.client.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"}))(h.t)
	got(cdp.Call(ctx, h.client.Root(), target.AttachToTarget, target.AttachToTargetParams{TargetID: res.TargetID, Flatten: new(true)}))(h.t)
	for s := range h.attached {
		if s.Info().TargetID == res.TargetID {
			p := &tab{h, s}
			must(h.t, s.Call(ctx, cdppage.CommandEnable, nil, nil))
			must(h.t, s.Call(ctx, cdppage.CommandBringToFront, nil, nil))
			p.open(url)
			return p
		}
	}
	return nil
}

// open goes to an address and waits for its page.
func (p *tab) open(url string) {
	p.h.t.Helper()
	p.leave(func() { got(cdp.Call(p.h.t.Context(), p.s, cdppage.Navigate, cdppage.NavigateParams{URL: url}))(p.h.t) })
}

// leave does something that brings another page and waits for that.
func (p *tab) leave(act func()) {
	p.h.t.Helper()
	p.eval("window.left = true", nil)
	act()
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		var there bool
		if p.eval(`document.readyState === "complete" && !window.left`, &there); there {
			return
		}
		if time.Now().After(end) {
			p.h.t.Fatal("the page does not come")
		}
	}
}

// eval looks at the page; nothing is done with it. While a page is replaced there is nothing to see.
func (p *tab) eval(expression string, v any) {
	res, err := cdp.Call(p.h.t.Context(), p.s, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true)})
	if err == nil && res.ExceptionDetails == nil && v != nil {
		must(p.h.t, json.Unmarshal(res.Result.Value, v))
	}
}

// press clicks on an element.
func (p *tab) press(selector string) {
	p.h.t.Helper()
	var at []float64
	p.eval(`(() => { const e = document.querySelector(`+strconv.Quote(selector)+`); e.scrollIntoView({block: "center", behavior: "instant"});
		const r = e.getBoundingClientRect(); return [r.x + Math.min(r.width / 2, 20), r.y + r.height / 2]; })()`, &at)
	if len(at) != 2 {
		p.h.t.Fatalf("%s is not there", selector)
	}
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		got(cdp.Call(p.h.t.Context(), p.s, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1],
			Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}))(p.h.t)
	}
}

func (p *tab) key(k input.DispatchKeyEventParams) {
	p.h.t.Helper()
	got(cdp.Call(p.h.t.Context(), p.s, input.DispatchKeyEvent, k))(p.h.t)
}

// keys types text, key by key.
func (p *tab) keys(text string) {
	p.h.t.Helper()
	for _, r := range text {
		for _, k := range browser.Keystroke(r) {
			p.key(k)
		}
	}
}

// insert enters text at once, as an input method or a password manager does.
func (p *tab) insert(text string) {
	p.h.t.Helper()
	got(cdp.Call(p.h.t.Context(), p.s, input.InsertText, input.InsertTextParams{Text: text}))(p.h.t)
}

// command is Ctrl with a key: selectAll, copy, paste.
func (p *tab) command(key, what string) {
	p.h.t.Helper()
	k := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Modifiers: 2, Key: key,
		WindowsVirtualKeyCode: int64(key[0] - 32), Commands: []string{what}}
	p.key(k)
	k.Type, k.Commands = input.DispatchKeyEventTypeKeyUp, nil
	p.key(k)
}

// upload chooses a file.
func (p *tab) upload(selector, file string) {
	p.h.t.Helper()
	ctx := p.h.t.Context()
	doc := got(cdp.Call(ctx, p.s, dom.GetDocument, dom.GetDocumentParams{}))(p.h.t)
	n := got(cdp.Call(ctx, p.s, dom.QuerySelector, dom.QuerySelectorParams{NodeID: doc.Root.NodeID, Selector: selector}))(p.h.t)
	got(cdp.Call(ctx, p.s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{NodeID: n.NodeID, Files: []string{file}}))(p.h.t)
}

// fileName is a text as a file's name.
func fileName(text string) string {
	name := []rune(path.Clean(text))
	for i, r := range name {
		if r == '/' || r < ' ' {
			name[i] = '_'
		}
	}
	return string(name[:min(len(name), 120)])
}
