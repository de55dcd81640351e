package player

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

// tab is one page target. Its fields are guarded by Player.mu.
type tab struct {
	s      *browser.Session
	id     target.ID
	name   string
	opener *tab
	url    string
	frames map[cdp.FrameID]string    // what each frame shows
	doc    int                       // counts the documents of the top frame
	asked  map[cdp.FrameID]time.Time // when a frame was asked to go somewhere, while it is on the way
	busy   map[cdp.FrameID]bool      // frames that load
	dialog *dialog
	gone   bool
	dead   bool // its process crashed
}

// view is a session: a tab, an out-of-process frame of one, or a worker.
type view struct {
	s       *browser.Session
	tab     *tab
	parent  *view
	worker  bool
	worlds  map[cdp.FrameID]string // our world in each frame, by unique id
	flights map[network.RequestID]*flight
	answer  network.RequestID // of a document that has come and is not shown yet
}

// attachAll attaches every target that could send something, paused before its first script.
func attachAll() target.SetAutoAttachParams {
	return target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true),
		Filter: target.Filter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}}
}

// known are the types of targets that run page scripts.
var known = map[string]bool{"page": true, "iframe": true, "worker": true, "shared_worker": true, "worklet": true,
	"shared_storage_worklet": true, "auction_worklet": true}

// Attached implements browser.Handler: nothing of the target runs before the guard is in place.
// Commands are executed in order, so there is nothing to wait for.
func (p *tracker) Attached(s *browser.Session) {
	info := s.Info()
	var f *forgetful
	p.locked(func() { f = p.forgets })
	if info.Type == "service_worker" || s.Parent() == p.client.Root() && p.o.Context.excludes(info, f) {
		return // stays paused: it never runs
	}
	if !known[info.Type] { // the browser's own surfaces: guarded as a whole, and of no other interest
		s.Send(runtime.CommandRunIfWaitingForDebugger, nil, nil)
		return
	}
	v := &view{s: s, worlds: map[cdp.FrameID]string{}, flights: map[network.RequestID]*flight{},
		worker: info.Type != "page" && info.Type != "iframe"}
	s.Send(fetch.CommandEnable, everything, nil)
	s.Send(network.CommandEnable, network.EnableParams{}, nil)
	s.Send(network.CommandSetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}, nil)
	if v.worker {
		s.Send(runtime.CommandEvaluate, runtime.EvaluateParams{Expression: worldJS, Silent: new(true)}, nil)
	} else {
		s.Send(page.CommandEnable, nil, nil)
		s.Send(runtime.CommandEnable, nil, nil)
		s.Send(page.CommandSetPrerenderingAllowed, page.SetPrerenderingAllowedParams{}, nil)
		s.Send(page.CommandAddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: worldJS, RunImmediately: new(true)}, nil)
		s.Send(page.CommandAddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: pageJS(), WorldName: world, RunImmediately: new(true)}, nil)
	}
	if !v.worker {
		f.prepare(s)
	}
	if info.Type == "page" {
		s.Send(page.CommandSetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true}, nil)
		s.Send(emulation.CommandSetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}, nil)
	}
	p.locked(func() { p.admit(v, info) })
	s.Send(target.CommandSetAutoAttach, attachAll(), nil)
	s.Send(runtime.CommandRunIfWaitingForDebugger, nil, nil)
}

// admit registers a session.
func (p *tracker) admit(v *view, info target.Info) {
	p.views[v.s] = v
	v.parent = p.views[v.s.Parent()]
	if info.Type == "page" {
		p.count++
		v.tab = &tab{s: v.s, id: info.TargetID, name: fmt.Sprintf("tab%d", p.count), url: info.URL,
			frames: map[cdp.FrameID]string{cdp.FrameID(info.TargetID): info.URL}, busy: map[cdp.FrameID]bool{}, asked: map[cdp.FrameID]time.Time{}}
		for _, t := range p.tabs {
			if t.id == info.OpenerID {
				v.tab.opener = t
			}
		}
		if p.dropped[info.OpenerID] {
			p.drop(v.tab)
			return
		}
		if p.front != nil && v.tab.opener == nil {
			v.tab.opener = p.front // rel=noopener
		}
		p.tabs = append(p.tabs, v.tab)
		p.act.opened = v.tab
		p.front = v.tab
	} else if v.parent != nil {
		v.tab = v.parent.tab
		delete(v.parent.flights, network.RequestID(info.TargetID)) // a worker's script, which has arrived
	}
	p.changed()
}

// Detached implements browser.Handler.
func (p *tracker) Detached(s *browser.Session) {
	p.locked(func() {
		v := p.views[s]
		delete(p.views, s)
		if v == nil || v.tab == nil || v.tab.s != s {
			p.changed()
			return
		}
		p.lost(v.tab)
		p.changed()
	})
}

// lost removes a closed tab; another one comes to the front. The caller holds mu.
func (p *tracker) lost(t *tab) {
	t.gone = true
	p.tabs = slices.DeleteFunc(p.tabs, func(x *tab) bool { return x == t })
	if p.front != t {
		return
	}
	p.front = nil
	if t.opener != nil && !t.opener.gone {
		p.front = t.opener
	} else if n := len(p.tabs); n > 0 {
		p.front = p.tabs[n-1]
	}
	if p.front != nil {
		p.front.s.Send(page.CommandBringToFront, nil, nil)
	}
}

// Event implements browser.Handler.
func (p *tracker) Event(s *browser.Session, method string, params jsonv2.Value) {
	if method == fetch.RequestPaused.Method {
		p.paused(s, params)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.views[s]
	if v == nil {
		return
	}
	switch method {
	case network.RequestWillBeSent.Method, network.LoadingFinished.Method, network.LoadingFailed.Method, network.ResponseReceived.Method,
		network.DataReceived.Method:
		p.flew(v, method, params)
	case network.WebSocketCreated.Method, network.WebSocketHandshakeResponseReceived.Method, network.WebSocketFrameSent.Method,
		network.WebSocketFrameReceived.Method, network.WebSocketClosed.Method:
		if v.talked(method, params) {
			p.changed()
		}
	case runtime.ExecutionContextCreated.Method:
		v.created(params)
	case runtime.ExecutionContextDestroyed.Method:
		var e runtime.EventExecutionContextDestroyed
		if browser.Decode(params, &e) == nil {
			for frame, unique := range v.worlds {
				if unique == e.ExecutionContextUniqueID {
					delete(v.worlds, frame)
				}
			}
		}
	case runtime.ExecutionContextsCleared.Method:
		clear(v.worlds)
	case page.JavascriptDialogOpening.Method:
		p.dialogOpens(v, params)
	case page.JavascriptDialogClosed.Method:
		p.dialogCloses(v, params)
	case page.FileChooserOpened.Method:
		p.chooserOpens(v, params)
	case input.DragIntercepted.Method:
		p.dragBegins(params)
	case "Inspector.targetCrashed":
		if v.tab != nil && v.tab.s == s { // and not of a worker or a frame
			v.tab.dead = true
			p.changed()
		}
	default:
		if v.tab != nil {
			p.navigated(v, method, params)
		}
	}
}

// navigated tracks the frames' documents and pending navigations.
func (p *tracker) navigated(v *view, method string, params jsonv2.Value) {
	t := v.tab
	switch method {
	case page.FrameRequestedNavigation.Method:
		var e page.EventFrameRequestedNavigation
		if browser.Decode(params, &e) == nil && e.Disposition == page.ClientNavigationDispositionCurrentTab {
			t.asked[e.FrameID] = time.Now()
		}
	case page.FrameStartedNavigating.Method:
		var e page.EventFrameStartedNavigating
		if browser.Decode(params, &e) == nil && e.NavigationType != page.FrameStartedNavigatingNavigationTypeSameDocument &&
			e.NavigationType != page.FrameStartedNavigatingNavigationTypeHistorySameDocument {
			t.asked[e.FrameID] = time.Now()
		}
	case page.FrameNavigated.Method:
		var e page.EventFrameNavigated
		if browser.Decode(params, &e) != nil || e.Frame == nil {
			return
		}
		t.frames[e.Frame.ID] = e.Frame.URL
		delete(t.asked, e.Frame.ID)
		if v.answer == network.RequestID(e.Frame.LoaderID) {
			v.answer = ""
		}
		if string(e.Frame.ID) == string(t.id) {
			t.url = e.Frame.URL
			t.doc++
		}
	case page.NavigatedWithinDocument.Method:
		var e page.EventNavigatedWithinDocument
		if browser.Decode(params, &e) == nil {
			t.frames[e.FrameID] = e.URL
			if string(e.FrameID) == string(t.id) {
				t.url = e.URL
			}
		}
	case page.FrameStartedLoading.Method:
		var e page.EventFrameStartedLoading
		if browser.Decode(params, &e) == nil {
			t.busy[e.FrameID] = true
		}
	case page.FrameStoppedLoading.Method:
		var e page.EventFrameStoppedLoading
		if browser.Decode(params, &e) == nil {
			delete(t.busy, e.FrameID)
			delete(t.asked, e.FrameID) // there, or it stayed: a download, an empty answer, a request that was refused
		}
	case page.FrameDetached.Method:
		var e page.EventFrameDetached
		if browser.Decode(params, &e) == nil {
			delete(t.busy, e.FrameID)
			delete(t.asked, e.FrameID)
			if e.Reason == page.FrameDetachedReasonRemove {
				delete(t.frames, e.FrameID)
				delete(v.worlds, e.FrameID)
			}
		}
	default:
		return
	}
	p.changed()
}

// talked counts the sockets on which a page may be waiting: for the socket itself, and after it has opened or something was
// sent for what comes then, for a while, because nothing need come. What comes by itself is not waited for.
func (v *view) talked(method string, params jsonv2.Value) (changed bool) {
	var e struct {
		RequestID network.RequestID `json:"requestId"`
		URL       string            `json:"url"`
	}
	if browser.Decode(params, &e) != nil {
		return false
	}
	f := v.flights[e.RequestID]
	switch method {
	case network.WebSocketCreated.Method:
		what, _, _ := strings.Cut(e.URL, "?")
		v.flights[e.RequestID] = &flight{since: time.Now(), what: "SOCKET " + what}
	case network.WebSocketHandshakeResponseReceived.Method:
		if f != nil {
			f.heard = time.Now().Add(replyTime - unreadTime)
		}
	case network.WebSocketFrameSent.Method:
		v.flights[e.RequestID] = &flight{since: time.Now(), what: "SOCKET", heard: time.Now().Add(replyTime - unreadTime)}
	default:
		if f == nil {
			return false // nobody waits for it
		}
		delete(v.flights, e.RequestID)
	}
	return true
}

// flew counts the pending requests that a page may be waiting for. Documents are counted as
// navigations; an event stream never ends and does not count.
func (p *tracker) flew(v *view, method string, params jsonv2.Value) {
	switch method {
	case network.RequestWillBeSent.Method:
		var e network.EventRequestWillBeSent
		if browser.Decode(params, &e) != nil || e.Request == nil {
			return
		}
		switch e.Type {
		case network.ResourceTypeXHR, network.ResourceTypeFetch, network.ResourceTypeScript, network.ResourceTypeStylesheet:
			what, _, _ := strings.Cut(e.Request.URL, "?")
			v.flights[e.RequestID] = &flight{since: time.Now(), what: e.Request.Method + " " + what}
		}
	case network.ResponseReceived.Method:
		var e network.EventResponseReceived
		if browser.Decode(params, &e) != nil || e.Response == nil {
			return
		}
		if code := e.Response.Status; code >= 400 && code != http.StatusNotFound && code != http.StatusGone {
			p.act.misses(e.Type, p.aside == nil || p.beside(v.tab))
		}
		p.answers.came(e.RequestID, int(e.Response.Status))
		if e.Type == network.ResourceTypeEventSource || e.Response.MimeType == "text/event-stream" {
			delete(v.flights, e.RequestID)
		}
		if f := v.flights[e.RequestID]; f != nil && e.Type == network.ResourceTypeFetch {
			f.heard = time.Now()
		}
		if e.Type == network.ResourceTypeDocument && e.Response.Status != http.StatusNoContent && e.Response.Status != http.StatusResetContent {
			v.answer = e.RequestID
		}
	case network.DataReceived.Method:
		var e network.EventDataReceived
		if browser.Decode(params, &e) != nil {
			return
		}
		if f := v.flights[e.RequestID]; f != nil && !f.heard.IsZero() {
			f.heard = time.Now()
		}
		return // nobody waits for a part
	case network.LoadingFinished.Method:
		var e network.EventLoadingFinished
		if browser.Decode(params, &e) == nil {
			delete(v.flights, e.RequestID)
		}
	case network.LoadingFailed.Method:
		var e network.EventLoadingFailed
		if browser.Decode(params, &e) != nil {
			return
		}
		delete(v.flights, e.RequestID)
		if e.Canceled {
			p.answers.left(e.RequestID)
		} else {
			p.answers.came(e.RequestID, 0)
			p.act.misses(e.Type, p.aside == nil || p.beside(v.tab))
		}
		if e.Canceled && e.RequestID == v.answer { // it came, and is not shown: it is being saved
			p.act.saving, v.answer = time.Now(), ""
		}
	}
	p.changed()
}

func (v *view) created(params jsonv2.Value) {
	var e runtime.EventExecutionContextCreated
	if browser.Decode(params, &e) != nil || e.Context == nil || e.Context.Name != world {
		return
	}
	var aux struct {
		FrameID cdp.FrameID `json:"frameId"`
	}
	_ = json.Unmarshal(e.Context.AuxData, &aux)
	v.worlds[aux.FrameID] = e.Context.UniqueID
}

// sessions returns a tab's sessions that show documents, the tab's own first.
func (p *tracker) sessions(t *tab) []*browser.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*browser.Session
	for _, v := range p.viewsOf(t) {
		out = append(out, v.s)
	}
	return out
}

// viewsOf returns the views that show documents of a tab, its own first, then ordered by id to be
// deterministic.
func (p *tracker) viewsOf(t *tab) []*view {
	var out []*view
	for _, v := range p.views {
		if v.tab == t && !v.worker {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *view) int {
		if (a.s == t.s) != (b.s == t.s) {
			if a.s == t.s {
				return -1
			}
			return 1
		}
		return compareIDs(a.s, b.s)
	})
	return out
}

func compareIDs(a, b *browser.Session) int {
	switch {
	case a.ID() < b.ID():
		return -1
	case a.ID() > b.ID():
		return 1
	}
	return 0
}

// unnamed returns the tab in front if no name is bound to it, else the newest unbound tab.
func (p *tracker) unnamed() *tab {
	named := map[*tab]bool{}
	for _, t := range p.names {
		named[t] = true
	}
	if p.front != nil && !named[p.front] {
		return p.front
	}
	for _, t := range slices.Backward(p.tabs) {
		if !named[t] {
			return t
		}
	}
	return nil
}

// beside reports whether a tab is the tab aside or was opened from it. The caller holds mu.
func (p *tracker) beside(t *tab) bool {
	for o := t; o != nil && p.aside != nil; o = o.opener {
		if o == p.aside {
			return true
		}
	}
	return false
}

// drop closes a tab that is no longer needed, and anything it still opens. The caller holds mu.
func (p *tracker) drop(t *tab) {
	p.dropped[t.id] = true
	p.lost(t)
	p.client.Root().Send(target.CommandCloseTarget, target.CloseTargetParams{TargetID: t.id}, nil)
}
