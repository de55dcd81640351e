package browserdom

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters"
	"showhow/adapters/browserdom/control"
	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// recorder observes one browser. Everything in it belongs to its client's handler goroutine.
type recorder struct {
	*guard
	arrived func(occurred, now time.Time) // for the benchmark; may be nil
	client  *browser.Client

	normal   cdp.BrowserContextID // the context of ordinary windows
	sessions views
	tabs     map[target.ID]*tab
	docs     documents
	active   *tab
	tabCount int
	docCount int
	keys     int
	known    bool // the tabs that were open before are known: more are new

	line    line
	secrets []string // names of secret fields seen
	saves   downloads

	unsubscribe []func()
}

// documents are those that announced themselves, by id.
type documents map[string]*doc

// doc is a document that announced itself.
type doc struct {
	id      string
	tab     *tab
	view    *view
	began   int64 // in microseconds, as its page says
	frame   cdp.FrameID
	top     bool
	off     bool // out of scope
	site    string
	states  map[int]*capture.State
	last    *capture.State
	n       int  // order of arrival
	settled bool // it has reported its state
	gone    bool
}

// attach starts observing b.
func (a *Adapter) attach(ctx context.Context, b *browser.Browser, c *control.Control, sink adapters.Sink) (*recorder, error) {
	g := &guard{ctl: c, sink: sink, own: a.o.Own, badge: !a.o.NoBadge, late: a.o.late, b: b}
	r := &recorder{guard: g, arrived: a.arrived, sessions: views{}, tabs: map[target.ID]*tab{},
		docs: documents{}}
	contexts, err := cdp.Call(ctx, b.Root(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		return nil, fmt.Errorf("asking for the browser's contexts: %w", err)
	}
	r.normal = contexts.DefaultBrowserContextID
	if err := b.AnnounceDownloads(ctx); err != nil {
		return nil, err
	}
	if r.client, err = b.NewClient(ctx, r); err != nil {
		return nil, err
	}
	r.line.init(g, r.client)
	r.saves = downloads{r: r, saves: map[string]*saving{}}
	r.unsubscribe = append(r.unsubscribe, r.saves.watch())
	if err := r.client.AutoAttach(ctx); err != nil {
		r.end()
		return nil, err
	}
	if err := r.SettleIn(ctx); err != nil {
		r.end()
		return nil, err
	}
	c.Set(r)
	r.Reconfigure() // what changed since attach began
	return r, nil
}

// SettleIn implements control.Pages. It waits until the script runs in every open tab, so that nothing after it is
// missed.
func (r *recorder) SettleIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	views := make(chan []*browser.Session, 1)
	r.client.Do(func() {
		r.known = true
		var out []*browser.Session
		for s := range r.sessions {
			out = append(out, s)
		}
		views <- out
	})
	select {
	case open := <-views:
		for _, s := range open { // answered after everything that was sent before it; a tab with an open dialog does not answer
			_ = s.Call(ctx, "Runtime.getIsolateId", nil, nil)
		}
		return nil
	case <-r.client.Done():
		return browser.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Attached implements browser.Handler: it prepares the target, in the order that was measured to lose nothing.
func (r *recorder) Attached(s *browser.Session) {
	info := s.Info()
	if r.private(info) {
		r.withhold(capture.PrivateData, 1)
		s.Send(runtime.CommandRunIfWaitingForDebugger, nil, nil)
		return
	}
	v := &view{s: s, contexts: map[string]runtimeContext{}}
	if info.Type == "page" {
		v.tab = r.opened(info)
	} else if p := r.sessions[s.Parent()]; p != nil {
		v.tab = p.tab
	}
	r.sessions[s] = v
	s.Send(page.CommandEnable, nil, nil)
	s.Send(runtime.CommandEnable, nil, nil)
	s.Send(inspector.CommandEnable, nil, nil)
	s.Send(runtime.CommandAddBinding, runtime.AddBindingParams{Name: script.Binding, ExecutionContextName: script.World}, nil)
	r.inject(v, r.config(r.ctl.Gate()))
	s.Release()
}

func (r *recorder) private(i target.Info) bool {
	return r.normal != "" && i.BrowserContextID != "" && i.BrowserContextID != r.normal
}

// inject adds the page half to every document of a view, existing ones included.
func (r *recorder) inject(v *view, config string) {
	p := page.AddScriptToEvaluateOnNewDocumentParams{Source: script.Install(config), WorldName: script.World, RunImmediately: new(true)}
	v.s.Send(page.CommandAddScriptToEvaluateOnNewDocument, p, func(raw jsonv2.Value, err error) {
		var res page.AddScriptToEvaluateOnNewDocumentResult
		if err == nil && browser.Decode(raw, &res) == nil {
			r.client.Do(func() { v.script = res.Identifier })
		}
	})
}

// Reconfigure sends every document the current scope and whether capture is paused. What was entered before a pause
// is still reported.
func (r *recorder) Reconfigure() { r.client.Do(r.configure) }

func (r *recorder) configure() {
	g := r.ctl.Gate()
	config := r.config(g)
	tell := config
	if g.Flush {
		time.AfterFunc(lastWord, func() { r.client.Do(r.line.flush) })
		tell = config[:len(config)-1] + `,"flush":true}`
	}
	for _, v := range r.sessions {
		v.tell("globalThis.showhow && globalThis.showhow.configure(" + tell + ")")
		if v.script != "" {
			v.s.Send(page.CommandRemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: v.script}, nil)
		}
		r.inject(v, config)
	}
}

// Detached implements browser.Handler.
func (r *recorder) Detached(s *browser.Session) {
	v := r.sessions[s]
	if v == nil {
		return
	}
	delete(r.sessions, s)
	if s.Info().Type == "page" && v.tab != nil {
		r.closed(v.tab)
		return
	}
	for _, c := range v.contexts {
		r.frameGone(v.tab, c.frame)
	}
}

// Event implements browser.Handler.
func (r *recorder) Event(s *browser.Session, method string, params jsonv2.Value) {
	v := r.sessions[s]
	if v == nil || v.tab == nil {
		return
	}
	switch method {
	case runtime.BindingCalled.Method:
		r.said(v, params)
	case runtime.ExecutionContextCreated.Method:
		v.created(params)
	case runtime.ExecutionContextDestroyed.Method:
		var e runtime.EventExecutionContextDestroyed
		if browser.Decode(params, &e) == nil {
			delete(v.contexts, e.ExecutionContextUniqueID)
		}
	case runtime.ExecutionContextsCleared.Method:
		clear(v.contexts)
	case inspector.TargetCrashed.Method:
		r.crashed(v)
	case page.FrameNavigated.Method:
		v.tell("globalThis.showhow && globalThis.showhow.again()") // the page may have kept the window of an empty one
	case page.DocumentOpened.Method:
		v.tell("globalThis.showhow && globalThis.showhow.rearm()")
	default:
		r.navigation(v.tab, method, params)
	}
}

// said handles a message of the page half.
func (r *recorder) said(v *view, params jsonv2.Value) {
	var e runtime.EventBindingCalled
	var m script.Message
	if browser.Decode(params, &e) != nil || e.Name != script.Binding || json.Unmarshal([]byte(e.Payload), &m) != nil {
		return
	}
	if m.Kind == "blots" {
		r.blots(m.Blots)
		return
	}
	if m.Kind == "hello" {
		r.hello(v, v.frame(e.ExecutionContextID), &m)
		return
	}
	d := r.docs[m.Doc]
	if d == nil {
		return
	}
	switch m.Kind {
	case "n":
		r.withhold(capture.WithheldReason(m.Reason), m.N)
	case "down", "act":
		r.act(d, &m)
	case "is", "not":
		r.line.verdict(d, &m)
	case "counts":
		r.line.counted(&m)
	case "hold":
		r.line.hold(m.ID)
	case "dropped":
		r.dropped(d, &m)
	case "after":
		r.outcome(d, &m)
	case "loaded":
		r.loaded(d, &m)
	case "change":
		r.changed(d, &m)
	case "badge":
		d.tab.badge = m.On
		r.indicate()
	case "vis":
		r.visible(d.tab, m.On)
	case "secrets":
		r.secrets = append(r.secrets, m.Names...)
	}
}

// frameGone: an out-of-process frame has been removed.
func (r *recorder) frameGone(t *tab, frame cdp.FrameID) {
	for id, d := range r.docs {
		if t != nil && d.tab == t && d.frame == frame && !d.top {
			d.gone = true
			delete(r.docs, id)
			r.line.gone(d, true)
		}
	}
}

// act handles what a person did in a document.
func (r *recorder) act(d *doc, m *script.Message) {
	occurred, now := script.Moment(m.T), time.Now()
	if r.arrived != nil {
		r.arrived(occurred, now)
	}
	before := d.state(m.Before)
	heard := r.heard(m, now)
	why := r.refuse(d, occurred, heard)
	if m.Until != 0 && r.ctl.Gate().Missed(script.Moment(m.Until)) { // a page that was busy all the pause heard its keys
		why = capture.NotCapturing
	}
	if why != "" {
		if why != capture.NotCapturing {
			r.withhold(why, 1)
		}
		return
	}
	t := d.tab
	r.filled(d, m)
	o := capture.Observation{
		Key: m.ID, Kind: capture.BrowserDOM, Surface: capture.SurfacePage, OccurredAt: occurred, Verb: m.Verb,
		Origin: r.origin(d.site), Window: m.Page.Title, Target: t.target(m.Target), Value: m.Value.Raw(), File: m.File, Keys: m.Keys,
		Page: r.pageOf(d, m.Page), Before: before,
	}
	t.did(m.ID, now)
	r.line.overtaken(t, d, before)
	r.line.add(&waiting{o: o, doc: d, tab: t, heard: heard, certain: m.Kind == "act", counting: m.Target != nil && m.Target.Counting})
	if m.XY != nil {
		r.lookInside(d, m)
	}
}

// pageOf is where a person would say it happened: the tab's page, unless only a frame in it is in scope.
func (r *recorder) pageOf(d *doc, said *capture.Page) *capture.Page {
	p := capture.Page{URL: d.tab.cleanURL(said.URL), Title: said.Title, Tab: d.tab.name}
	if top := d.tab.top; !d.top && top != nil && !top.off && d.tab.url != "" {
		p.URL, p.Title = d.tab.url, d.tab.title
	}
	return &p
}

// indicate renews the lease on each beat of a visible badge. A native dialog stops the page, but its badge stays on
// screen. While capture is paused the badge says so, and the beat only reports that it could indicate capture.
func (r *recorder) indicate() {
	shown := slices.ContainsFunc(slices.Collect(maps.Values(r.tabs)), func(t *tab) bool { return t.badge })
	if r.ended || !shown {
		return
	}
	if !r.ctl.Gate().Paused {
		r.sink.Indicate("browser_badge")
	} else if s, ok := r.sink.(adapters.Standby); ok {
		s.CouldIndicate("browser_badge")
	}
}

// end stops observing, reports what was still waiting, and removes every trace from the pages.
func (r *recorder) end() {
	for _, f := range r.unsubscribe {
		f()
	}
	r.tellAll("globalThis.showhow && globalThis.showhow.stop()", func() {
		r.line.flush()
		r.ended = true
	})
	select {
	case <-r.client.Done():
		r.line.flush() // the handler has ended: the line is ours
	default:
	}
	r.line.stop()
	r.client.Close()
}

// broken is the value the recorder panicked with, nil while it works.
func (r *recorder) broken() any {
	select {
	case <-r.client.Done():
		return r.client.Broken()
	default:
		return nil
	}
}

// abandon ends a recorder that panicked: nothing that it holds is reported.
func (r *recorder) abandon() {
	for _, f := range r.unsubscribe {
		f()
	}
	r.line.stop()
	r.client.Close()
}

// tellAll evaluates an expression in every page, waits for the messages the pages send in response, and then runs f.
func (r *recorder) tellAll(expression string, f func()) {
	open := make(chan []*browser.Session, 1)
	r.client.Do(func() {
		var out []*browser.Session
		for s, v := range r.sessions {
			v.tell(expression)
			if v.tab == nil || v.tab.dialog == nil {
				out = append(out, s)
			}
		}
		open <- out
	})
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	select {
	case sessions := <-open:
		for _, s := range sessions {
			_ = s.Call(ctx, "Runtime.getIsolateId", nil, nil) // a round trip: earlier messages have arrived
		}
	case <-r.client.Done():
	}
	last := make(chan struct{})
	r.client.Do(func() {
		f()
		close(last)
	})
	select {
	case <-last:
	case <-r.client.Done():
	}
}

// lastWord is how long after a pause the line is held for what the pages still know from before it.
const lastWord = 40 * time.Millisecond

// farewell bounds the round trip at the end, so that a busy page may still report the last acts in it. A tab with an
// open dialog does not answer, and is not asked.
const farewell = 2 * time.Second
