package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
)

// board is a site of a few items: an item is opened by one of its texts and then goes by another.
type board struct {
	mu    sync.Mutex
	items []item
	lie   string
	did   []string
	page  string
}

type item struct {
	ID          int
	Name, Other string
	Kind, State string
}

func (d *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		at := slices.IndexFunc(d.items, func(x item) bool { return fmt.Sprint(x.ID) == r.FormValue("id") })
		switch d.lie {
		case "keeps nothing":
			at = -1
		case "takes another":
			at = (at + 1) % len(d.items)
		}
		if at >= 0 {
			d.did = append(d.did, d.items[at].Name+" "+r.FormValue("do"))
			if d.items[at].State = r.FormValue("do"); d.items[at].State == "gone" {
				d.items = slices.Delete(d.items, at, at+1)
			}
		}
	default:
		all, _ := json.Marshal(d.items)
		fmt.Fprint(w, `<!doctype html><html lang=en><meta charset=utf-8><title>Desk</title><style>[hidden]{display:none!important}`+
			`.open{cursor:pointer}.box{border:1px solid;margin:6px;padding:6px;width:240px}`+
			`[role=dialog]{position:fixed;left:300px;top:120px;background:#fff;border:1px solid;padding:12px}</style><body><script>const data = `+
			string(all)+`; const at = (p) => data.find((x) => "/notices/" + x.ID === p);
const tell = (id, d) => fetch("/", {method: "POST", body: new URLSearchParams({id, do: d})});
const el = (html) => { const t = document.createElement("template"); t.innerHTML = html.trim(); return t.content.firstChild };
const esc = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;");</script>`+d.page)
	}
}

func (d *board) reset(page, lie string, items []item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.page, d.lie, d.items, d.did = page, lie, slices.Clone(items), nil
}

func (d *board) done() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.did, ", ")
}

// tickets are lines of a table; a line opens beside the table, under what it is about.
const tickets = `<h1>Tickets</h1><table><thead><tr><th>No<th>About<th>Kind<th>State</tr></thead>
<tbody id=all></tbody></table><aside id=side></aside><script>
const draw = () => { all.innerHTML = ""; for (const x of data) {
	const tr = el("<table><tbody><tr class=open><td>" + x.Name + "<td>" + esc(x.Other) + "<td>" + x.Kind + "<td>" + x.State +
		"</tr></tbody></table>").querySelector("tr");
	tr.onclick = () => { side.innerHTML = "<h2>" + esc(x.Other) +
		"</h2><p>Opened by the desk.</p><button>Close ticket</button> <button>Print</button>";
		side.querySelector("button").onclick = async () => { await tell(x.ID, "closed"); x.State = "closed"; side.innerHTML = ""; draw() } };
	all.append(tr) } };
draw()</script>`

// plants are boxes whose button asks once more, naming the plant by its species.
const plants = `<h1>Glasshouse</h1><div id=all></div><script>
for (const x of data) {
	const box = el('<div class=box><b class=nick></b> <i class=sp></i> <span>' + x.Kind +
		'</span> <button>Retire</button> <button>Water</button></div>');
	box.querySelector(".nick").textContent = x.Name; box.querySelector(".sp").textContent = x.Other;
	box.querySelector("button").onclick = () => {
		const d = el('<div role=dialog aria-modal=true><p>It leaves the glasshouse.</p><button>Yes</button> <button>No</button></div>');
		d.setAttribute("aria-label", "Retire " + x.Other); const [yes, no] = d.querySelectorAll("button"); no.onclick = () => d.remove();
		yes.onclick = async () => { d.remove(); box.remove(); await tell(x.ID, "gone") }; document.body.append(d) };
	all.append(box) }</script>`

// notices are links of a list; each leads to a page of its own, and what was done there is said on the list.
const notices = `<div id=all></div><script>
const here = at(location.pathname), said = new URLSearchParams(location.search).get("said");
if (here) all.innerHTML = "<p><a href='/'>Board</a></p><h1>" + esc(here.Other) + "</h1><p>By " + esc(here.Name) +
		"</p><button>Take down</button>";
else { all.innerHTML = "<h1>Board</h1>" + (said ? "<p role=status>" + esc(said) + "</p>" : "") + "<ul></ul>"; for (const x of data)
	all.querySelector("ul").append(el("<li><a href='/notices/" + x.ID + "'>" + esc(x.Name) + "</a> <em>" + x.Kind +
		"</em><div>" + esc(x.Other) + "</div></li>")) }
const b = all.querySelector("button"); if (b) b.onclick = async () => { await tell(here.ID, "gone");
		location = "/?said=" + encodeURIComponent(here.Other + " was taken down.") };</script>`

// seats are entries whose editor is called after what is booked.
const seats = `<h1>Bookings</h1><ul id=all></ul><div id=ed></div><script>
const draw = () => { all.innerHTML = ""; for (const x of data) {
	const li = el("<li><span class=who>" + esc(x.Name) + "</span> <span class=what>19:30 " + esc(x.Other) +
		"</span> <span class=seat>" + x.State + "</span> <button>Change</button></li>");
	li.querySelector("button").onclick = () => { ed.innerHTML = "";
		const f = el("<form><p><label>Seat <input name=s></label></p><button>Keep</button></form>");
		f.setAttribute("aria-label", x.Other); f.onsubmit = async (ev) => { ev.preventDefault(); const v = f.s.value; await tell(x.ID, v);
		x.State = v; ed.innerHTML = ""; draw() }; ed.append(f) };
	all.append(li) } };
draw()</script>`

// The text under which an item opens is that item's: a run that picks another one finds another text.
func TestItemsOpenUnderAnotherText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, goal, page string
		items            []item
		pick             func(p *person.Person, name string)
		deed             string
		does             string // what the site notes
		gone             string // a text that leaves the page when it is done
		enters           [2]string
	}{
		{"tickets", "Close a ticket", tickets, []item{{11, "T-104", "Lamp flickers in hall", "fault", "open"},
			{12, "T-117", "New chairs wanted", "wish", "open"},
			{13, "T-121", "Door sticks", "fault", "open"}, {14, "T-130", "Who has the keys?", "question", "open"}},
			func(p *person.Person, name string) { p.Click("words", name) }, "Close ticket", "closed", "Opened by the desk.", [2]string{}},
		{"plants", "Retire a plant", plants, []item{{11, "Old Bess", "Monstera deliciosa", "warm", "in"},
			{12, "Spike", "Aloe ferox", "dry", "in"},
			{13, "Lady Fern", "Athyrium niponicum", "damp", "in"}, {14, "Rupert", "Ficus lyrata", "warm", "in"}},
			func(p *person.Person, name string) {
				p.Press(person.Sight{Script: `(a) => { const b = [...document.querySelectorAll(".box")].find((b) => b.innerText.includes(a));
					const r = b.querySelector("button").getBoundingClientRect();
					return {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`, Words: []string{name, "-"}})
			}, "Yes", "gone", "It leaves the glasshouse.", [2]string{}},
		{"notices", "Take down a notice", notices, []item{{11, "Ada Brook", "Piano for sale", "sale", "up"},
			{12, "Tom Reyes", "Lost cat in Elm Street", "lost", "up"},
			{13, "Jo Lind", "Room to let", "let", "up"}, {14, "Ines Falk", "Choir on Mondays", "event", "up"}},
			func(p *person.Person, name string) { p.Click("link", name) }, "Take down", "gone", "By ", [2]string{}},
		{"seats", "Change the seat of a booking", seats, []item{{11, "Ada Brook", "Hamlet", "A4", "A4"},
			{12, "Tom Reyes", "The Cherry Orchard", "B1", "B1"},
			{13, "Jo Lind", "Peer Gynt", "C7", "C7"}, {14, "Ines Falk", "Uncle Vanya", "D2", "D2"}},
			func(p *person.Person, name string) { p.ClickIn(name, "button", "Change") }, "Keep", "", "Keep", [2]string{"E12", "F15"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample(t, c.name)
			site := &board{}
			s := newShowing(t, site)
			s.in.Goal = c.goal
			shown, run := c.items[1], c.items[3]
			site.reset(c.page, "", c.items)
			var last time.Time
			s.show(func(p *person.Person) {
				p.Open("/")
				c.pick(p, shown.Name)
				if c.enters[0] != "" {
					p.Enter("Seat", c.enters[0])
				}
				p.Click("button", c.deed)
				p.Wait(person.Sight{Script: `(a) => ({ready: true, count: document.body.innerText.includes(a) ? 0 : 1, x: 1, y: 1, w: 1, h: 1})`,
					Words: []string{c.gone, "-"}})
				last = p.Pressed
			}, func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(last) })
			})
			if site.done() != shown.Name+" "+c.does+c.enters[0] {
				t.Fatalf("shown: %q", site.done())
			}
			out := s.compiled()
			if !out.Lint.Passed {
				t.Errorf("the lint says: %+v", out.Lint.Findings)
			}
			values := map[string]string{}
			for _, p := range out.Graph.Params {
				t.Logf("param %s of %q, %s, %q", p.Name, p.Label, p.Role, p.Derived)
				if p.Role != workflow.RoleConstant && p.Derived == "" {
					values[p.Name] = run.Name
					if p.Label == "Seat" {
						values[p.Name] = c.enters[1]
					}
				}
			}
			if want := map[bool]int{true: 2, false: 1}[c.enters[0] != ""]; len(values) != want {
				t.Fatalf("inputs: %v", values)
			}
			for _, st := range out.Graph.Steps {
				t.Logf("step %q on %+v", st.Title, st.Target)
			}
			for _, lie := range []string{"", "keeps nothing", "takes another"} {
				site.reset(c.page, lie, c.items)
				res := s.rehearsed(out, values)
				switch {
				case lie == "" && (res.Overall == rehearse.Failed || site.done() != run.Name+" "+c.does+c.enters[1]):
					t.Errorf("%s %s: %q", res.Overall, res.Reason, site.done())
				case lie != "" && res.Overall == rehearse.Passed:
					t.Errorf("it passed on a site that %s", lie)
				}
			}
			silent := slices.Clone(c.items)
			silent[3].Other = ""
			site.reset(c.page, "", silent)
			if res := s.rehearsed(out, values); res.Overall == rehearse.Passed || site.done() != "" {
				t.Errorf("with an item that lacks the text: %s, %q", res.Overall, site.done())
			}
		})
	}
}
