//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// report is an older form: two fields that only a sentence describes, and the submit button above and below them.
const report = `<!doctype html><title>Depot</title><h1>Depot</h1>
<form id=f action="/report" method="post" aria-label="Damage report"><table>
<tr><td><input type=submit name=go value="Send it"></td></tr>
<tr><td>Please say in one or two full sentences what has happened, where it was, and who has seen it:<br>
<textarea name=story></textarea></td></tr>
<tr><td>Likewise, please tell us in your own words what should be done about it now and by whom:<br>
<textarea name=wish></textarea></td></tr>
<tr><td><input type=submit name=go value="Send it" id=below></td></tr></table></form>`

func TestAFieldIsKnownByWhatItsFormSendsItAs(t *testing.T) {
	r := newRig(t)
	r.open(report)
	w := Want{Target: r.shown("[name=wish]"), Verb: capture.Type}
	r.eval(r.frames(1)[0], "{f.querySelector('tbody').insertAdjacentHTML('afterbegin','<tr><td>Note</td></tr>')}")
	r.finds(w, "document.querySelector('[name=wish]')")
	r.eval(r.frames(1)[0], "{document.querySelector('[name=wish]').name='claim'}")
	r.refuses(w, Missing)
}

func TestButtonsThatSendTheSameAreOneDeed(t *testing.T) {
	r := newRig(t)
	r.open(report)
	w := Want{Target: r.shown("#below"), Verb: capture.Click}
	r.eval(r.frames(1)[0], "{below.id='b'}")
	if _, err := Find(t.Context(), r.frames(1), w); err != nil {
		t.Error(err)
	}
	for _, change := range []string{
		"document.querySelector('[type=submit]').name='stop'",
		"document.querySelector('[type=submit]').setAttribute('onclick','alert(1)')",
		"f.removeAttribute('action')", // a script decides what it does
		"b.addEventListener('click',()=>{window.asked=1})",
		"f.addEventListener('submit',(e)=>e.preventDefault())",
	} {
		r.open(report)
		w := Want{Target: r.shown("#below"), Verb: capture.Click}
		r.eval(r.frames(1)[0], "{below.id='b';"+change+"}")
		r.refuses(w, Ambiguous)
	}
}

// editor has two buttons of one name, each beside a field.
const editor = `<!doctype html><title>Box</title><h1>Box</h1><section aria-label=Content id=s>
<div><span><input placeholder=Colour></span><span><button>Put in</button></span></div>
<div><span><input placeholder=Weight></span><div><button id=second>Put in</button></div></div></section>`

func TestAButtonIsToldByTheFieldBesideIt(t *testing.T) {
	r := newRig(t)
	r.open(editor)
	w := Want{Target: r.shown("#second"), Verb: capture.Click}
	r.eval(r.frames(1)[0], "{second.id='n';s.append(s.firstElementChild)}")
	r.finds(w, "document.querySelector('[placeholder=Weight]').closest('section>div').querySelector('button')")
	r.eval(r.frames(1)[0], "{document.querySelector('[placeholder=Weight]').placeholder='Colour'}")
	r.refuses(w, Ambiguous)
}

// stock is a list whose entries say below what they are how they fare.
const stock = `<!doctype html><title>Stock</title><h1>Stock</h1><ul id=l>
<li><div>barley</div><div>12 sacks</div></li><li><div>oats</div><div>12 sacks</div></li><li><div>rye</div><div>40 sacks</div></li></ul>`

func TestAnEntryOfSeveralLinesIsToldByItsOwn(t *testing.T) {
	r := newRig(t)
	r.open(stock)
	w := Want{Target: r.shown("li:nth-of-type(2)"), Verb: capture.Click}
	if w.Target.Name != "oats" {
		t.Errorf("it is called %q", w.Target.Name)
	}
	r.eval(r.frames(1)[0], "{l.children[1].lastChild.textContent='3 sacks, and 9 more on Friday'}")
	r.finds(w, "l.children[1]")
	r.finds(Want{Target: capture.Target{Role: "listitem", Name: "rye"}, Verb: capture.Click}, "l.children[2]")
}

// shelves are cards that open: a head that says what is in the card and how it fares, and controls that each card has in its closed part.
// Dialogs lie beside each other in the page, all but one of them closed, with a button of the same name in each.
const shelves = `<!doctype html><title>Shelves</title><h1>Shelves</h1><button>Pause all</button><div id=all>
<div class=card><button class=head>



                                                                                                                    ` +
	`                                                                                                    <h4><i>*</i><span>Maps</span>` +
	`<b>Full</b></h4></button><p hidden><button>Pause</button><button>Edit</button></p></div>
<div class=card><button class=head>


                                                                                                                    ` +
	`                                                                                                    <h4><i>*</i><span>Scores</span>` +
	`<b>Full</b></h4></button><p hidden><button>Pause</button><button>Edit</button></p></div></div>
<div class=box id=one><h4>Label</h4><input aria-label=Label><button>Save</button></div>
<div class=box id=two style="display:none"><h4>Sharing</h4><input aria-label=With><button>Save</button></div>`

func TestACardIsCalledByWhatNoOtherCardHas(t *testing.T) {
	r := newRig(t)
	r.open(shelves)
	r.eval(r.frames(1)[0], "{document.querySelector('#all p').hidden=false}")
	w := Want{Target: r.shown("#all p button"), Verb: capture.Click}
	if l := w.Target.Landmark; l == nil || l.Role != "listitem" || l.Name != "Maps" {
		t.Errorf("it stands in %+v", l)
	}
	r.finds(w, "document.querySelector('#all p button')")
	if l := r.shown("#one button").Landmark; l != nil && l.Role == "listitem" {
		t.Errorf("a dialog became one of several things: %+v", l)
	}
}

func TestAControlWithWordsIsNotToldByItsIcon(t *testing.T) {
	r := newRig(t)
	r.open(shelves)
	head := r.shown("#all .head")
	if at := head.Located("drawn"); at != "" {
		t.Errorf("it is told by %s", at)
	}
}

// order is a form that numbers its lines, without a word beside the fields of a line.
const order = `<!doctype html><title>Kitchen</title><h1>Kitchen</h1><form id=f action="/order" method="post" aria-label="Order">
<div><textarea name="lines[0][what]"></textarea></div>
<div><textarea name="lines[1][what]"></textarea></div>
<div><textarea name="lines[2][what]"></textarea></div></form>`

func TestAFormNameWithANumberTellsNoFieldFromAnother(t *testing.T) {
	r := newRig(t)
	r.open(order)
	w := Want{Target: r.shown("[name='lines[1][what]']"), Verb: capture.Type}
	if got := w.Target.Located("sent"); got != "lines[1][what]" {
		t.Fatalf("it is sent as %q", got)
	}
	// A line was added above: the number now belongs to what was the first line.
	r.eval(r.frames(1)[0], `{f.querySelectorAll('textarea').forEach((a, i) => { a.name = 'lines[' + (i + 1) + '][what]' });
f.insertAdjacentHTML('afterbegin', '<div><textarea name="lines[0][what]"></textarea></div>')}`)
	r.refuses(w, Missing)
}

// watches are cards with a person's name each, a choice of who stands in, and a menu that opens.
const watches = `<!doctype html><title>Watches</title><h1>Watches</h1><div id=all>
<div class=card><b>Irma</b><select><option>nobody<option>Jonas<option>Irma</select>
<p role=menu hidden><button role=menuitem>Swap</button></p><button>Edit</button></div>
<div class=card><b>Jonas</b><select><option>nobody<option>Jonas<option>Irma</select>
<p role=menu hidden><button role=menuitem>Swap</button></p><button>Edit</button></div></div>`

func TestAChoiceInACardIsNoNameOfOne(t *testing.T) {
	r := newRig(t)
	r.open(watches)
	for _, change := range []string{"0", "{document.querySelector('#all p').hidden=false}"} {
		r.eval(r.frames(1)[0], change)
		for i, want := range []string{"Irma", "Jonas"} {
			w := Want{Target: r.shown(fmt.Sprintf("#all > :nth-child(%d) > button", i+1)), Verb: capture.Click}
			if l := w.Target.Landmark; l == nil || l.Role != "listitem" || l.Name != want {
				t.Errorf("after %s, the button of %s stands in %+v", change, want, l)
			}
			r.finds(w, fmt.Sprintf("document.querySelectorAll('#all > * > button')[%d]", i))
		}
	}
	if l := r.shown("#all [role=menuitem]").Landmark; l == nil || l.Name != "Irma" && l.Role != "menu" {
		t.Errorf("the entry of the open menu stands in %+v", l)
	}
}

// house has buttons and links of one name: each is for the row that it stands in, or for its own part of the page, as in rooms.
const house = `<!doctype html><title>House</title><h1>House</h1><form action="/keep" method=post>
<ul><li>stairs <button type=submit name=do value=sweep>Sweep</button></li>
<li>yard <button type=submit name=do value=sweep>Sweep</button></li></ul>
<p><input aria-label=Note><button type=submit name=do value=keep>Keep all</button></p>
<p><button type=submit name=do value=keep>Keep all</button></p></form>
<p><a href="/plan#/ground">Plan</a></p><p><a href="/plan#/upper">Plan</a></p>`
const rooms = `<!doctype html><title>Rooms</title><h1>Rooms</h1><form action="/keep" method=post>
<fieldset><legend>Cellar</legend><input aria-label=Damp><button type=submit name=do value=fill>Fill in</button></fieldset>
<fieldset><legend>Loft</legend><input aria-label=Dust><button type=submit name=do value=fill>Fill in</button></fieldset></form>`

func TestTwinsOfTwoPartsAreTwoDeeds(t *testing.T) {
	r := newRig(t)
	want := func(role, tag, name string) Want {
		at := []capture.Locator{{By: "role", Role: role, Value: name, Matches: 1}}
		return Want{Target: capture.Target{Role: role, Tag: tag, Name: name, Locators: at}, Verb: capture.Click}
	}
	r.open(rooms)
	r.refuses(want("button", "button", "Fill in"), Ambiguous)
	r.open(house)
	r.refuses(want("button", "button", "Sweep"), Ambiguous)
	r.refuses(want("link", "a", "Plan"), Ambiguous)
	if _, err := Find(t.Context(), r.frames(1), want("button", "button", "Keep all")); err != nil {
		t.Error(err)
	}
}

// A field whose label stands in its place is transparent until it holds something; the fields of a closed panel are, too.
func TestAFieldIsSeenThroughItsLabel(t *testing.T) {
	r := newRig(t)
	r.open(`<!doctype html><title>Depot</title><h1>Depot</h1><x-box></x-box><div id=panel><p>Filter</p><p>Which parcels?</p>
<input aria-label=Colour></div><script>customElements.define('x-box',class extends HTMLElement{connectedCallback(){
this.innerHTML='<input aria-label=Weight>';this.attachShadow({mode:'open'}).innerHTML=
'<div style="position:relative;height:40px"><span style="position:absolute">Weight</span>'+
'<div id=c><slot></slot></div></div>';window.over=this.shadowRoot.getElementById('c')}})</script>`)
	weight := Want{Target: r.shown("[aria-label=Weight]"), Verb: capture.Type}
	colour := Want{Target: r.shown("[aria-label=Colour]"), Verb: capture.Type}
	r.eval(r.frames(1)[0], "{over.style.opacity='0';panel.style.opacity='0'}")
	r.finds(weight, "document.querySelector('[aria-label=Weight]')")
	r.refuses(colour, Missing)
	r.eval(r.frames(1)[0], "{over.style.pointerEvents='none'}")
	r.refuses(weight, Missing)
}

// An entry with a number or some words behind its name is called by the name; an entry that begins like another is called by all of it.
func TestAnEntryIsCalledByItsFirstPart(t *testing.T) {
	const entry = `<div onclick="1"><b>%s</b><i> %s</i></div>`
	r := newRig(t)
	r.open(`<!doctype html><title>Shed</title><h1>Shed</h1><div>` +
		fmt.Sprintf(entry, "Spades", "4") + fmt.Sprintf(entry, "Rakes", "2") + `</div>
<section>` + fmt.Sprintf(entry, "Big", "pot") + fmt.Sprintf(entry, "Big", "jar") + `</section>`)
	w := Want{Target: r.shown("div > div"), Verb: capture.Click}
	if w.Target.Text != "Spades" {
		t.Errorf("it is called %q", w.Target.Text)
	}
	r.eval(r.frames(1)[0], "{document.querySelector('i').textContent=' 5'}")
	r.finds(w, "document.querySelector('div > div')")
	w.Target.Text, w.Target.Locators = "Rakes", nil
	r.finds(w, "document.querySelectorAll('div > div')[1]")
	if got := r.shown("section > div").Text; got != "Big pot" {
		t.Errorf("one of two big things is called %q", got)
	}
}

// The indentation of a page's source is no text: however deep a name stands in it, it is read.
func TestANameBehindIndentation(t *testing.T) {
	r := newRig(t)
	deep := strings.Repeat("\n"+strings.Repeat(" ", 60)+"<i></i>", 8)
	r.open(`<!doctype html><title>Shed</title><h1>Shed</h1><div role=menu><div role=menuitem>` + deep + `<b>Rake</b></div>
<div role=menuitem>` + deep + `<b>Mow  the
 lawn</b></div></div>`)
	if got := r.shown("[role=menuitem]").Name; got != "Rake" {
		t.Errorf("the first is called %q", got)
	}
	if got := r.shown("[role=menuitem]:nth-of-type(2)").Name; got != "Mow the lawn" {
		t.Errorf("the second is called %q", got)
	}
}

// Parts of a page that are drawn separately may use the same ids: what a field is labelled by is the nearest of them.
func TestALabelOfAnIdUsedTwice(t *testing.T) {
	r := newRig(t)
	const part = `<div><div><span id=t>%s</span></div><div><input aria-labelledby=t></div></div>`
	r.open(`<!doctype html><title>Shed</title><h1>Shed</h1>` + fmt.Sprintf(part, "Size") + fmt.Sprintf(part, "Wood"))
	if got := r.shown("body > div:nth-of-type(2) input").Name; got != "Wood" {
		t.Errorf("the second is called %q", got)
	}
}

// Whether a form asks for something is one question, whoever asks it: a field outside of its element is its own, one of another form in it
// is not, and a text to be written in is one, if no field.
func TestWhatAFormAsks(t *testing.T) {
	r := newRig(t)
	card := func(i int, name, form string) string {
		return fmt.Sprintf(`<div class=card><b>%s</b><i>Kept %d years</i>`, name, i) +
			fmt.Sprintf(strings.ReplaceAll(form, "ID", "%[1]d"), i) + `</div>`
	}
	for what, c := range map[string]struct {
		form string
		asks bool
	}{
		"nothing": {`<form method=post id=fID><button>Take</button></form>`, false},
		"beside":  {`<input form=fID name=n><form method=post id=fID><button>Take</button></form>`, true},
		"inside":  {`<form method=post id=fID><input name=n><button>Take</button></form>`, true},
		"written": {`<form method=post id=fID><div contenteditable=true>x</div><button>Take</button></form>`, true},
		"of another": {`<form id=gID></form><form method=post id=fID><input form=gID name=n><button>Take</button></form>`,
			false},
	} {
		r.open(`<!doctype html><title>Larder</title><h1>Larder</h1><div>` + card(1, "Barley", c.form) + card(2, "Honey", c.form) +
			card(3, "Rye", c.form) + `</div>`)
		r.eval(r.frames(1)[0], "document.querySelectorAll('button')[1].id = 'it'")
		got := r.shown("#it")
		if l := got.Landmark; (got.Sends == capture.SendsForm) == c.asks || (l != nil && l.Name == "Honey") == c.asks {
			t.Errorf("%s: it sends %q, in %+v", what, got.Sends, l)
		}
	}
}
