package player

import (
	"context"
	_ "embed"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"showhow/browser"
)

const maxBody = 64 << 10

// guardBrowser also pauses requests that belong to no page: those that outlive their page, workers'
// scripts.
func (p *tracker) guardBrowser(ctx context.Context) error {
	_, err := cdp.Call(ctx, p.client.Root(), fetch.Enable, everything)
	return err
}

var everything = fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}}

// paused judges a paused request.
func (p *tracker) paused(s *browser.Session, params jsonv2.Value) {
	var e fetch.EventRequestPaused
	if browser.Decode(params, &e) != nil || e.Request == nil {
		return
	}
	if socket, message, ok := probed(e.Request.URL); ok {
		p.answerProbe(s, &e, socket, message)
		return
	}
	r := p.request(s, &e)
	why, passed := "", p.judged(s, &e)
	if !passed {
		why = p.judge(r, e.Request)
	}
	if why == "" {
		if r.Navigation && e.NetworkID == "" { // no page's: it is for a file
			p.locked(func() { p.act.saving = time.Now() })
		}
		p.locked(func() { p.answers.asked(e.NetworkID, r) })
		send := func() { s.Send(fetch.CommandContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID}, nil) }
		if passed || !p.holds(r, send) {
			send()
		}
		return
	}
	delete(p.passed, passing{e.NetworkID, e.Request.Method, e.Request.URL})
	p.block(r, why)
	reason := network.ErrorReasonBlockedByClient
	if r.Navigation {
		reason = network.ErrorReasonAborted // the page stays where it is
	}
	s.Send(fetch.CommandFailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: reason}, nil)
}

// judged reports whether a request has been judged before: most requests pause twice, in their
// page's session and, on their way out, at the browser, but are judged once.
func (p *tracker) judged(s *browser.Session, e *fetch.EventRequestPaused) bool {
	if e.NetworkID == "" {
		return false
	}
	key := passing{e.NetworkID, e.Request.Method, e.Request.URL}
	if s != p.client.Root() {
		if len(p.passed) > maxPassing {
			clear(p.passed)
		}
		p.passed[key]++
		return false
	}
	if p.passed[key] == 0 {
		return false
	}
	if p.passed[key]--; p.passed[key] == 0 {
		delete(p.passed, key)
	}
	return true
}

// passing identifies a request on its way; see judged.
type passing struct {
	id     network.RequestID
	method string
	url    string
}

const maxPassing = 1000

func (p *tracker) block(r Request, why string) {
	p.locked(func() {
		p.blocked = append(p.blocked, Blocked{r, why})
		p.act.misses(network.ResourceType(r.ResourceType), p.aside == nil || r.Aside)
		p.changed()
	})
}

func (p *tracker) request(s *browser.Session, e *fetch.EventRequestPaused) Request {
	r := Request{Method: e.Request.Method, URL: e.Request.URL, ResourceType: string(e.ResourceType),
		Navigation: e.ResourceType == network.ResourceTypeDocument}
	for _, b := range e.Request.PostDataEntries {
		if b != nil {
			r.Body = append(r.Body, b.Bytes[:min(len(b.Bytes), maxBody-len(r.Body))]...)
		}
	}
	kind := strings.ToLower(header(e.Request, "Content-Type"))
	r.Form = strings.HasPrefix(kind, "application/x-www-form-urlencoded") || strings.HasPrefix(kind, "multipart/form-data")
	p.locked(func() {
		v := p.views[s]
		r.Aside = p.aside != nil && (v == nil || v.tab == nil || p.beside(v.tab))
		if v != nil && v.tab != nil {
			r.Main = r.Navigation && v.tab == p.front && v.tab != p.act.opened && string(e.FrameID) == string(v.tab.id)
			r.Frame = r.Navigation && e.FrameID != "" && string(e.FrameID) != string(v.tab.id)
			r.Initiator = v.tab.frames[e.FrameID]
			if r.Initiator == "" {
				r.Initiator = v.tab.url
			}
		}
	})
	if from := header(e.Request, "Referer"); r.Initiator == "" {
		r.Initiator = from
	}
	return r
}

func header(r *network.Request, name string) string {
	for k, v := range r.Headers {
		if s, ok := v.(string); ok && strings.EqualFold(k, name) {
			return s
		}
	}
	return ""
}

// judge asks the guard about requests that leave the machine. A service worker would send requests
// that belong to no known page, so its script is never delivered.
func (p *tracker) judge(r Request, raw *network.Request) string {
	if header(raw, "Service-Worker") != "" {
		return "service workers are not run"
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return "not an address"
	}
	switch u.Scheme {
	case "http", "https", "ws", "wss":
	case "data", "blob", "about", "chrome", "chrome-untrusted", "chrome-error", "devtools", "chrome-extension":
		return "" // nothing is sent
	default:
		return "only web pages are opened"
	}
	looking := false
	p.locked(func() { looking = p.act.looking })
	if looking && !reads(r.Method) {
		return "the run was only looking for something"
	}
	if p.o.Guard == nil {
		return ""
	}
	return p.o.Guard(r)
}

// misses notes that a page did not get what it asked for while it was looked through: its rows may be in the answer. The caller
// holds mu.
func (d *doing) misses(kind network.ResourceType, here bool) {
	switch kind {
	case network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeDocument, network.ResourceTypeScript,
		network.ResourceTypeWebSocket, network.ResourceTypeEventSource, SocketMessage:
		d.missed = d.missed || here && d.looking
	}
}

// WebSockets cannot be paused by the browser: neither Fetch nor Network.setBlockedURLs holds one
// back (tried with Chromium 156), and taking the network offline affects everything. So a page that
// creates one first sends a probe request to an address that reaches nobody, and another, with the
// message in it, before each message. A page that bypasses the probe still reaches no other host if
// the browser has only one way out: see ProxyFlags.

//go:embed world.js
var worldJS string

const probePath = "/.showhow-player-socket"

// SocketMessage is the Request.ResourceType of a message through a WebSocket: its method is POST, its address the socket's.
const SocketMessage = "SocketMessage"

// probed returns the WebSocket address that a probe request asks about, and whether it asks about a message.
func probed(address string) (socket string, message, ok bool) {
	if !strings.Contains(address, probePath) {
		return "", false, false
	}
	u, err := url.Parse(address)
	if err != nil || u.Path != probePath {
		return "", false, false
	}
	return u.Query().Get("u"), u.Query().Get("m") != "", true
}

func (p *tracker) answerProbe(s *browser.Session, e *fetch.EventRequestPaused, socket string, message bool) {
	r := Request{Method: "GET", URL: socket, ResourceType: string(network.ResourceTypeWebSocket), Initiator: header(e.Request, "Referer")}
	if message {
		r = p.request(s, e)
		r.Method, r.URL, r.ResourceType, r.Form, r.Navigation = "POST", socket, SocketMessage, false, false
	}
	answer := func(code int64) {
		s.Send(fetch.CommandFulfillRequest, fetch.FulfillRequestParams{RequestID: e.RequestID, ResponseCode: code,
			ResponseHeaders: []*fetch.HeaderEntry{{Name: "Access-Control-Allow-Origin", Value: "*"}, {Name: "Cache-Control", Value: "no-store"}}},
			nil)
	}
	if why := p.judge(r, e.Request); why != "" {
		p.block(r, why)
		answer(403)
		return
	}
	if send := func() { answer(204) }; !message || !p.holds(r, send) {
		send()
	}
}

// flight is a request in progress.
type flight struct {
	since time.Time
	what  string    // method and address without its query
	heard time.Time // when something of the answer to a script's fetch came last; zero: nothing has
}

// unread reports whether a script has its answer and does not read the body: the browser then never
// reports completion.
func (f *flight) unread() bool { return !f.heard.IsZero() && time.Since(f.heard) > unreadTime }

// holds holds a request back if the current act wants that; letGo sends it.
func (p *tracker) holds(r Request, send func()) (held bool) {
	p.locked(func() {
		h := p.act.delay
		if h == nil || h.over || p.act.looking || r.Aside || r.Navigation || !h.wants(r) {
			return
		}
		held = true
		h.waiting = append(h.waiting, send)
		if h.timer == nil {
			h.timer = time.AfterFunc(holdTime, func() { h.letGo(&p.mu) })
		}
		p.changed()
	})
	return held
}
