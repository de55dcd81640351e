package player

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/browser/find"
	"showhow/capture"
)

// A list may contain only the visible rows, or load more at its end: rows out of sight are scrolled
// to. If a row does not exist, it is not found and the list returns to its position.
func TestRowsOutOfSight(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>Guests</title><h1>Guests</h1><div id=box style="height:200px;overflow:auto">` +
		`<div id=all style="height:9000px;position:relative"></div></div>
<div style="height:100px;overflow:auto"><p style="height:400px">Nothing is held back here</p></div>` +
		`<ul id=more style="height:100px;overflow:auto;padding:0"></ul><p id=did></p><script>
const row = (n, name) => { const d = document.createElement("div"); d.setAttribute("role", "row"); d.style = ` +
		`"position:absolute;height:30px;top:" + n * 30 + "px"; d.innerHTML = "<span role=cell>" + name + "</span> <button>Open</button>` +
		`"; d.querySelector("button").onclick = () => { did.textContent += name + ";"; }; return d; };
let at = -1;
const draw = () => { const from = Math.floor(box.scrollTop / 30); if (from !== at) all.replaceChildren(...Array.from({ length: 8 }, (_, ` +
		`i) => row(from + i, "Guest no. " + (from + i)))); at = from; };
box.onscroll = draw;
draw();
const grow = () => { for (let i = 0; i < 6 && more.childElementCount < 40; i++) { const li = document.createElement("li"); ` +
		`li.style.height = "25px"; li.innerHTML = "<a href=#x>Note " + more.childElementCount + "</a>` +
		`"; li.onclick = (e) => { did.textContent += e.target.textContent + ";"; }; more.append(li); } };
more.onscroll = () => { if (more.scrollTop + more.clientHeight > more.scrollHeight - 20) fetch("/more").then(grow); };
grow();
</script>`})
	p := stage(t, Options{Patience: 300 * time.Millisecond})
	open(t, p, s.URL+"/")
	in := func(row string) Act {
		return Act{Verb: capture.Click, Target: &capture.Target{
			Role: "button", Name: "Open", Landmark: &capture.Landmark{Role: "row", Name: row}}}
	}
	do(t, p, in("Guest no. 270"))
	do(t, p, in("Guest no. 12"))
	do(t, p, Act{Verb: capture.Click, Target: &capture.Target{Role: "link", Name: "Note 31"}})
	hold(t, "what was done", eval(t, p, "did.textContent"), "Guest no. 270;Guest no. 12;Note 31;")
	further := 0
	on := in("Guest no. 150")
	on.Further = func(context.Context) { further++ }
	do(t, p, on)
	if further != 1 {
		t.Errorf("told %d times that it was further down", further)
	}
	where, _ := p.Explore(ctxOf(t), func(ctx context.Context) bool {
		rows, err := p.Rows(ctx)
		return err == nil && slices.ContainsFunc(rows, func(r Row) bool { return strings.Contains(r.Text, "Guest no. 200") })
	})
	if where != "it was further down in its list" {
		t.Errorf("guest no. 200 %s", where)
	}
	at := eval(t, p, "String(box.scrollTop)")
	_, err := p.Do(ctxOf(t), in("Guest no. 400"))
	var missing *find.NotFound
	if !errors.As(err, &missing) || missing.Reason != find.Missing {
		t.Errorf("a row that is not there: %v", err)
	}
	hold(t, "where the list stands", eval(t, p, "String(box.scrollTop)"), at)
}
