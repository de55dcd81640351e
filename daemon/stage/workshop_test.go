package stage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"showhow/bench/corpus/person"
)

// lie is what a site does with a deed that it says it has done.
type lie string

const (
	honest    lie = ""
	forgets   lie = "forgets"   // answers with 200 and keeps nothing
	elsewhere lie = "elsewhere" // keeps it in another list, which no page shows
	another   lie = "another"   // keeps it for another record, or under another name
	instead   lie = "instead"   // what is new takes the place of another record; anything else is forgotten
	fleeting  lie = "fleeting"  // keeps it for a second
	others    lie = "others"    // does it to two other records
	besides   lie = "besides"   // does it, and to another record as well
	echoes    lie = "echoes"    // keeps nothing and repeats in its message what it was told
	previous  lie = "previous"  // does the deed of the time before once more: what is new is forgotten
	curtails  lie = "curtails"  // keeps only the first part of what was entered
	counts    lie = "counts"    // keeps nothing and counts it: only the number over the list changes
	moves     lie = "moves"     // keeps nothing and puts the record at the top of the list
)

var lies = []lie{forgets, echoes, elsewhere, another, instead, fleeting, others, besides, previous, curtails, counts, moves}

// thing is a record of a workshop.
type thing struct {
	Name string `json:"name"`
	On   bool   `json:"on"`
	Note string `json:"note"`
}

// workshop is a site with one list of things and one kind of page over it.
type workshop struct {
	kind  kind
	draws string // when a script shows a deed: before the answer, after it, or by asking for the list again
	mute  bool   // no message says that it was done

	mu     sync.Mutex
	lie    lie
	things []thing
	stolen []thing
	until  time.Time // of what is kept for a moment
	before []thing
	count  int    // that the page shows over its list
	last   string // what was entered first, while it was shown
}

// kind is a kind of page and what a person does on it.
type kind struct {
	name   string
	goal   string
	script bool                     // a script shows what was done, and may do so at any time
	page   func(d *workshop) string // the page, or its script's function row(x, i)
	show   func(p *person.Person, d *workshop)
	twice  func(p *person.Person, d *workshop)                            // a second demonstration, with another thing
	values map[string]string                                              // by a part of an input's name; "" is any other
	did    func(t []thing) bool                                           // the ledger says that the run's deed was done, and nothing else
	last   string                                                         // what is operated at the end
	serve  func(d *workshop, w http.ResponseWriter, r *http.Request) bool // its further pages
	shows  bool                                                           // an honest site shows all of it, so that a run passes
	open   []lie                                                          // the lies that a short test tells it
}

var woods = []string{"Oak", "Pine", "Larch", "Birch", "Willow"}

func (d *workshop) reset(l lie) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lie, d.things, d.stolen, d.until, d.before = l, nil, nil, time.Time{}, nil
	for _, n := range woods {
		d.things = append(d.things, thing{Name: n, Note: "as delivered"})
	}
	d.count = len(d.things)
}

// ledger is what is kept for good.
func (d *workshop) ledger() []thing {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lie == fleeting && d.before != nil {
		return d.before
	}
	return slices.Clone(d.things)
}

// expire takes back what was kept for a moment.
func (d *workshop) expire() {
	if d.before != nil && time.Now().After(d.until) {
		d.things, d.before, d.until = d.before, nil, time.Time{}
		d.count = len(d.things)
	}
}

// do is a deed, done as the lie says.
func (d *workshop) do(op, id, v string) {
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(d.things) {
		i = 0
	}
	to := &d.things
	defer func() {
		if d.lie != counts {
			d.count = len(d.things)
		}
	}()
	switch d.lie {
	case honest:
		d.last = cmp.Or(d.last, v)
	case previous:
		v = d.last
		if op == "delete" || op == "flip" {
			i = 1 // what was shown
		}
	case curtails:
		if op == "delete" || op == "flip" {
			return
		}
		v, _, _ = strings.Cut(v, " ")
	case counts:
		d.count += map[string]int{"add": 1, "delete": -1}[op]
		return
	case moves:
		if op == "add" {
			i = len(d.things) - 1
		}
		at := d.things[i]
		d.things = slices.Insert(slices.Delete(slices.Clone(d.things), i, i+1), 0, at)
		return
	case others, besides:
		l, at := d.lie, []int{i, i - 1}
		if l == others {
			at = []int{i - 1, i - 2}
		}
		if op == "add" && l == others {
			at = at[:1] // besides adds it twice
		}
		d.lie = honest
		for _, n := range at {
			if op == "add" && l == others {
				v = "Yew " + strconv.Itoa(len(v))
			}
			d.do(op, strconv.Itoa((n+len(d.things))%len(d.things)), v)
		}
		d.lie = l
		return
	case forgets, echoes:
		return
	case elsewhere:
		if d.stolen == nil {
			d.stolen = slices.Clone(d.things)
		}
		to = &d.stolen
	case another:
		if i = (i + 1) % len(d.things); op == "add" {
			v = "Yew " + strconv.Itoa(len(v))
		}
	case instead:
		if op != "add" {
			return
		}
		name, note, _ := strings.Cut(v, "|")
		d.things[1] = thing{Name: name, Note: cmp.Or(note, "new")}
		return
	case fleeting:
		if d.before == nil {
			d.before, d.until = slices.Clone(d.things), time.Now().Add(time.Second)
		}
	}
	switch op {
	case "add":
		name, note, _ := strings.Cut(v, "|")
		*to = append(*to, thing{Name: name, Note: cmp.Or(note, "new")})
	case "delete":
		*to = slices.Delete(slices.Clone(*to), i, i+1)
	case "flip":
		*to = slices.Clone(*to)
		(*to)[i].On = !(*to)[i].On
	case "name":
		*to = slices.Clone(*to)
		(*to)[i].Name = v
	case "note":
		*to = slices.Clone(*to)
		(*to)[i].Note = v
	}
}

func (d *workshop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	if d.kind.serve != nil && d.kind.serve(d, w, r) {
		return
	}
	switch r.URL.Path {
	case "/":
		d.front(w, r)
	case "/new":
		fmt.Fprint(w, `<!doctype html><title>New thing</title><h1>New thing</h1><form method=post action=/do>`+
			`<input type=hidden name=op value=add><input type=hidden name=back value=1>`+
			`<label>Name <input name=v></label> <button>Add</button></form>`)
	case "/thanks":
		fmt.Fprintf(w, `<!doctype html><title>Done</title><h1>Thank you</h1><p role=status>%s</p><a href=/>All things</a>`, d.says(r))
	case "/things":
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(d.things)
	case "/do":
		v := r.FormValue("v")
		if n := r.FormValue("n"); n != "" {
			v += "|" + n
		}
		d.do(r.FormValue("op"), r.FormValue("id"), v)
		said := ""
		if d.lie == echoes {
			said = "&v=" + r.FormValue("v")
		}
		switch r.FormValue("back") {
		case "1":
			http.Redirect(w, r, "/?done=1"+said, http.StatusSeeOther)
		case "2":
			http.Redirect(w, r, "/thanks?done=1"+said, http.StatusSeeOther)
		case "3":
			http.Redirect(w, r, "/page?id="+r.FormValue("id")+said, http.StatusSeeOther)
		default:
			fmt.Fprint(w, `{"ok": true}`)
		}
	default:
		http.NotFound(w, r)
	}
}

func (d *workshop) says(r *http.Request) string {
	if d.mute || r.FormValue("done") == "" {
		return ""
	}
	return "The change was saved. " + r.FormValue("v")
}

func (d *workshop) front(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, `<!doctype html><title>Things</title><style>.icon{cursor:pointer}</style><h1>Things</h1>`+
		`<p id=said role=status>%s</p><p>Things in all: <b id=n_all>%d</b></p>`, d.says(r), d.count)
	if !d.kind.script {
		fmt.Fprint(w, d.kind.page(d))
		return
	}
	list, _ := json.Marshal(d.things)
	fmt.Fprintf(w, `<div id=all></div><script>
let things = %s; const draws = %q, mute = %v;
const say = (s) => { if (!mute) said.textContent = s; };
const tell = (op, id, v) => fetch("/do", {method: "POST", body: new URLSearchParams({op, id, v})});
const local = { add: (i, v) => things.push({name: v, note: "new"}), delete: (i) => things.splice(i, 1),
  flip: (i) => { things[i].on = !things[i].on }, name: (i, v) => { things[i].name = v }, note: (i, v) => { things[i].note = v } };
async function act(op, i, v, s) {
  if (draws === "before") { local[op](i, v); draw(); say(s); }
  await tell(op, i, v);
  if (draws === "after") { local[op](i, v); draw(); say(s); }
  if (draws === "again") { things = await (await fetch("/things")).json(); draw(); say(s); }
}
%s
draw();</script>`, list, d.draws, d.mute, d.kind.page(d))
}

// rows is a table of the things with something in each row.
func (d *workshop) rows(cell func(i int, t thing) string) string {
	var b strings.Builder
	b.WriteString(`<table><thead><tr><th>Thing<th>Note<th>Active<th></tr></thead><tbody>`)
	for i, t := range d.things {
		fmt.Fprintf(&b, `<tr><td>%s<td>%s<td>%s<td>%s</tr>`, t.Name, t.Note, map[bool]string{true: "YES", false: "NO"}[t.On], cell(i, t))
	}
	return b.String() + `</tbody></table>`
}

// only reports whether the things are those of the beginning with one change.
func only(change func(t []thing) []thing) func([]thing) bool {
	return func(t []thing) bool {
		var want []thing
		for _, n := range woods {
			want = append(want, thing{Name: n, Note: "as delivered"})
		}
		return slices.Equal(change(want), t)
	}
}

func mapleAdded(t []thing) []thing { return append(t, thing{Name: "Maple wood", Note: "new"}) }

const tableOf = `const cells = (x, i, more) => "<tr><td>" + x.name + "</td><td>" + x.note + "</td><td>" + more + "</td></tr>";
const table = (f) => "<table><thead><tr><th>Thing</th><th>Note</th><th></th></tr></thead><tbody>" +
  things.map(f).join("") + "</tbody></table>";
`

// kinds are the pages on which every lie is told.
var kinds = []kind{
	{name: "a form", last: "Add", goal: "Add a thing", page: func(d *workshop) string {
		return `<a href=/new>New thing</a>` + d.rows(func(int, thing) string { return "" })
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Click("link", "New thing")
		p.Enter("Name", "Cedar wood")
		p.Click("button", "Add")
		p.See("Cedar wood")
	}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
	{name: "a form that only thanks", open: lies, last: "Add", goal: "Add a thing", page: func(d *workshop) string {
		return `<form method=post action=/do><input type=hidden name=op value=add><input type=hidden name=back value=2>` +
			`<label>Name <input name=v></label> <button>Add</button></form>` + d.rows(func(int, thing) string { return "" })
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Enter("Name", "Cedar wood")
		p.Click("button", "Add")
		p.See("Thank you")
	}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
	{name: "a row deleted", last: "Delete", goal: "Delete a thing", page: func(d *workshop) string {
		return d.rows(func(i int, t thing) string {
			return fmt.Sprintf(`<form method=post action=/do><input type=hidden name=op value=delete><input type=hidden name=id value=%d>`+
				`<input type=hidden name=back value=1><button>Delete</button></form>`, i)
		})
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.ClickIn("Pine", "button", "Delete")
		p.See("Things")
	}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
	{name: "a link that switches", last: "Switch on", goal: "Switch a thing on", page: func(d *workshop) string {
		return d.rows(func(i int, t thing) string {
			return fmt.Sprintf(`<a href="/do?op=flip&amp;id=%d&amp;back=1">%s</a>`, i, map[bool]string{true: "Switch off", false: "Switch on"}[t.On])
		})
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.ClickIn("Pine", "link", "Switch on")
		p.See("Switch off")
	}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
	{name: "a text edited where it stands", last: "", goal: "Change the note", script: true, page: func(d *workshop) string {
		return `function draw() { all.innerHTML = "<h2>" + things[0].name + "</h2><div contenteditable=true role=textbox aria-label=Note id=n>" +
things[0].note + "</div><label>Rest</label>"; n.onblur = () => { if (n.innerText !== things[0].note)
act("note", 0, n.innerText, "The note was saved"); }; }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Enter("Note", "painted red")
		p.Click("label", "Rest")
		p.See("painted red")
	}, values: map[string]string{"": "sanded twice"}, did: only(func(t []thing) []thing { t[0].Note = "sanded twice"; return t })},
	{name: "a list that listens", last: "Pine", goal: "Choose a thing", script: true, page: func(d *workshop) string {
		return `function draw() { all.innerHTML = "<ul id=list style='cursor:pointer'>" + things.map((x) =>
"<li class=item><div class=name>" + x.name + "</div>" +
(x.on ? "<em>chosen</em>" : "")).join("") + "</ul>"; }
all.addEventListener("click", (e) => { const li = e.target.closest(".item"); if (!li) return;
const i = [...li.parentNode.children].indexOf(li); act("flip", i, "", "Chosen: " + things[i].name); });`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Click("words", "Pine")
		p.See("chosen")
	}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
	{name: "one page with fetch", last: "Add", goal: "Add a thing", script: true, page: func(d *workshop) string {
		return tableOf + `all.insertAdjacentHTML("beforebegin", "<form id=f><label>Name <input name=v></label> <button>Add</button></form>");
f.onsubmit = (e) => { e.preventDefault(); act("add", things.length, f.elements.v.value, "The thing was added"); f.reset(); };
function draw() { all.innerHTML = table((x, i) => cells(x, i, "")); }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Enter("Name", "Cedar wood")
		p.Click("button", "Add")
		p.See("Cedar wood")
	}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
	{name: "a dialog", last: "Save", goal: "Rename a thing", script: true, page: func(d *workshop) string {
		return tableOf + `all.insertAdjacentHTML("afterend", "<dialog id=dlg aria-label='Rename thing'><h2>Rename thing</h2>" +
"<label>New name <input id=nn></label> <button id=ok>Save</button></dialog>");
let at = 0; function ask(i) { at = i; nn.value = things[i].name; dlg.showModal(); }
ok.onclick = () => { dlg.close(); act("name", at, nn.value, "The thing was renamed"); };
function draw() { all.innerHTML = table((x, i) => cells(x, i, "<button onclick='ask(" + i + ")'>Rename</button>")); }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.ClickIn("Pine", "button", "Rename")
		p.Enter("New name", "Stone pine")
		p.Click("button", "Save")
		p.See("Stone pine")
	}, values: map[string]string{"name": "Silver birch", "": "Birch"},
		did: only(func(t []thing) []thing { t[3].Name = "Silver birch"; return t })},
	{name: "a row deleted by script", last: "Delete", goal: "Delete a thing", script: true, page: func(d *workshop) string {
		return tableOf + `function draw() { all.innerHTML = table((x, i) => cells(x, i,
"<button onclick='act(\"delete\", " + i + ", \"\", \"The thing was deleted\")'>Delete</button>")); }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.ClickIn("Pine", "button", "Delete")
		p.See("Willow")
	}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
	{name: "a switch in a row", last: "Active", goal: "Switch a thing on", script: true, page: func(d *workshop) string {
		return tableOf + `function draw() { all.innerHTML = table((x, i) => cells(x, i,
"<button role=switch aria-label=Active aria-checked=" + !!x.on +
" onclick='act(\"flip\", " + i + ", \"\", \"The thing was switched\")'>" + (x.on ? "on" : "off") + "</button>")); }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.ClickIn("Pine", "switch", "Active")
		p.See("on")
	}, values: map[string]string{"": "Birch", "active": "yes"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
	{name: "a star in a row", last: "Star Pine", goal: "Star a thing", script: true, page: func(d *workshop) string {
		return tableOf + `function draw() { all.innerHTML = table((x, i) => cells(x, i,
"<button aria-pressed=" + !!x.on + " aria-label='Star " + x.name +
"' onclick='act(\"flip\", " + i + ", \"\", \"Starred\")'>" + (x.on ? "★" : "☆") + "</button>")); }`
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Click("button", "Star Pine")
		p.See("★")
	}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
}
