//go:build unix

package browserdom

import (
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// A page laid out by tables: neither its menu nor its tabs, headings and messages stand in a row. The rows of the data are rows all the
// same, and what every row's first cell offers to do is not what a row is called.
func TestAPageLaidOutByTables(t *testing.T) {
	row := func(n, name, town string) string {
		return `<tr><td><input type=checkbox id=box` + n + `><td><a href="#e` + n + `" id=edit` + n + `>Edit</a><td><a href="#d` + n +
			`">Delete</a><td>` + n + `<td>` + name + `<td>` + town + `</tr>`
	}
	srv, host := site(t, map[string]string{"/": `<table width="100%"><tr><td valign=top><b>Depot</b><br><a href="#members" id=menu>members</a>
		<td><h1>Members of the depot</h1><div class=notice>Seven entries were checked.</div><a href="#new" id=tab>New entry</a>
		<table><tr><td><td><td><td>id<td>name<td>town</tr>` + row("1", "Ada", "Bonn") + row("2", "Boris", "Bonn") + row("3", "Cyra", "Ulm") +
		`</table></tr></table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#menu")
	p.click("#tab")
	p.click("#edit2")
	p.click("#box3")
	for n, name := range []string{"members", "New entry"} {
		if got := w.find(capture.Click, n+1); got.Target.Name != name || got.Target.Landmark != nil && got.Target.Landmark.Role == "row" {
			t.Errorf("%q in %+v", got.Target.Name, got.Target.Landmark)
		} else if got.After == nil || !slices.Equal(got.After.Headings, []string{"Members of the depot"}) ||
			!slices.Equal(got.After.Alerts, []string{"Seven entries were checked."}) {
			t.Errorf("the page says %+v", got.After)
		}
	}
	edit := w.find(capture.Click, 3).Target
	if edit.Name != "Edit" || edit.Landmark == nil || *edit.Landmark != (capture.Landmark{Role: "row", Name: "Boris"}) {
		t.Errorf("the row's link: %+v in %+v", edit, edit.Landmark)
	}
	if box := w.find(capture.Check, 1).Target; box.Landmark == nil || *box.Landmark != (capture.Landmark{Role: "row", Name: "Cyra"}) {
		t.Errorf("the row's box: %+v", box.Landmark)
	}
}

// Rows that hold tables of their own are rows: two of them are alike.
func TestRowsWithTablesInThem(t *testing.T) {
	row := func(n, name string) string {
		return `<tr><td>` + name + `<td><table><tr><td>10 boxes<td>dry</tr></table><td><a href="#e` + n + `" id=edit` + n + `>Edit</a></tr>`
	}
	srv, host := site(t, map[string]string{"/": `<table>` + row("1", "Flour") + row("2", "Sugar") + `</table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#edit2")
	if edit := w.find(capture.Click, 1).Target; edit.Landmark == nil || *edit.Landmark != (capture.Landmark{Role: "row", Name: "Sugar"}) {
		t.Errorf("the row's link: %+v in %+v", edit, edit.Landmark)
	}
}

// Nobody signs in with a text of several lines or many boxes: of a form with them only the password is withheld. A form with one box is
// still one to sign in with.
func TestAFormForSomebodyElse(t *testing.T) {
	const secret = "canary-hunter2"
	form := func(more string) string {
		return `<h1>Somebody</h1><form action="/done"><label>Login <input name=login id=login></label> <label>Password ` +
			`<input type=password name=pw id=pw></label> ` + more + `<button id=go>Apply</button></form>`
	}
	box := func(name string) string {
		return `<label><input type=checkbox name=` + name + `> May ` + name + `</label> `
	}
	srv, host := site(t, map[string]string{
		"/lines": form(`<label>Notes <textarea name=info id=info></textarea></label>`),
		"/boxes": form(box("read") + box("write") + box("delete") + box("invite")),
		"/sign":  form(box("stay") + `<textarea name=hidden hidden></textarea>`)})
	w := observe(t, Options{}, host)
	for n, path := range []string{"/lines", "/boxes", "/sign"} {
		p := shared.hand.open(t, srv.URL+path)
		login := "zahara"
		if path == "/sign" {
			login = "quentin"
		}
		p.write("#login", login)
		p.write("#pw", secret)
		p.click("h1")
		if path == "/sign" {
			w.find(capture.Click, 3*n+1) // on the heading: of the fields nothing is said
		} else if o := w.find(capture.Type, 2*n+1); o.Value.Text != "zahara" {
			t.Errorf("%s: the login: %+v", path, o.Value)
		}
	}
	if strings.Contains(adaptertest.Everything(w.Seen()), "quentin") {
		t.Error("who signs in was told")
	}
	if strings.Contains(adaptertest.Everything(w.Seen()), secret) {
		t.Error("the password left the page")
	}
}

// A thing that was opened beside the list that it was opened from is called by its heading, although the list says the same. An editor
// beside things is none of them: its button stands in no row that is called by another button's word.
func TestAThingBesideTheListThatNamesIt(t *testing.T) {
	card := func(n, name, more string) string {
		return `<div class=card id=c` + n + `><div><h2>` + name + `</h2><button id=edit` + n +
			` title="Change this note"><svg width=16 height=16>` +
			`<path d="M1 1h9"/></svg></button></div><div>` + more + `</div></div>`
	}
	srv, host := site(t, map[string]string{
		"/": `<h1>Garden</h1><div>` + card("0", "Beds", `<ul><li><a href="#a">Aster</a><li><a href="#b">Borage</a></ul>`) +
			card("1", "Aster", "Grows by the wall. <i>garden</i>") + `</div>`,
		"/edit": `<h1>Garden</h1><div>` + card("0", "Beds", `<ul><li><a href="#a">Aster</a></ul>`) +
			`<div class=card><div><button id=done title="Keep the note"><svg width=16 height=16><path d="M1 1h9"/></svg></button></div>` +
			`<input><textarea placeholder="The text"></textarea><button>add</button></div></div>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	p.click("#edit1")
	p.click("#edit0")
	for n, want := range []string{"Aster", "Beds"} {
		if got := w.find(capture.Click, n+1).Target; got.Landmark == nil || *got.Landmark != (capture.Landmark{Role: "listitem", Name: want}) {
			t.Errorf("%q in %+v, want %s", got.Name, got.Landmark, want)
		}
	}
	p = shared.hand.open(t, srv.URL+"/edit")
	p.click("#done")
	if got := w.find(capture.Click, 3).Target; got.Name != "Keep the note" || got.Landmark != nil && got.Landmark.Role == "listitem" {
		t.Errorf("%q in %+v", got.Name, got.Landmark)
	}
}
