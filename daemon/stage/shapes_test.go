package stage

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"showhow/bench/corpus/person"
)

// shapes are further kinds of pages: a deed that is confirmed on a page of its own, one that a form asks for first, a page that is
// opened by its name and rewritten, a thing that is opened beside its list, and a list that is drawn again all the time.
var shapes = []kind{
	{name: "a deed confirmed on its own page", open: []lie{forgets}, last: "Confirm", goal: "Delete a thing", shows: true,
		page: bare("Delete"),
		serve: func(d *workshop, w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/" || r.FormValue("ask") == "" {
				return false
			}
			fmt.Fprintf(w, `<!doctype html><title>Things</title><h1>Things</h1><p>This takes the thing away for good.</p>`+
				`<form method=post action=/do><input type=hidden name=op value=delete><input type=hidden name=id value="%s">`+
				`<input type=hidden name=back value=1><button>Confirm</button></form>`, r.FormValue("id"))
			return true
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.ClickIn("Pine", "link", "Delete")
			p.Click("button", "Confirm")
			p.See("Willow")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
	{name: "a form that asks first", open: []lie{forgets, instead}, last: "Save", goal: "Add a thing", shows: true,
		page: func(d *workshop) string {
			return `<form action=/more><label>Name <input name=v></label> <button>Add thing</button></form>` +
				d.rows(func(int, thing) string { return "" })
		}, serve: func(d *workshop, w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/more" {
				return false
			}
			fmt.Fprintf(w, `<!doctype html><title>Things</title><h1>New thing</h1><form method=post action=/do>`+
				`<input type=hidden name=op value=add><input type=hidden name=back value=1><label>Name <input name=v value="%s"></label>`+
				`<label>Note <input name=n></label> <button>Save</button></form>`, r.FormValue("v"))
			return true
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Enter("Name", "Cedar wood")
			p.Click("button", "Add thing")
			p.Enter("Note", "by the metre")
			p.Click("button", "Save")
			p.See("by the metre")
		}, values: map[string]string{"note": "by weight", "": "Maple wood"},
		did: only(func(t []thing) []thing { return append(t, thing{Name: "Maple wood", Note: "by weight"}) })},
	{name: "a page that is rewritten", open: []lie{forgets}, last: "Save", goal: "Rewrite a page and say why", page: func(d *workshop) string {
		var b strings.Builder
		for i, t := range d.things {
			fmt.Fprintf(&b, `<li><a href="/page?id=%d">%s</a></li>`, i, t.Name)
		}
		return "<ul>" + b.String() + "</ul>"
	}, serve: func(d *workshop, w http.ResponseWriter, r *http.Request) bool {
		var i int
		_, _ = fmt.Sscan(r.FormValue("id"), &i)
		if i >= len(d.things) || r.URL.Path != "/page" && r.URL.Path != "/edit" {
			return false
		}
		t := d.things[i]
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><nav><a href=/>Things</a></nav><h1>%[1]s</h1>`, t.Name)
		if r.URL.Path == "/page" {
			fmt.Fprintf(w, `<p>%s</p><a href="/edit?id=%d">Edit</a>`, t.Note, i)
			return true
		}
		fmt.Fprintf(w, `<form method=post action=/do><input type=hidden name=op value=note><input type=hidden name=back value=3>`+
			`<input type=hidden name=id value=%d><textarea name=v aria-label=Text>%s</textarea><label>Reason <input name=why></label> `+
			`<button>Save</button></form>`, i, t.Note)
		return true
	}, show: func(p *person.Person, d *workshop) {
		p.Open("/")
		p.Click("link", "Pine")
		p.Click("link", "Edit")
		p.Enter("Text", "Straight, and smells of resin.")
		p.Enter("Reason", "it was seen")
		p.Click("button", "Save")
		p.See("smells of resin")
	}, values: map[string]string{"text": "White bark, grows fast.", "reason": "after a walk", "": "Birch"},
		did: only(func(t []thing) []thing { t[3].Note = "White bark, grows fast."; return t })},
	{name: "a thing told by its parts", open: []lie{forgets, another}, last: "Switch on", goal: "Switch a thing on", shows: true,
		page: func(d *workshop) string {
			var b strings.Builder
			for _, t := range d.things {
				fmt.Fprintf(&b, `<tr><td><a href="/thing/%[1]s">%[1]s</a><td>%[2]s</tr>`, t.Name, t.Note)
			}
			return `<table><thead><tr><th>Thing<th>Note</tr></thead>` + b.String() + `</table>`
		}, serve: func(d *workshop, w http.ResponseWriter, r *http.Request) bool {
			i := slices.IndexFunc(d.things, func(t thing) bool { return "/thing/"+t.Name == r.URL.Path })
			if i < 0 {
				return false
			}
			if t := d.things[i]; r.Method == http.MethodPost {
				d.do("flip", fmt.Sprint(i), "")
				http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
			} else {
				fmt.Fprintf(w, `<!doctype html><title>Works</title><h1>State of a thing</h1><table><tr><th>Part<th>Value</tr>`+
					`<tr><td>Name<td>%[1]s</tr>`+
					`<tr><td>Place<td>yard of %[1]s</tr><tr><td>State<td>%[2]s</tr></table><form method=post><button>Switch on</button></form>`,
					t.Name, map[bool]string{true: "at work", false: "at rest"}[t.On])
			}
			return true
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("link", "Pine")
			p.Click("button", "Switch on")
			p.See("at work")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
	{name: "a thing opened beside its list", open: []lie{forgets, another}, last: "Delete", goal: "Delete a thing", script: true,
		page: func(d *workshop) string {
			return `let notes = []; const shut = (i) => { notes = notes.filter((n) => n !== i); draw(); };
function draw() { all.innerHTML = "<ul>" + things.map((x, i) => "<li><a href='#' onclick='notes.unshift(" + i +
"); draw(); return false'>" + x.name + "</a></li>").join("") + "</ul>" +
notes.filter((i) => things[i]).map((i) => "<section class=note><h2>" + things[i].name + "</h2><p>" +
things[i].note + "</p><button onclick='shut(" + i + ")'>Close</button> <button onclick='const n = " + i +
"; shut(n); act(\"delete\", n, \"\", \"The thing was deleted\")'>Delete</button></section>").join(""); }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("link", "Pine")
			p.Click("button", "Delete")
			p.See("Willow")
		}, twice: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("link", "Larch")
			p.Click("button", "Delete")
			p.See("Willow")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
	{name: "a list drawn all the time", open: []lie{another}, last: "Remove", goal: "Remove a thing", script: true,
		page: func(d *workshop) string {
			return `let picked = -1, age = 10;
all.insertAdjacentHTML("beforebegin", "<button onclick='if (picked >= 0) act(\"delete\", picked, \"\", \"\")'>Remove</button>");
function draw() { age++; all.innerHTML = "<table><thead><tr><th>Thing</th><th>Age</th><th>State</th></tr></thead><tbody>" +
things.map((x, i) =>
"<tr style='cursor:pointer' onclick='picked = " + i + "; draw()' aria-selected=" + (i === picked) +
"><td>" + x.name + "</td><td>" + age * (i + 3) +
" s</td><td>" + ["waits", "runs"][(age + i) % 2] + "</td></tr>").join("") + "</tbody></table>"; }
setInterval(draw, 300);`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("words", "Pine")
			p.Click("button", "Remove")
			p.See("Willow")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
}

// bare is a table without heads in which each row has a link to a page that asks again.
func bare(deed string) func(d *workshop) string {
	return func(d *workshop) string {
		var b strings.Builder
		b.WriteString(`<table><tr><td>Deed<td>Thing<td>Note</tr>`)
		for i, t := range d.things {
			fmt.Fprintf(&b, `<tr><td><a href="/?ask=1&amp;id=%d">%s</a><td>%s<td>%s</tr>`, i, deed, t.Name, t.Note)
		}
		return b.String() + `</table>`
	}
}
