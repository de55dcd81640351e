//go:build unix

package browserdom

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/adapters"
	"showhow/browser"
	"showhow/capture"
)

// busy is a page whose scripts never rest: each step touches some two thousand nodes (400 texts, 300 classes, 50 rows
// removed and 50 added, 200 fields) and lays the page out. work(n) runs n steps without a pause and returns the
// duration in ms.
const busy = `<h1>Busy</h1><button id=b onclick="said.textContent=++clicks+' clicks'">Count</button> <input id=i>` +
	` <p role=status id=said></p>
<form id=f aria-label=Fields></form><table id=t aria-label=Feed><thead><tr><th>Id<th>Name<th>State</thead><tbody id=rows></tbody></table>
<script>
clicks = 0; let turn = 0;
const row = (n) => '<tr class=r><td>' + n + '<td>Name ' + n + '<td><span class=s>open</span>';
rows.innerHTML = Array.from({length: 500}, (_, n) => row(n)).join('');
f.innerHTML = Array.from({length: 200}, (_, n) => '<label>Field ' + n + ' <input value=' + n + '></label>').join('');
const step = () => {
  turn++;
  const all = rows.rows;
  for (let n = 0; n < 400; n++) all[n].cells[1].firstChild.data = 'Name ' + turn + '.' + n;
  for (let n = 0; n < 300; n++) all[n].className = 'r v' + (turn + n) % 3;
  for (let n = 0; n < 50; n++) all[all.length - 1].remove();
  rows.insertAdjacentHTML('afterbegin', Array.from({length: 50}, (_, n) => row(turn * 50 + n)).join(''));
  for (const i of f.elements) i.value = turn;
  return document.body.offsetHeight;
};
const turns = new MessageChannel();
work = (n) => new Promise((done) => {
  const begin = performance.now();
  turns.port1.onmessage = () => { step(); if (--n) turns.port2.postMessage(0); else done(performance.now() - begin); };
  turns.port2.postMessage(0);
});
</script>`

// BenchmarkPageSlowdown runs a page that never rests, with a person working on it, without a recorder, with this one
// and with rrweb, in turns of a third of a second, so that other load on the machine affects all three alike. It
// reports what each recorder adds to the running time of the page's main thread and (_wall_pct, the median of the
// turns) to the wall-clock time. rrweb's events are kept in an array and go nowhere: its cheapest use.
func BenchmarkPageSlowdown(b *testing.B) {
	startShared(b)
	rrweb := rrwebBundle(b)
	srv, host := site(b, map[string]string{"/": busy})
	seen := observe(b, Options{}, host)
	clicked := 0
	other := anotherBrowser(b) // without a recorder
	for b.Loop() {
		bare, watched, taped := other.working(b, srv.URL+"/"), shared.hand.working(b, srv.URL+"/"), other.working(b, srv.URL+"/")
		all := []*worker{bare, watched}
		if rrweb != "" {
			if err := taped.p.eval(rrweb+"\n;window.told = []; rrweb.record({emit: (e) => told.push(e)}); 0", nil); err != nil {
				b.Fatal(err)
			}
			all = append(all, taped)
		}
		for n := range 2 + 12 {
			for _, i := range rand.Perm(len(all)) {
				if n == 2 { // everything is compiled
					all[i].thread, all[i].bits = 0, nil
				}
				all[i].work(n)
			}
			clicked += 1 - n%2
		}
		waitClicks(seen, "Count", clicked)
		if got := clicks(seen.Seen(), "Count"); got != clicked {
			b.Fatalf("%d of %d clicks recorded", got, clicked)
		}
		b.ReportMetric(added(bare.thread, watched.thread), "page_slowdown_pct")
		b.ReportMetric(addedEach(bare.bits, watched.bits), "page_wall_pct")
		if rrweb != "" {
			b.ReportMetric(added(bare.thread, taped.thread), "rrweb_slowdown_pct")
			b.ReportMetric(addedEach(bare.bits, taped.bits), "rrweb_wall_pct")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// anotherBrowser is a person in a browser of their own.
func anotherBrowser(b *testing.B) *hand {
	b.Helper()
	headless := true
	m := browser.NewManager(browser.Options{Headless: &headless, NoSandbox: true, Port: true, ExtraArgs: []string{"--site-per-process"}})
	b.Cleanup(func() { _ = m.Close() })
	running, err := m.Browser(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	h, err := newHand(running.DebugURL())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.close)
	return h
}

// worker is a tab in its own window, so that all are in front, with the cost of its page so far.
type worker struct {
	p      *sheet
	x, y   [2]float64
	thread float64   // ms that the page's thread ran
	bits   []float64 // ms that each bit took
}

func (h *hand) working(b *testing.B, url string) *worker {
	res, err := cdp.Call(ctxOf(b), h.client.Root(), target.CreateTarget, target.CreateTargetParams{URL: url, NewWindow: new(true)})
	if err != nil {
		b.Fatal(err)
	}
	p := h.sheet(b, res.TargetID)
	b.Cleanup(p.shut)
	p.until(`window.work && document.readyState === "complete" && document.visibilityState === "visible"`)
	if _, err := cdp.Call(ctxOf(b), p.s, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	w := &worker{p: p}
	w.x[0], w.y[0] = p.at("#b")
	w.x[1], w.y[1] = p.at("#i")
	return w
}

// work is one turn: steps of the page, and meanwhile six input events of a person who clicks a counter and types into
// a field.
func (w *worker) work(n int) {
	begin, thread := time.Now(), w.p.threadTime()
	i := n % 2
	w.p.send("mouseMoved", w.x[i]+float64(n%7), w.y[i])
	w.p.send("mousePressed", w.x[i], w.y[i])
	w.p.send("mouseReleased", w.x[i], w.y[i])
	w.p.send("mouseMoved", w.x[i]+float64(9*n%100), w.y[i]+float64(n%20))
	w.p.sendKey("a")
	if err := w.p.eval("work(10)", nil); err != nil {
		w.p.t.Fatal(err)
	}
	w.thread += w.p.threadTime() - thread
	w.bits = append(w.bits, float64(time.Since(begin).Microseconds())/1000)
}

// added is by how many percent b exceeds a; addedEach is the median of that over many pairs.
func added(a, b float64) float64 { return 100 * (b/a - 1) }
func addedEach(a, b []float64) float64 {
	each := make([]float64, 0, len(a))
	for i := range a {
		each = append(each, added(a[i], b[i]))
	}
	return middle(each)
}

// rrwebBundle is rrweb's script from npm; "" if it is not installed.
func rrwebBundle(b *testing.B) string {
	text, err := os.ReadFile(filepath.Join(os.Getenv("SHOWHOW_NODE_MODULES"), "rrweb", "dist", "rrweb.umd.min.cjs"))
	if err != nil {
		if os.Getenv("CI") != "" {
			b.Fatal("rrweb is not installed under SHOWHOW_NODE_MODULES: run `make setup`")
		}
		b.Log("without rrweb: `make setup` installs it and sets SHOWHOW_NODE_MODULES")
	}
	return string(text)
}

// BenchmarkSnapshot looks at a page of 6,000 nodes. It reports the total time, the longest time that the page is
// blocked, and how long an act waits if the state before it is out of date.
func BenchmarkSnapshot(b *testing.B) {
	startShared(b)
	srv, host := site(b, map[string]string{"/": large})
	a := New(Options{Browser: shared.m})
	w := observeWith(b, a, host)
	p := shared.hand.open(b, srv.URL+"/")
	w.find(capture.NewTab, 1)
	var nodes float64
	if err := p.eval("(() => { let n = 0; const w = document.createTreeWalker(document); while (w.nextNode()) n++; return n; })()",
		&nodes); err != nil {
		b.Fatal(err)
	}
	var total, longest, act []float64
	for b.Loop() {
		for range 20 {
			var c struct{ Ms, Longest, Now float64 }
			a.ask(b,
				`new Promise((done) => { const h = showhow.half; const was = { ...h.costs }; h.costs.longest = 0; h.changed(); h.lookSoon(() => {
				const ms = h.costs.ms - was.ms, longest = h.costs.longest; h.changed(); const begin = performance.now(); h.lookNow(); done({ ms, `+
					`longest, now: performance.now() - begin }); }); })`, &c)
			total, longest, act = append(total, c.Ms), append(longest, c.Longest), append(act, c.Now)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middle(total), "snapshot_ms")
	b.ReportMetric(middle(longest), "snapshot_slice_ms")
	b.ReportMetric(middle(act), "snapshot_act_ms")
	b.ReportMetric(nodes, "nodes")
}

// large is a typical work page: navigation, filters, a table of orders with controls in each row, a long form, a
// list.
const large = `<header><nav id=nav></nav></header><main><h1>Orders</h1><div role=status>Ready</div><form id=filter aria-label=Filter></form>
<p>Showing 1 to 180 of 1,350 entries</p><table id=t><caption>Orders</caption><thead><tr><th>Id<th>Customer<th>City<th>Sum<th>State<th>` +
	`</thead><tbody></tbody></table>
<section><h2>Address</h2><form id=address></form></section><section><h2>Activity</h2><ul id=log></ul></section></main><script>
const many = (n, f) => Array.from({length: n}, (_, i) => f(i)).join('');
nav.innerHTML = '<ul>' + many(40, (i) => '<li><a href="#' + i + '">Section ' + i + '</a>') + '</ul>';
filter.innerHTML = many(15, (i) => '<label>Filter ' + i + ' <select><option>Any<option>Open<option>Closed</select></label>');
t.tBodies[0].innerHTML = many(180, (i) => '<tr><td><a href="#o">A-' + i + '</a><td>Customer ' + i + '<td>City<td>' + i + '.00<td>` +
	`<span class=badge>open</span><td><button>Edit</button> <button>Ship</button>');
address.innerHTML = many(60, (i) => '<div><label for=a' + i + '>Line ' + i + '</label> <input id=a' + i + '></div>');
log.innerHTML = many(330, (i) => '<li><b>Step</b> <span>happened ' + i + '</span>');
</script>`

// ask evaluates an expression in the recorder's world of the tab opened last.
func (a *Adapter) ask(t testing.TB, expression string, out any) {
	t.Helper()
	r := a.hubs[0].recorder.Load()
	answer := make(chan error, 1)
	r.client.Do(func() {
		var last *tab
		for _, x := range r.tabs {
			if x.top != nil && !x.top.off && (last == nil || x.opened.After(last.opened)) {
				last = x
			}
		}
		if last == nil {
			answer <- errors.New("no page is watched")
			return
		}
		v, context := r.sessions.home(last.top)
		p := runtime.EvaluateParams{Expression: expression, UniqueContextID: context, ReturnByValue: new(true), AwaitPromise: new(true)}
		v.s.Send(runtime.CommandEvaluate, p, func(raw jsonv2.Value, err error) {
			var res runtime.EvaluateResult
			if err == nil {
				err = browser.Decode(raw, &res)
			}
			if err == nil && res.ExceptionDetails != nil {
				err = errors.New(res.ExceptionDetails.Text)
			}
			if err == nil {
				err = json.Unmarshal(res.Result.Value, out)
			}
			answer <- err
		})
	})
	if err := <-answer; err != nil {
		t.Fatal(err)
	}
}

// during runs one kind until the returned function is called.
func during(b *testing.B, a adapters.Adapter, sink adapters.Sink, host string) (stop func()) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{ID: "s", Scope: capture.Scope{Sites: []string{host}}}, sink, func(adapters.Control) { close(ready) })
	}()
	select {
	case <-ready:
	case err := <-done:
		b.Fatalf("Run: %v", err)
	}
	return func() {
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
}

// nowhere is a sink that discards everything.
type nowhere struct{}

func (nowhere) Emit(capture.Observation)                             {}
func (nowhere) Withhold(capture.Kind, capture.WithheldReason, int64) {}
func (nowhere) Indicate(string)                                      {}
func (nowhere) Health(adapters.Health)                               {}

// threadTime is how long the page's main thread has run, in ms.
func (p *sheet) threadTime() float64 {
	res, err := cdp.Call(ctxOf(p.t), p.s, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range res.Metrics {
		if m.Name == "ThreadTime" {
			return m.Value * 1000
		}
	}
	p.t.Fatal("the browser does not say how long the page's thread ran")
	return 0
}

func middle(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
