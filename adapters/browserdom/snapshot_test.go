//go:build unix

package browserdom

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/adapters/browserdom/control"
	"showhow/capture"
)

// TestSnapshotConformance holds browser_snapshot, alone, to the contract of package adapters.
func TestSnapshotConformance(t *testing.T) {
	startShared(t)
	adaptertest.Run(t, adaptertest.Harness{Quiet: 200 * time.Millisecond, Shared: func(p string) bool {
		return strings.HasPrefix(p, "chrom")
	}, Start: func(t *testing.T) adaptertest.World {
		in, inside := site(t, map[string]string{"/": buttons})
		off, outside := site(t, map[string]string{"": `<h1>canaryq7fz2v9</h1><label>canaryq7fz2v9 <input></label>` +
			`<button id=b onclick="document.title='canaryq7fz2v9'">canaryq7fz2v9</button>`})
		p := shared.hand.open(t, in.URL+"/")
		a := New(Options{Browser: shared.m})
		return adaptertest.World{
			Adapter: a.Snapshot(),
			Told:    func() { heardBy(a) },
			Scope:   capture.Scope{Sites: []string{inside}}, OffScope: capture.Scope{Sites: []string{outside}},
			In: func(t testing.TB, i int) { p.click(fmt.Sprintf("button:nth-of-type(%d)", i%5+1)) },
			Is: func(o capture.Observation, i int) bool {
				return o.After != nil && len(o.After.Alerts) == 1 && strings.HasSuffix(o.After.Alerts[0], fmt.Sprint(i%5)) &&
					!reflect.DeepEqual(o.Before, o.After)
			},
			Off: func(t testing.TB, canary string) { actOutside(t, off, canary) },
		}
	}})
}

// Alone, it reports what pages looked like and nothing of what was done.
func TestSnapshotAloneKnowsNoActs(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<h1>Form</h1><label>Name <input id=i></label><button onclick="s.textContent='Saved'">Save it now</button><p role=status id=s></p>`})
	startShared(t)
	w := &watch{Sink: adaptertest.NewSink(), t: t}
	run(t, New(Options{Browser: shared.m}).Snapshot(), w.Sink, []string{host})
	p := shared.hand.open(t, srv.URL+"/")
	p.write("#i", "pelican")
	p.click("button")
	w.Wait(t, "the message", patience, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
			return o.After != nil && slices.Equal(o.After.Alerts, []string{"Saved"})
		})
	})
	for _, o := range w.Seen() {
		if o.Kind != capture.BrowserSnapshot || o.Verb != capture.PageChange || o.Target != nil || o.Value != nil || o.Keys != "" {
			t.Errorf("an act was described: %+v", o.Observation)
		}
	}
}

// Without it, acts carry only title and address of the page.
func TestActsAloneCarryNoDigest(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Form</h1><label>Name <input id=i></label>` +
		`<button onclick="s.textContent='Saved';history.pushState(0,'','/saved')">Save</button><p role=status id=s></p>`})
	startShared(t)
	w := &watch{Sink: adaptertest.NewSink(), t: t}
	run(t, New(Options{Browser: shared.m}), w.Sink, []string{host})
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.write("#i", "pelican")
	p.click("button")
	o := w.find(capture.Click, 2)
	want := &capture.State{URL: srv.URL + "/saved", Title: "/"}
	if !reflect.DeepEqual(o.After, want) || !o.Changed || w.find(capture.Type, 1).Value.Text != "pelican" {
		t.Errorf("after %+v", o.After)
	}
	for _, o := range w.Seen() {
		for _, s := range []*capture.State{o.Before, o.After} {
			if s != nil && !reflect.DeepEqual(s, control.Bare(s)) {
				t.Errorf("%s: %+v", o.Verb, s)
			}
		}
	}
}

// shows opens a page and returns its state once it has settled.
func shows(t *testing.T, html string) *capture.State {
	t.Helper()
	srv, host := site(t, map[string]string{"/": html,
		"/in": `<h2>Inner heading</h2><div role=dialog aria-label="Inner dialog">x</div><label>Inner field <input value=v></label>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.until(`!window.ready || ready()`)
	s := w.find(capture.NewTab, 1).After
	if s == nil {
		t.Fatal("no state")
	}
	return s
}

func TestOnlyWhatCanBeSeenIsInADigest(t *testing.T) {
	s := shows(t, `<h1>Seen</h1><h2 style="display:none">gone</h2><h2 style="visibility:hidden">gone</h2><h2 style="opacity:0">gone</h2>`+
		`<div><div aria-hidden=true><h2>gone</h2></div></div>
		<h2 style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">gone</h2><details><h2>gone</h2></details>
		<div role=dialog aria-label=gone style="position:fixed;left:-3000px;width:300px;height:200px">x</div>
		<div role=dialog aria-label=gone style="position:fixed;right:0;width:300px;height:200px;transform:translateX(100%)">x</div>
		<div role=dialog aria-label=gone style="display:none">x</div>
		<div role=dialog aria-label="Wrapped"><div style="position:fixed;left:100px;top:100px;width:100px;height:100px">y</div></div>
		<p role=status style="position:absolute;width:1px;height:1px;overflow:hidden">gone</p><p role=alert>Shown alert</p><p role=status></p>
		<div class="toast-body">Shown toast</div><div class=success>Shown success</div><button class=success>gone</button>`+
		`<div class=toast style="position:fixed;left:-3000px">gone</div>
		<div aria-live=polite><ul><li>gone a<li>gone b<li>gone c<li>gone d</ul></div>
		<table><tr><th>A<th>B</tr><tr class=success><td>cell gone<td class=success>2</tr><tr hidden><td>x<td>y</tr><tr style="display:none">`+
		`<td>x<td>y</tr></table>
		<ul><li class=success>gone one<li>gone two<li>gone three</ul><p>gone paragraph</p>
		<label><input type=checkbox style="opacity:0;position:absolute">Drawn by its label</label><label style="display:none"><input>`+
		`gone</label>`)
	want := &capture.State{URL: s.URL, Title: "/", Headings: []string{"Seen"}, Dialogs: []string{"Wrapped"},
		Alerts: []string{"Shown alert", "Shown toast", "Shown success"},
		Tables: []capture.Table{{Name: "Seen", Rows: 4}, {Name: "Seen", Columns: []string{"A", "B"}, Rows: 1}, {Name: "Seen", Rows: 3}},
		Fields: []capture.Field{{Label: "Drawn by its label", Role: "checkbox", Raw: s.Fields[0].Raw}}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v\nwant %+v", s, want)
	}
}

func TestADigestReachesRootsAndFrames(t *testing.T) {
	s := shows(t, `<h1>Top</h1><x-outer></x-outer><iframe src="/in" style="width:400px;height:300px"></iframe>`+
		`<iframe src="/in" style="display:none"></iframe>
		<script>for (const [name, html] of [["x-outer", "<h2>In a root</h2><x-inner></x-inner>"], ["x-inner", "<table><tr><td>1<tr><td>`+
		`2</table><p role=alert>From a nested root</p>"]])
		customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = html; } });
		ready = () => frames[0].document.readyState === "complete"</script>`)
	if got := strings.Join(s.Headings, ","); got != "Top,In a root,Inner heading" {
		t.Errorf("headings %s", got)
	}
	if len(s.Dialogs) != 1 || len(s.Alerts) != 1 || len(s.Tables) != 1 || s.Tables[0].Rows != 2 || len(s.Fields) != 1 ||
		s.Fields[0].Label != "Inner field" {
		t.Errorf("%+v", s)
	}
}

func TestTablesAreCounted(t *testing.T) {
	rows := func(n int) string { return strings.Repeat("<tr><td>x<td>y</tr>", n) }
	for name, c := range map[string]struct {
		html string
		want capture.Table
	}{
		"range": {`<table><caption>Orders</caption><thead><tr><th>Id<th>Sum</thead>` + rows(20) +
			`</table><p>Showing 1 to 20 of 1,350 entries</p>`, capture.Table{Name: "Orders", Columns: []string{"Id", "Sum"}, Rows: 20, Total: 1350}},
		"german": {`<div><h2>Aufträge</h2><div><table>` + rows(3) +
			`</table></div><div><span>1–3 von 350</span> <button>Weiter</button></div></div>`, capture.Table{Name: "Aufträge", Rows: 3, Total: 350}},
		"results": {`<p>350 results</p><ul aria-label=Found>` + strings.Repeat("<li>a</li>", 6) + `</ul>`,
			capture.Table{Name: "Found", Rows: 6, Total: 350}},
		"all there": {`<p>3 entries</p><table>` + rows(3) + `</table>`, capture.Table{Rows: 3}},
		"pages":     {`<table aria-label=T>` + rows(3) + `</table><p>Page 1 of 18</p>`, capture.Table{Name: "T", Rows: 3}},
		"grid": {
			`<div role=grid aria-label=Grid aria-rowcount=501><div role=row><span role=columnheader>A</span><span role=columnheader>B</span></div>
			<div role=row aria-rowindex=2><span role=gridcell>1</span></div><div role=row aria-rowindex=3><span role=gridcell>2</span></div>` +
				`<div role=row aria-rowindex=2><span role=gridcell>pinned</span></div></div>`,
			capture.Table{Name: "Grid", Columns: []string{"A", "B"}, Rows: 2, Total: 500}},
		"empty": {`<table aria-label=E><thead><tr><th>A<th>B</thead><tbody><tr><td colspan=2>No orders</tbody></table>`,
			capture.Table{Name: "E", Columns: []string{"A", "B"}}},
		"editor": {`<table aria-label=E>` + rows(3) + `<tr hidden><td>x<td>y</tr><tr><td colspan=2><input aria-label=Title></tr><tr>` +
			`<td colspan=2>More of it <input aria-label=Note></tr></table>`,
			capture.Table{Name: "E", Rows: 4}},
		"cards": {`<h2>Products</h2><p class=result-count>1-12 of 96 products</p><div><div>card</div><div>card</div></div>`,
			capture.Table{Name: "Products", Rows: 12, Total: 96}},
		"log": {`<div role=log aria-label=Chat><p>secret talk</p><p>more</p></div>`, capture.Table{Name: "Chat", Rows: 2}},
		"setsize": {`<ul role=listbox aria-label=L><li role=option aria-setsize=400 aria-posinset=1>a<li role=option>b</ul>`,
			capture.Table{Name: "L", Rows: 2, Total: 400}},
	} {
		t.Run(name, func(t *testing.T) {
			s := shows(t, c.html)
			if len(s.Tables) != 1 || !reflect.DeepEqual(s.Tables[0], c.want) {
				t.Errorf("got %+v, want %+v", s.Tables, c.want)
			}
		})
	}
}

// What changes after an act has settled is a separate observation, caused by the act, and not reported again with the
// next act.
func TestChangesByThemselves(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Export</h1><button onclick="setTimeout(()=>{s.textContent='Export ` +
		`ready';t.innerHTML='<tr><td>1<tr><td>2'},1800)">Export</button><p role=status id=s></p><table aria-label=Files id=t></table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1) // the page was seen whole
	p.click("button")
	click := w.find(capture.Click, 1)
	if click.Changed || len(click.After.Alerts) > 0 {
		t.Errorf("the click had no effect yet: %+v", click.After)
	}
	change := func() capture.Observation {
		t.Helper()
		return w.pages.Wait(t, "the change", patience, func(s []adaptertest.Seen) bool { return len(s) > 0 })[0].Observation
	}()
	if change.Verb != capture.PageChange || change.Kind != capture.BrowserSnapshot || change.CauseKey != click.Key || !change.Changed ||
		change.Page == nil ||
		!slices.Equal(change.After.Alerts, []string{"Export ready"}) || change.After.Tables[0].Rows != 2 || len(change.Before.Alerts) > 0 {
		t.Errorf("%+v before %+v after %+v", change, change.Before, change.After)
	}
	p.click("h1")
	if next := w.find(capture.Click, 2); !reflect.DeepEqual(next.Before, change.After) {
		t.Errorf("the next act begins with %+v", next.Before)
	}
	if n := len(w.pages.Seen()); n != 1 {
		t.Errorf("%d changes told:\n%s", n, adaptertest.Describe(w.pages.Seen()))
	}
}

// A clock is not reported; a message that comes to rest is.
func TestRestlessRegionsAreNoNews(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<h1>Clock</h1><p role=status id=c>0</p><p role=status id=s></p><script>` +
			`n=0;setInterval(()=>c.textContent=++n,70);ticks=()=>n</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.until("ticks() > 60") // long enough to be known for a clock
	told := len(w.pages.Seen())
	if told > 4 {
		t.Errorf("%d changes told of a clock", told)
	}
	if err := p.eval(`s.textContent="Import finished"`, nil); err != nil {
		t.Fatal(err)
	}
	w.pages.Wait(t, "the message", patience, func(s []adaptertest.Seen) bool {
		return len(s) > told && slices.Contains(s[len(s)-1].After.Alerts, "Import finished")
	})
}

// Typing is not a change of the page by itself.
func TestTypingIsNoChangeByItself(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Search</h1><label>Find <input id=i oninput="s.textContent=this.value.length+' found'">` +
		`</label><p role=status id=s></p><button>Done</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("#i")
	for range 4 {
		p.keys("ab")
		time.Sleep(150 * time.Millisecond) // pace: a person's, longer than the page needs to look again
	}
	p.click("button")
	typed := w.find(capture.Type, 1)
	if len(w.pages.Seen()) > 0 || !slices.Equal(typed.After.Alerts, []string{"8 found"}) || !typed.Changed {
		t.Errorf("told by itself:\n%s typed %q after %+v", adaptertest.Describe(w.pages.Seen()), typed.Value.Text, typed.After)
	}
}

// Form validity and messages of a modal dialog are seen, and so is the page behind it.
func TestValidityAndModals(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<div id=app><h1>Checkout</h1><form><label>Email <input name=e required></label><label>` +
		`City <input aria-invalid=true></label><button>Pay</button></form></div>
		<button id=m onclick="app.ariaHidden='true';d.hidden=false;d.focus()">Terms</button>` +
		`<div id=d hidden role=dialog aria-modal=true aria-label=Terms tabindex=-1 ` +
		`style="position:fixed;top:300px;left:10px;width:200px;height:100px"><button>Close</button></div>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("form button")
	if o := w.find(capture.Click, 1); !slices.Equal(o.After.Invalid, []string{"Email", "City"}) ||
		!slices.Equal(o.Before.Invalid, []string{"City"}) || o.After.Focus != "textbox Email" {
		t.Errorf("invalid %+v focus %q", o.After.Invalid, o.After.Focus)
	}
	p.click("#m")
	if o := w.find(capture.Click, 2); !slices.Equal(o.After.Dialogs, []string{"Terms"}) ||
		!slices.Equal(o.After.Headings, []string{"Checkout"}) || o.After.Focus != "dialog Terms" {
		t.Errorf("%+v", o.After)
	}
}
