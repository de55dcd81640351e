//go:build unix

package find

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
)

const shop = `<!doctype html><title>Orders</title><nav aria-label="Main"><a href="/orders">Orders</a> <a href="/customers">Customers</a>` +
	`</nav>
<main><h1>Orders</h1><form aria-label="Billing address"><label>Street <input name=street></label><label>E-mail <input type=email></label>
<label>Country <select><option>Austria</option><option>Belgium</option><option>Chile</option></select></label><button id=save>` +
	`Save</button> <button>Cancel</button></form>
<form aria-label="Shipping address"><label>Street <input name=s2></label><button>Save</button></form>
<table><tr><th>Order<th>Customer<th></tr><tr><td>A-1<td>Ann<td><button>Edit</button><tr><td>A-2<td>Bob<td><button>Edit</button><tr><td>` +
	`A-3<td>A-1<td><button>Edit</button></table></main>`

func TestFindsWhatWasMeantOnTheSamePage(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	for _, s := range []string{"nav a:nth-of-type(2)", "[name=street]", "[type=email]", "select", "#save", "form:nth-of-type(2) input",
		"form:nth-of-type(2) button",
		"tr:nth-of-type(2) button", "tr:nth-of-type(4) button"} {
		f := r.finds(Want{Target: r.shown(s)}, "document.querySelector("+quote(s)+")")
		if f != nil && len(f.Drift) > 0 {
			t.Errorf("%s: %q", s, f.Drift)
		}
	}
}

func TestChangedPages(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		name, was, change, is, drift string
		verb                         capture.Verb
	}{
		{"another word for it, same place", "#save", "save.id='x';x.textContent='Store changes'", "x", `called "Store changes" now`,
			capture.Click},
		{"another language", "[type=email]", "document.querySelector('[type=email]').previousSibling.data='Correo electrónico '",
			"document.querySelector('[type=email]')", "Correo", capture.Type},
		{"another tag", "#save", "save.outerHTML='<div role=button tabindex=0 id=y>Save</div>'", "y", "", capture.Click},
		{"a link for a button", "#save", "save.outerHTML='<a href=\"#s\" id=y>Save</a>'", "y", "it is a link now", capture.Click},
		{"a look-alike elsewhere", "#save",
			"save.id='z';document.body.insertAdjacentHTML('afterbegin','<form aria-label=Other><button>Save</button></form>')", "z", "",
			capture.Click},
		{"rows in another order", "tr:nth-of-type(2) button",
			"const r=document.querySelector('tr:nth-of-type(2)');r.parentElement.append(r);r.id='r'", "r.querySelector('button')", "",
			capture.Click},
		{"a wrapped label becomes a name", "[name=street]",
			"const i=document.querySelector('[name=street]');i.setAttribute('aria-label','Street');i.closest('label').replaceWith(i);i.id='n'", "n",
			"", capture.Type},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			r.open(shop)
			w := Want{Target: r.shown(c.was), Verb: c.verb}
			r.eval(r.frames(1)[0], "{"+c.change+"}")
			if f := r.finds(w, c.is); f != nil && (c.drift == "") != (len(f.Drift) == 0) ||
				f != nil && !strings.Contains(strings.Join(f.Drift, "; "), c.drift) {
				t.Errorf("drift %q, want %q", f.Drift, c.drift)
			}
		})
	}
	t.Run("its place is called otherwise", func(t *testing.T) {
		r.t = t
		r.open(shop)
		w := Want{Target: r.shown("#save"), Verb: capture.Click}
		r.eval(r.frames(1)[0], "{save.closest('form').setAttribute('aria-label','Invoice address')}")
		if f := r.finds(w, "save"); f != nil && (f.Moved == nil || *f.Moved != capture.Landmark{Role: "form", Name: "Invoice address"}) {
			t.Errorf("moved to %+v, drift %q", f.Moved, f.Drift)
		}
	})
	for _, c := range []struct{ name, was, change, reason string }{
		{"gone", "#save", "save.remove()", Missing},
		{"another deed in its place", "#save", "save.textContent='Delete'", Missing},
		{"twice in the same place", "#save", "save.insertAdjacentHTML('beforebegin','<button>Save</button>');save.id='q'", Ambiguous},
		{"the row is gone", "tr:nth-of-type(3) button", "document.querySelector('tr:nth-of-type(3)').remove()", Missing},
		{"not what it was", "[type=email]", "const e=document.querySelector('[type=email]');e.type='checkbox'", Missing},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.t = t
			r.open(shop)
			w := Want{Target: r.shown(c.was)}
			r.eval(r.frames(1)[0], "{"+c.change+"}")
			r.refuses(w, c.reason)
		})
	}
}

// What comes in the place of a deed and says that it is another one is told apart from what may be the same deed by another name.
func TestAnotherDeedInItsPlace(t *testing.T) {
	r := newRig(t)
	for name, other := range map[string]bool{"Delete": true, "Delete address": true, "Keep it": false} {
		r.open(shop)
		w := Want{Target: r.shown("#save"), Verb: capture.Click}
		r.eval(r.frames(1)[0], "{save.outerHTML='<div></div><button id=x class=new>"+name+"</button>'}")
		_, err := Find(t.Context(), r.frames(1), w)
		miss, ok := errors.AsType[*NotFound](err)
		if !ok || miss.Reason != Missing {
			t.Errorf("%s: %v", name, err)
			continue
		}
		i := slices.IndexFunc(miss.Beside(), func(c Control) bool { return c.Name == name })
		if i < 0 || !miss.Beside()[i].There || miss.Beside()[i].Other != other {
			t.Errorf("%s: beside %+v", name, miss.Beside())
		}
	}
}

// What stands right below a shadow root has no parent element: it is described and found all the same.
func TestWhatIsAShadowRootsOwn(t *testing.T) {
	r := newRig(t)
	for name, inside := range map[string]string{
		"table":  "<table><tr><td>Ann<td><button>Edit</button><tr><td>Bob<td><button id=x>Edit</button></table>",
		"tables": "<table><tr><td>Ann<td><table><tr><td><button id=x>Edit</button></table></table>",
		"rows": "<div role=row><span role=cell>Ann</span><button>Edit</button></div>" +
			"<div role=row><span role=cell>Bob</span><button id=x>Edit</button></div>",
		"entries":  "<li>Ann <button>Edit</button></li><li>Bob <button id=x>Edit</button></li>",
		"messages": "<div role=status>Saved</div><div class=toast>Bob was saved</div><li class=toast>Saved</li><button id=x>Edit</button>",
		"a field":  "<label for=x>Name</label><input id=x>",
		"a box":    "<input type=checkbox id=x><label for=x>Name</label>",
	} {
		r.open(`<!doctype html><h1>Users</h1><div id=host></div>`)
		r.eval(r.frames(1)[0], "{host.attachShadow({mode:'open'}).innerHTML="+quote(inside)+"}")
		if f := r.finds(Want{Target: r.shown("#host >>> #x")}, "host.shadowRoot.querySelector('#x')"); f == nil {
			t.Error(name)
		}
	}
}

// Where the ids of similar elements change at every load, their order means nothing.
func TestNamesThatAreDrawnAnew(t *testing.T) {
	r := newRig(t)
	for _, one := range []string{`<label><input type=checkbox id=n%d>%s</label> `, `<button id=n%d>%s</button> `} {
		page := func(names ...string) string {
			var out strings.Builder
			for i, n := range names {
				fmt.Fprintf(&out, one, i, n)
			}
			return `<!doctype html><h1>Choose</h1><form aria-label=Words>` + out.String() + `</form>`
		}
		r.open(page("HyHt", "Qoro", "vab"))
		w := Want{Target: r.shown("#n1"), Verb: capture.Click}
		r.open(page("pMT", "hpuMT", "wuw"))
		r.refuses(w, Missing)
		r.open(page("Qoro", "hpuMT", "wuw"))
		r.finds(w, "n0")
		elsewhere := `<section aria-label=Other>` + fmt.Sprintf(one, 9, "Qoro") + `</section>`
		r.open(page("pMT", "hpuMT", "wuw") + elsewhere)
		r.refuses(w, Ambiguous)
	}
}

// What holds several things is not pressed for one of them.
func TestAListIsNoEntry(t *testing.T) {
	r := newRig(t)
	r.open(`<!doctype html><h1>Things</h1><ul id=list style="cursor:pointer"><li class=item><div class=name>Oak</div><li class=item>` +
		`<div class=name>Pine</div></ul><div id=card style="cursor:pointer"><b>One</b> thing</div>`)
	css := func(path, role, tag string) Want {
		return Want{Target: capture.Target{Role: role, Tag: tag, Locators: []capture.Locator{{By: "css", Value: path, Matches: 1}},
			Landmark: &capture.Landmark{Role: "heading", Name: "Things"}}, Verb: capture.Click}
	}
	r.refuses(css("#list", "list", "ul"), Missing)
	r.refuses(css("#list", "generic", "ul"), Missing)
	r.finds(Want{Target: r.shown("li:nth-of-type(2)"), Verb: capture.Click}, "document.querySelectorAll('li')[1]")
	r.finds(Want{Target: r.shown("#card"), Verb: capture.Click}, "card")
}

// What a step says of another row, filled in by its values, is found in that row.
func TestTheRowOfAValue(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	w := Want{Target: r.shown("tr:nth-of-type(2) button"), Verb: capture.Click}
	w.Target.Landmark.Name = "A-2"
	r.finds(w, "document.querySelectorAll('tr')[2].querySelector('button')")
	w.Target.Landmark.Name = "A-9"
	r.refuses(w, Missing)
	w.Target.Landmark.Name = "{*}"
	r.refuses(w, Ambiguous)
}

func TestFramesAndShadowRoots(t *testing.T) {
	r := newRig(t)
	r.pages["/inner"] = `<form aria-label="Card"><button>Pay now</button></form>`
	r.open(`<h1>Checkout</h1><button>Cancel</button><iframe src="/inner"></iframe><iframe src="` + strings.Replace(r.srv.URL, "127.0.0.1",
		"localhost", 1) + `/other"></iframe>
		<x-open></x-open><x-closed></x-closed><script>
		document.querySelector('x-open').attachShadow({mode:'open'}).innerHTML='<button>Open one</button>';
		window.inside=document.querySelector('x-closed').attachShadow({mode:'closed'});inside.innerHTML='<button>Closed one</button>'</script>`)
	w := func(name string) Want {
		return Want{Target: capture.Target{Role: "button", Name: name}, Verb: capture.Click}
	}
	r.finds(w("Open one"), "document.querySelector('x-open').shadowRoot.querySelector('button')")
	r.finds(w("Closed one"), "inside.querySelector('button')")
	pay := w("Pay now")
	pay.Target.Frame = "/inner"
	r.finds(pay, "frames[0].document.querySelector('button')")

	r.pages["/other"] = `<form aria-label="Far"><button>Far away</button></form>`
	r.open(r.pages["/"])
	frames := r.frames(2)
	far := w("Far away")
	far.Target.Frame = "/other"
	f, err := Find(t.Context(), frames, far)
	if err != nil || f.Session == frames[0] {
		t.Errorf("in a frame of another site: %+v, %v", f, err)
	}
}

// Parts of a page that are drawn separately may use the same ids: a label names the nearest of the fields that have its id.
func TestLabelsOfSharedIDs(t *testing.T) {
	const page = `<section><div><input id=f><label for=f>Arrival</label></div></section><p>and</p>
		<section><div><input id=f><label for=f>Supplier</label></div></section>`
	r := newRig(t)
	r.open(page)
	for at, want := range map[string]string{"section:nth-of-type(1) input": "Arrival", "section:nth-of-type(2) input": "Supplier"} {
		if got := r.shown(at).Label; got != want {
			t.Errorf("%s is labelled %q, not %q", at, got, want)
		}
		r.finds(Want{Target: r.shown(at), Verb: capture.Type}, "document.querySelector("+quote(at)+")")
	}
}

// A box that nothing stands behind is called by what stands before it in its line; one that chooses a row is not.
func TestABoxBehindItsLabel(t *testing.T) {
	r := newRig(t)
	r.open(`<div><div><span>Paid</span> <span><input type=checkbox id=a></span></div><div><span>Sent</span> <span><input type=checkbox id=b>` +
		`</span></div></div><table><tr><th>Chosen<th>Name<tr><td><input type=checkbox id=c><td>Ann<tr><td><input type=checkbox><td>Bo</table>
		<ul><li><span>Cy</span> <input type=checkbox id=d></li><li><span>Dee</span> <input type=checkbox></li></ul>`)
	for id, want := range map[string]string{"#a": "Paid", "#b": "Sent", "#c": "", "#d": ""} {
		if got := r.shown(id).Name; got != want {
			t.Errorf("%s is called %q, not %q", id, got, want)
		}
	}
}

// Of a control in a row whose name nobody knows its role says what it is: no button is used for a link.
func TestAnyNameInARow(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	w := Want{Target: capture.Target{Role: "link", Name: "{*}", Landmark: &capture.Landmark{Role: "row", Name: "A-2"}}, Verb: capture.Click}
	r.refuses(w, Missing)
	w.Target.Role = "button"
	r.finds(w, "document.querySelector('tr:nth-of-type(3) button')")
}

// A control that a component draws in its shadow root stands where the component stands: in its row, under its label, with its title and
// its icon.
func TestControlsOfComponents(t *testing.T) {
	const page = `<!doctype html><h1>Lots</h1><script>
		class Press extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML =
			'<style>:host{display:inline-block;cursor:pointer}</style><button><slot></slot></button>' } }
		class Box extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML =
			'<div><input type=radio style="opacity:0;width:20px;height:20px;margin:0"><i></i></div>' } }
		customElements.define('x-press', Press); customElements.define('x-box', Box);
		const icon = (d) => '<svg width=9 height=9 viewBox="0 0 9 9"><path d="' + d + '"/></svg>';
		const row = (n, i) => '<tr><td>' + n + '<td>' + i + '<td><x-press>Edit</x-press> <x-press>' + icon('M0 0h9') + '</x-press> <x-press>' +
			icon('M0 0v9') + '</x-press>';
		window.draw = (names) => { rows.innerHTML = names.map(row).join(''); };
		</script><table><thead><tr><th>Lot<th>Pieces<th></thead><tbody id=rows></tbody></table>
		<p>Colour <label><x-box></x-box> Amber</label> <label><x-box></x-box> Cyan</label></p>
		<x-press title="Throw away">` + `<svg width=9 height=9><path d="M1 1h9"/></svg></x-press><script>draw(['Ada', 'Bo', 'Cy'])</script>`
	r := newRig(t)
	r.open(page)
	at := func(of, inner string) string { return of + " >>> " + inner }
	wants := map[string]Want{}
	for _, of := range []string{"tr:nth-child(2) x-press:nth-of-type(1)", "tr:nth-child(2) x-press:nth-of-type(2)",
		"tr:nth-child(2) x-press:nth-of-type(3)", "body > x-press"} {
		wants[of] = Want{Target: r.shown(at(of, "button")), Verb: capture.Click}
	}
	wants["label:nth-of-type(2) x-box"] = Want{Target: r.shown("label:nth-of-type(2) x-box >>> input"), Verb: capture.Check}
	for of, w := range wants {
		if l := w.Target.Landmark; strings.HasPrefix(of, "tr") && (l == nil || l.Role != "row" || l.Name != "Bo") {
			t.Errorf("%s stands in %+v", of, l)
		}
	}
	if got := wants["label:nth-of-type(2) x-box"].Target.Name; got != "Cyan" {
		t.Errorf("a box is called %q", got)
	}
	if got := wants["body > x-press"].Target.Name; got != "Throw away" {
		t.Errorf("an icon is called %q", got)
	}
	r.eval(r.frames(1)[0], "draw(['Cy', 'Bo', 'Dee', 'Ada'])")
	for of, w := range wants {
		r.finds(w, "document.querySelector("+quote(of)+").shadowRoot.querySelector('button, input')")
	}
	r.eval(r.frames(1)[0], "draw(['Cy', 'Bob', 'Ada'])")
	r.refuses(wants["tr:nth-child(2) x-press:nth-of-type(1)"], Missing)
}

// A page with many thousands of elements is searched in well under a second, and ambiguous elements
// are not guessed.
func TestLargePages(t *testing.T) {
	r := newRig(t)
	r.open(`<h1>Large</h1><button id=one>Publish</button><table><tbody id=b></tbody></table><script>` +
		`let h='';for(let i=0;i<6000;i++)h+='<tr><td>K-'+i+'<td><a href=#x>Open</a><td><button>Edit</button>';b.innerHTML=h</script>`)
	edit := r.shown("tr:nth-child(9) button")
	edit.Landmark.Name = "K-5990"
	r.finds(Want{Target: edit, Verb: capture.Click}, "document.querySelectorAll('tr')[5990].querySelector('button')")
	r.finds(Want{Target: r.shown("#one"), Verb: capture.Click}, "one")
	edit.Landmark = nil
	r.refuses(Want{Target: edit}, Ambiguous)
}

// A shortcut pressed while nothing had the focus is pressed in the document.
func TestTheDocumentItself(t *testing.T) {
	r := newRig(t)
	r.open(shop)
	r.finds(Want{Target: r.shown("body"), Verb: capture.Press}, "document.body")
}

// A button that every entry of a list has is found in the entry that a value names, even further
// down the list.
func TestButtonOfAnEntry(t *testing.T) {
	r := newRig(t)
	r.open(`<!doctype html><title>Mail</title><main><h1>Mail</h1><div style="height:200px;overflow:auto"><ul aria-label=Inbox id=l></ul>` +
		`</div></main><script>
		for(let i=0;i<12;i++){const n=['Lorenz','Sander','Bruns','Ibsen','Pohl','Wolff'][i%6];l.insertAdjacentHTML('beforeend','<li ` +
		`style="height:34px;padding:.6em"><span>Offer '+n+' '+(100+i)+'</span> <button>Archive</button></li>')}</script>`)
	w := Want{Target: r.shown("li:nth-of-type(2) button"), Verb: capture.Click}
	if l := w.Target.Landmark; w.Target.Name != "Archive" || l == nil || l.Name != "Offer Sander 101" {
		t.Fatalf("%+v", w.Target)
	}
	for i, n := range []string{"Offer Lorenz 100", "Offer Sander 101", "Offer Ibsen 103", "Offer Wolff 105", "Offer Wolff 111"} {
		here := *w.Target.Landmark
		here.Name = n
		w.Target.Landmark = &here
		r.finds(w, "l.children["+[]string{"0", "1", "3", "5", "11"}[i]+"].querySelector('button')")
	}
	w.Target.Landmark = &capture.Landmark{Role: "listitem", Name: "Offer Wolff 112"}
	r.refuses(w, Missing)
}

// A menu entry may have the name of the page it leads to: that does not put the menu under that
// page's heading.
func TestAPageAndItsEntryInTheMenu(t *testing.T) {
	r := newRig(t)
	const users = `<nav aria-label=Main><ul><li><a href=/users>Users</a><ul><li><a href=/new>Add new</a></ul><li><a href=/pages>Pages</a>` +
		`<ul><li><a href=/new-page>Add new</a></ul></ul></nav>
		<main><h1>Users</h1><a href=/new id=own>Add new</a></main>`
	r.open(users)
	w := Want{Target: r.shown("#own"), Verb: capture.Click}
	r.open(strings.Replace(users, "id=own", "class=own", 1))
	r.finds(w, "document.querySelector('.own')")
}

// A transparent checkbox lies over what the page draws in its place.
func TestATransparentBoxOverItsLooks(t *testing.T) {
	r := newRig(t)
	r.open(`<h1>Page</h1><div style="position:relative;width:80px;height:20px"><input type=checkbox id=more role=button aria-label=More ` +
		`aria-haspopup=true
		style="opacity:0;position:absolute;inset:0;width:100%;height:100%;margin:0"><span aria-hidden=true>More</span></div>
		<div style="opacity:0"><input type=checkbox aria-label=Gone style="width:20px;height:20px"></div>`)
	r.finds(Want{Target: r.shown("#more"), Verb: capture.Check}, "more")
	if _, err := Find(t.Context(), r.frames(1),
		Want{Target: capture.Target{Role: "checkbox", Name: "Gone"}, Verb: capture.Check}); err == nil {
		t.Error("what cannot be seen at all was found")
	}
}

// The field of a dropdown may be invisible; what is drawn around it is operated instead.
func TestAFieldThatIsDrawn(t *testing.T) {
	r := newRig(t)
	const drawn = `<h1>Rooms</h1><label for=room>Room</label><div style="width:90px;height:30px"><span><span>` +
		`<input id=room role=combobox readonly style="opacity:0;width:4px"></span><span>Attic</span></span></div>
		<div style="width:90px;height:30px"><span style="opacity:0"><input id=seat role=combobox aria-label=Seat readonly></span><span>` +
		`12 A</span></div>`
	r.open(drawn)
	r.finds(Want{Target: r.shown("#room"), Verb: capture.Click}, "room")
	r.finds(Want{Target: r.shown("#seat"), Verb: capture.Click}, "seat")
	r.open(drawn + `<style>div { visibility: hidden } label { display: none }</style>`)
	for _, name := range []string{"Room", "Seat"} {
		if _, err := Find(t.Context(), r.frames(1), Want{Target: capture.Target{Role: "combobox", Name: name}, Verb: capture.Click}); err == nil {
			t.Error("what cannot be seen at all was found: ", name)
		}
	}
}

// An unnamed field is found only if it is the only one of its kind in its place.
func TestAFieldWithoutAName(t *testing.T) {
	r := newRig(t)
	const page = `<h1>Rooms</h1><input id=out aria-label=Search><div role=dialog aria-label=Booking><p>Blue room, from 2026-12-04</p><div>` +
		`<div><input id=in readonly aria-haspopup=listbox value=Requested></div></div><button>Save</button></div>`
	r.open(page)
	w := Want{Target: r.shown("#in"), Verb: capture.Click}
	r.open(strings.Replace(page, "id=in", "class=in value=Paid", 1))
	r.finds(w, "document.querySelector('.in')")
	for _, other := range []string{strings.Replace(page, "<input id=in", "<input readonly><input", 1),
		strings.Replace(page, "id=in", "aria-label=Note", 1)} {
		r.open(other)
		if f, err := Find(t.Context(), r.frames(1), w); err == nil {
			t.Errorf("one of several, or one with a name, was taken for it: %+v", f)
		}
	}
}

// Radio buttons named only by the text before them are found by that text, whichever of them is
// meant.
func TestAnotherRadioButtonOfTheLine(t *testing.T) {
	r := newRig(t)
	r.open(`<h1>New part</h1><form><table><tr><th>name<td><td><input name=a></tr><tr><th>state<td><td><label>` +
		`<input type=radio name=s id=draft>draft</label> <label><input type=radio name=s id=active>active</label></tr>
		<tr><th>price<td><td><input name=b></tr></table></form>`)
	w := Want{Target: r.shown("#active"), Verb: capture.Click}
	w.Target.Name, w.Target.Label, w.Target.Locators = "draft", "draft", nil
	if f := r.finds(w, "draft"); f != nil && f.Moved != nil {
		t.Errorf("it stands in another place: %+v", f.Moved)
	}
}

// A calendar fills its weeks with days of the adjacent months, which do not count as days of its
// own.
func TestDaysOfTheMonthsBeside(t *testing.T) {
	r := newRig(t)
	var weeks strings.Builder
	for i := range 42 {
		id, day := "in", i-5
		if day < 1 {
			id, day = "before", day+31
		} else if day > 30 {
			id, day = "after", day-30
		}
		if i%7 == 0 {
			weeks.WriteString("<tr>")
		}
		fmt.Fprintf(&weeks, "<td id=%s%d tabindex=-1 style='cursor:pointer'><div>%d</div></td>", id, day, day)
	}
	r.open("<!doctype html><title>Bookings</title><h1>Bookings</h1><div><div><button>Nov</button><button>2026</button></div><table><tr><th>" +
		"Sunday<th>Monday<th>Tuesday<th>Wednesday<th>Thursday<th>Friday<th>Saturday</tr>" + weeks.String() + "</table></div>")
	if _, err := Find(t.Context(), r.frames(1),
		Want{Target: capture.Target{Role: "cell", Tag: "td", Name: "31", Placeholder: "Monday",
			Landmark: &capture.Landmark{Role: "group", Name: "Nov 2026"}}, Verb: capture.Click}); err == nil {
		t.Error("another day of that month was taken for one that it has not")
	}
	for day, id := range map[string]string{"4": "in4", "17": "in17", "28": "in28"} {
		r.finds(Want{Target: capture.Target{Role: "cell", Tag: "td", Name: day, Landmark: &capture.Landmark{Role: "group", Name: "Nov 2026"}},
			Verb: capture.Click}, "document.getElementById('"+id+"')")
	}
}
