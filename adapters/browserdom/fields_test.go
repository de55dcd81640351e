//go:build unix

package browserdom

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

func TestFieldsAreOneActPerVisit(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Form</h1><form onsubmit="event.preventDefault()"><label>Name <input id=name></label>
		<label>Note <textarea id=note></textarea></label><label>Day <input id=day type=date></label><label>` +
		`Size <input id=size type=range min=0 max=10></label>
		<fieldset><legend>Speed</legend><label><input type=radio name=r value=a checked> Slow</label><label id=fast>` +
		`<input type=radio name=r value=b> Fast</label></fieldset>
		<label for=sel>Colour</label><select id=sel><option>Red<option>Green<option>Blue</select>` +
		`<div id=rich contenteditable aria-label="Body"></div>
		<button id=go>Go</button></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)

	p.write("#name", "Ada Lovelace")
	p.write("#note", "two")
	p.enter()
	p.keys("lines")
	name := w.find(capture.Type, 1)
	if name.Value.Text != "Ada Lovelace" || name.Target.Label != "Name" || name.Value.InputType != "text" {
		t.Errorf("name: %+v %+v", name.Value, name.Target)
	}
	p.focus("#day")
	p.keys("02032026")
	note := w.find(capture.Type, 2)
	if note.Value.Text != "two\nlines" {
		t.Errorf("note: %+v", note.Value)
	}
	p.click("#fast") // the label of a radio button
	day, fast := w.find(capture.Type, 3), w.find(capture.Check, 1)
	if day.Value.Kind != capture.KindDate || !strings.HasPrefix(day.Value.Text, "2026-") {
		t.Errorf("day: %+v", day.Value)
	}
	if fast.Target.Role != "radio" || fast.Target.Name != "Fast" || len(fast.Target.Options) != 2 || fast.Target.Landmark.Name != "Speed" {
		t.Errorf("radio: %+v", fast.Target)
	}
	p.focus("#sel")
	p.down()
	p.down()
	colour := w.find(capture.Select, 1)
	if colour.Value.Text != "Blue" || !colour.Value.Chosen || len(colour.Target.Options) != 3 || colour.Target.Label != "Colour" {
		t.Errorf("select: %+v %+v", colour.Value, colour.Target)
	}
	p.write("#rich", "Dear all")
	p.click("#go")
	rich := w.find(capture.Type, 4)
	if rich.Value.Text != "Dear all" || rich.Target.Role != "textbox" || rich.Target.Name != "Body" {
		t.Errorf("contenteditable: %+v %+v", rich.Value, rich.Target)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Type, capture.Click, capture.Type, capture.Type, capture.Check, capture.Select,
		capture.Click, capture.Type, capture.Click)
}

func TestEnterSubmitsOnce(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<form action="/found" role=search aria-label="Find"><label>Words <input id=q name=q></label><button>Search</button></form>
		<div id=chat contenteditable aria-label="Message" ` +
			`onkeydown="if(event.key==='Enter'){event.preventDefault();this.textContent='';document.title='sent'}"></div>`,
		"/found": "<h1>Found</h1>"})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.write("#chat", "hello there")
	p.enter()
	press := w.find(capture.Press, 1)
	if press.Keys != "Enter" || w.find(capture.Type, 1).Value.Text != "hello there" {
		t.Errorf("sent by Enter: %+v", press)
	}
	p.write("#q", "lamp")
	p.enter()
	submit := w.find(capture.Submit, 1)
	if submit.Keys != "Enter" || submit.Target.Label != "Words" || submit.After == nil || submit.After.Headings[0] != "Found" ||
		!submit.Changed {
		t.Errorf("submit: %+v %+v after %+v", submit, submit.Target, submit.After)
	}
	if q := w.find(capture.Type, 2); q.Value.Text != "lamp" {
		t.Errorf("typed: %+v", q.Value)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Type, capture.Press, capture.Click, capture.Type, capture.Submit)
}

func TestKeysDialogsAndKeyboardUse(t *testing.T) {
	srv, host := site(t, map[string]string{
		"/": `<button id=b onclick="document.title='pressed'">Push</button><label><input type=checkbox id=c> Agree</label>
		<button id=d onclick="m.showModal()">Open</button><dialog id=m aria-label="Edit order"><p>x</p><button>Close</button></dialog>
		<button id=a onclick="document.title=confirm('Really?')">Ask</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.focus("#b")
	p.space()
	if o := w.find(capture.Click, 1); o.Keys != "Space" || o.Target.Name != "Push" {
		t.Errorf("space: %+v %+v", o, o.Target)
	}
	p.enter()
	if o := w.find(capture.Click, 2); o.Keys != "Enter" || o.Target.Name != "Push" {
		t.Errorf("enter: %+v", o)
	}
	p.focus("#c")
	p.space()
	if o := w.find(capture.Check, 1); o.Target.Name != "Agree" {
		t.Errorf("check: %+v", o)
	}
	p.click("#d")
	if o := w.find(capture.Click, 3); o.After == nil || len(o.After.Dialogs) != 1 || o.After.Dialogs[0] != "Edit order" {
		t.Errorf("dialog: %+v", o.After)
	}
	p.escape()
	if o := w.find(capture.Press, 1); o.Keys != "Escape" || o.After == nil || len(o.After.Dialogs) != 0 || !o.Changed {
		t.Errorf("escape: %+v", o)
	}
	p.key("s", "KeyS", 83, "", 2)
	if o := w.find(capture.Press, 2); o.Keys != "Control+S" {
		t.Errorf("shortcut: %+v", o)
	}
	p.click("#a")
	d := w.find(capture.Dialog, 1)
	if d.Dialog.Type != "confirm" || d.Dialog.Message != "Really?" || !d.Dialog.Accepted || d.CauseKey != w.find(capture.Click, 4).Key {
		t.Errorf("native dialog: %+v %+v", d, d.Dialog)
	}
	w.verbs(capture.NewTab, capture.Click, capture.Click, capture.Check, capture.Click, capture.Press, capture.Press, capture.Click,
		capture.Dialog)
}

func TestClicksOfAllKinds(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1 id=h>Plain</h1><button id=b>Button</button><p id=text>some words here to drag over</p>
		<div id=card style="cursor:pointer;width:200px"><b>Inner</b></div>
		<script>b.onmousedown=()=>{}; setTimeout(()=>b.click(),5)</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	x, y := p.at("#b")
	p.mouse("mousePressed", x, y, "right", 1)
	p.mouse("mouseReleased", x, y, "right", 1)
	w.find(capture.RightClick, 1)
	p.clickAt(x, y)
	p.mouse("mousePressed", x, y, "left", 2)
	p.mouse("mouseReleased", x, y, "left", 2)
	w.find(capture.DoubleClick, 1)
	x, y = p.at("#text")
	p.mouse("mousePressed", x-20, y, "left", 1)
	p.mouse("mouseMoved", x+20, y, "left", 0)
	p.mouse("mouseReleased", x+20, y, "left", 1)
	p.click("#card b")
	w.verbs(capture.NewTab, capture.RightClick, capture.DoubleClick, capture.Click)
}

func TestSecretsStayInThePage(t *testing.T) {
	const secret, card = "hunter2-canary", "4111111111111111"
	srv, host := site(t, map[string]string{"/login": `<h1>Sign in</h1><form action="/in"><label>User <input name=user id=user></label>
		<label>Word <input name=q7 type=password id=pw></label><button id=show type=button onclick="pw.type='text'">Show</button>` +
		`<button id=go>Sign in</button></form>`,
		"/in": `<h1>Welcome</h1>`,
		"/pay": `<form><label>Card number <input id=card></label><label>Other <input id=other></label><label>One-time code <input id=otp>` +
			`</label><button type=button id=b>Next</button></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/login")
	w.find(capture.NewTab, 1)
	p.write("#user", "canary-user")
	p.write("#pw", secret)
	p.click("#show")
	p.write("#pw", "more-canary")
	p.click("#go")
	p.until(`location.pathname === "/in"`)
	in := w.find(capture.Click, 2)
	if in.Target.Name != "Sign in" || in.After == nil || in.After.Headings[0] != "Welcome" {
		t.Errorf("signing in: %+v %+v after %+v", in, in.Target, in.After)
	}
	if w.Withheld(capture.LoginPage) == 0 {
		t.Error("nothing was withheld on the login page")
	}
	q := shared.hand.open(t, srv.URL+"/pay")
	q.write("#card", card)
	q.write("#other", card)
	q.write("#otp", "canary-123456")
	q.click("#b")
	if o := w.find(capture.Type, 3); o.Value.Kind != capture.KindOTP || o.Value.Text != "" {
		t.Errorf("code: %+v", o.Value)
	}
	for n := 1; n <= 2; n++ {
		if o := w.find(capture.Type, n); o.Value.Kind != capture.KindCard || o.Value.Text != "" {
			t.Errorf("card %d: %+v", n, o.Value)
		}
	}
	w.find(capture.Click, 6)
	for _, c := range []string{secret, card, "canary"} {
		if all := adaptertest.Everything(w.Seen()); strings.Contains(all, c) {
			i := strings.Index(all, c)
			t.Errorf("%s left the page: ...%s", c, all[max(0, i-200):i+30])
		}
	}
}

// TestPasswordsOfAnyLanguageStayInThePage covers passwords and codes: a page may show them as ordinary text, and
// label them in its own language.
func TestPasswordsOfAnyLanguageStayInThePage(t *testing.T) {
	labels := []string{"Potvrzení hesla", "Şifreniz", "Пароль", "パスワード", "Benutzerkennwort", "Salasana", "كلمة المرور", "Ověřovací kód",
		"인증번호"}
	var form strings.Builder
	for i, l := range labels {
		fmt.Fprintf(&form, "<form><label>%s <input id=f%d></label></form>", l, i)
	}
	srv, host := site(t, map[string]string{"/": "<meta charset=utf-8><h1>Account</h1>" + form.String() +
		`<form><label>Město <input id=city></label><button type=button id=b>Next</button></form>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i := range labels {
		p.write(fmt.Sprintf("#f%d", i), "canary-Tajne7")
	}
	p.write("#city", "Brno")
	p.click("#b")
	eventually(t, "what is no password to be told", func() bool { return strings.Contains(adaptertest.Everything(w.Seen()), "Brno") })
	all := adaptertest.Everything(w.Seen())
	if i := strings.Index(all, "canary"); i >= 0 {
		t.Errorf("a password left the page: ...%s", all[max(0, i-300):i+30])
	}
}

func TestUploadsNameTheFile(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<label>Receipt <input type=file id=f></label>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	file := filepath.Join(t.TempDir(), "march.PDF")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	var doc dom.GetDocumentResult
	doc, err := cdp.Call(t.Context(), p.s, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		t.Fatal(err)
	}
	node, err := cdp.Call(t.Context(), p.s, dom.QuerySelector, dom.QuerySelectorParams{NodeID: doc.Root.NodeID, Selector: "#f"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cdp.Call(t.Context(), p.s, dom.SetFileInputFiles,
		dom.SetFileInputFilesParams{Files: []string{file}, NodeID: node.NodeID}); err != nil {
		t.Fatal(err)
	}
	o := w.find(capture.Upload, 1)
	if o.File == nil || o.File.Name != "march.PDF" || o.File.Ext != ".pdf" || o.File.Size != 5 || o.Value.Text != "march.PDF" ||
		o.Value.Kind != capture.KindFile {
		t.Errorf("upload: %+v %+v", o.File, o.Value)
	}
}

// frameTime is how long a frame of another site is given to take input before its page is opened again: where two
// clients attach to frames (test driver and recorder), Chromium sometimes leaves one waiting for ever on a busy
// machine.
const frameTime = patience / 4

// reopened reopens the page until its frame takes input.
func reopened(t testing.TB, p *sheet, url string, takes func(p *sheet) bool) *sheet {
	t.Helper()
	for try := 0; !await.Within(frameTime, func() bool { return takes(p) }); try++ {
		if try == 3 {
			t.Fatal("never: input in the frame")
		}
		p.shut()
		p = shared.hand.open(t, url)
	}
	return p
}

// eventually waits for a condition that no event announces.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	if !await.Within(patience, cond) {
		t.Fatalf("never: %s", what)
	}
}

// A checkbox lists the others of its group, or those that share its name below a few words. One among other fields
// stands alone.
func TestBoxesOfOneGroup(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Dish</h1><form aria-label=Dish onsubmit="event.preventDefault()">
		<fieldset><legend>Contains</legend><label id=milk><input type=checkbox> Milk</label><label><input type=checkbox> Nuts</label></fieldset>
		<h2>Served on</h2><div><label><input type=checkbox name=day value=1> Monday</label><label id=tue>` +
		`<input type=checkbox name=day value=2> Tuesday</label></div>
		<fieldset><legend>Delivery</legend><label>Street <input></label><label id=gift><input type=checkbox> As a gift</label><label>` +
		`<input type=checkbox> Express</label></fieldset></form>
		<table><tr><th>Pick<th>Order</tr><tr><td><input type=checkbox id=row name=row aria-label="Select"><td>A-1042</tr><tr><td>` +
		`<input type=checkbox name=row aria-label="Select"><td>A-1043</tr></table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ click, group, options string }{{"#milk", "Contains", "Milk|Nuts"}, {"#tue", "Served on", "Monday|Tuesday"},
		{"#gift", "Delivery", ""}, {"#row", "", ""}} {
		p.click(c.click)
		got := w.find(capture.Check, i+1)
		if strings.Join(got.Target.Options, "|") != c.options {
			t.Errorf("%s: options %q", c.click, got.Target.Options)
		}
		if c.group != "" && (got.Target.Landmark == nil || got.Target.Landmark.Role != "group" || got.Target.Landmark.Name != c.group) {
			t.Errorf("%s: landmark %+v", c.click, got.Target.Landmark)
		}
	}
}

// A day of a custom calendar is in the month that the calendar shows, however it is stated.
func TestDaysStandInTheirMonth(t *testing.T) {
	days := func(id string) string {
		out := ""
		for i := 1; i <= 30; i++ {
			out += fmt.Sprintf("<button id=%s%d>%d</button>", id, i, i)
		}
		return out
	}
	srv, host := site(t, map[string]string{
		"/": `<h1>Visits</h1><div class=two><div><div class=bar><b>April 2027</b></div><div>` + days("a") +
			`</div></div><div><div class=bar><span>June</span> <span>2027</span></div><div>` +
			days("j") + `</div></div></div><div role=grid aria-label="September 2027">` + days("s") + `</div>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ click, month string }{{"#a9", "April 2027"}, {"#j14", "June 2027"}, {"#s30", "September 2027"}} {
		p.click(c.click)
		got := w.find(capture.Click, i+1)
		if got.Value == nil || !got.Value.Chosen || got.Target.Landmark == nil || got.Target.Landmark.Name != c.month {
			t.Errorf("%s: %+v in %+v", c.click, got.Value, got.Target.Landmark)
		}
	}
}

// A cell states its column.
func TestCellsStandInTheirColumn(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Patients</h1><table><thead><tr><th>Name<th>Room</tr></thead><tbody><tr><td>` +
		`Abel<td id=abel>11</tr><tr><td>Bruns<td id=bruns>12</tr></tbody></table>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, id := range []string{"#abel", "#bruns"} {
		p.click(id)
		if got := w.find(capture.Click, i+1).Target; got.Role != "cell" || got.Placeholder != "Room" {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

// A toggle button of a group in which one is always pressed is a choice with the group's buttons as options, even if
// the page redraws them; one that toggles by itself is a button. What every row of a list has is a control; a row's
// own text is a chosen value.
func TestButtonsOfAGroupAndOfRows(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<div role=group aria-label=View id=v><button aria-pressed=false>Day</button>` +
		`<button aria-pressed=true>Week</button><button aria-pressed=false>Month</button></div>
		<p>Size</p><div id=s></div>
		<div role=group aria-label=Style id=f><button aria-pressed=true>Bold</button><button aria-pressed=false>Italic</button></div>
		<ul id=l></ul><p role=status id=o></p><script>
		for(const b of v.children)b.onclick=()=>{for(const x of v.children)x.setAttribute('aria-pressed',x===b)};
		const draw=on=>{s.innerHTML=['Small','Large'].map(n=>'<button aria-pressed='+(n===on)+'>'+n+'</button>` +
		`').join('');for(const b of s.children)b.onclick=()=>draw(b.textContent)};draw('Small');
		for(const b of f.children)b.onclick=()=>b.setAttribute('aria-pressed',b.getAttribute('aria-pressed')!=='true');
		for(let i=0;i<9;i++)l.insertAdjacentHTML('beforeend','<li><span>Offer '+(i+101)+'</span> <button>Archive</button></li>');
		for(const b of l.querySelectorAll('button'))b.onclick=()=>{b.parentElement.remove();o.textContent='Archived'}</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("#v button:nth-of-type(3)")
	if o := w.find(capture.Check, 1); o.Target.Name != "Month" || o.Target.Landmark == nil || o.Target.Landmark.Name != "View" ||
		strings.Join(o.Target.Options, ",") != "Day,Week,Month" {
		t.Errorf("one of a group: %+v", o.Target)
	}
	p.click("#s button:nth-of-type(2)")
	if o := w.find(capture.Check, 2); o.Target.Name != "Large" || o.Target.Landmark == nil || o.Target.Landmark.Name != "Size" ||
		strings.Join(o.Target.Options, ",") != "Small,Large" {
		t.Errorf("one of a group that is drawn anew: %+v", o.Target)
	}
	p.click("#f button:nth-of-type(2)")
	p.click("#l li:nth-of-type(3) button")
	o := w.find(capture.Click, 2)
	if o.Target.Name != "Archive" || o.Target.Landmark == nil || o.Target.Landmark.Role != "listitem" ||
		o.Target.Landmark.Name != "Offer 103" || o.Value == nil || o.Value.Text != "Offer 103" {
		t.Errorf("a button of a row: %+v %+v", o.Target, o.Value)
	}
	w.verbs(capture.NewTab, capture.Check, capture.Check, capture.Click, capture.Click)
}

// What a page shows of what is typed while it is typed is no place that the value was read off.
func TestWhatMirrorsAFieldIsNoSourceOfIt(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1 id=head>Old</h1><p>Code of today: <b>KX-4471</b></p>` +
		`<label>Title <input id=title oninput="head.textContent = value; tab.setAttribute('value', value)"></label><input id=tab readonly>` +
		`<label>Code <input id=code></label>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.write("#title", "Garden book")
	p.write("#code", "KX-4471")
	p.focus("#title")
	title, code := w.find(capture.Type, 1), w.find(capture.Type, 2)
	if title.Value.Text != "Garden book" || title.Value.Source != nil {
		t.Errorf("the title: %+v, read off %+v", title.Value, title.Value.Source)
	}
	if code.Value.Text != "KX-4471" || code.Value.Source == nil {
		t.Errorf("the code: %+v, read off %+v", code.Value, code.Value.Source)
	}
}

// A key pressed in a field is told of the field that was filled in, also where the page calls it by what it holds now.
func TestAKeyIsPressedInTheFieldThatWasFilledIn(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Ships</h1><input id=new placeholder="Ship" oninput="placeholder = value;
		setAttribute('aria-label', value)"><textarea id=log aria-label="Log" oninput="setAttribute('aria-label', value)"
		onkeydown="if (event.key == 'Enter') event.preventDefault()"></textarea>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, at := range []string{"#new", "#log"} {
		p.write(at, "Anna")
		p.enter()
		filled, pressed := w.find(capture.Type, i+1), w.find(capture.Press, i+1)
		if filled.Value.Text != "Anna" || pressed.Target.Name != filled.Target.Name || pressed.Target.Placeholder != filled.Target.Placeholder {
			t.Errorf("filled in %+v, pressed in %+v", filled.Target, pressed.Target)
		}
	}
}

// Enter changed something where its field is gone afterwards, although no state tells of a field without a name; not where the field
// stays, or is only drawn anew.
func TestEnterThatEndsAnEditIsAChange(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Ships</h1><div><input id=ends></div><div><input id=stays></div>
		<div><input id=again></div><script>
		ends.onkeydown = (e) => { if (e.key == "Enter") ends.parentNode.textContent = ends.value };
		again.onkeydown = (e) => { if (e.key != "Enter") return; const to = again.cloneNode(); again.replaceWith(to); to.focus() }</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, at := range []string{"#ends", "#stays", "#again"} {
		p.write(at, "Anna")
		p.enter()
		if o := w.find(capture.Press, i+1); o.Keys != "Enter" || o.Changed != (at == "#ends") {
			t.Errorf("%s: changed %v", at, o.Changed)
		}
	}
}

// What is typed into an editor or a terminal is told whole, although its field never holds more than a letter, and what a terminal does not
// draw is a secret. A press on what the editor draws is one of its field.
func TestEditorsThatDrawWhatTheirFieldTakes(t *testing.T) {
	const field = `<div style="overflow:hidden;width:3px;height:0;position:absolute"><textarea style="width:900px;height:1em"></textarea></div>
		<div class=lines style="white-space:pre;min-height:60px"></div>`
	srv, host := site(t, map[string]string{"/": `<h1>Notes</h1><h2>Text</h2><div id=editor>` + field + `</div>
		<h2>Shell</h2><div id=shell>` + field + `</div><h2>Password</h2><div id=mute>` + field + `</div><script>
		for (const box of document.querySelectorAll("div[id]")) {
			const at = box.querySelector("textarea"), lines = box.querySelector(".lines");
			let s = "";
			const put = (t) => { s += t; lines.textContent = box.id === "mute" ? "Password:" : s };
			box.onmousedown = (e) => { e.preventDefault(); at.focus() };
			at.oninput = () => { put(at.value); at.value = "" };
			at.onkeydown = (e) => {
				if (e.key === "Enter") put("\n");
				else if (e.key === "Backspace") { s = s.slice(0, -1); put("") }
				else return;
				e.preventDefault();
			};
			if (box.id !== "editor") at.onkeypress = (e) => { put(e.key); e.preventDefault() };
			put("");
		}</script>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ at, typed, told string }{
		{"#editor", "name: Anna\rsize: bigg\bx", "name: Anna\nsize: bigx"},
		{"#shell", "cat order txt\r", "cat order txt\n"},
		{"#mute", "canary-4711x", ""},
	} {
		p.click(c.at + " .lines")
		for _, r := range c.typed {
			switch r {
			case '\r':
				p.enter()
			case '\b':
				p.key("Backspace", "Backspace", 8, "", 0)
			default:
				p.keys(string(r))
			}
		}
		p.click("h1")
		o := w.find(capture.Type, i+1)
		if o.Value.Text != c.told || (c.told == "") != (o.Value.Kind == capture.KindSecret) {
			t.Errorf("%s: told %+v", c.at, o.Value)
		}
		if pressed := w.find(capture.Click, 2*i+1); pressed.Target.Role != "textbox" {
			t.Errorf("%s: pressed %+v", c.at, pressed.Target)
		}
	}
	for _, o := range w.Seen() {
		if b, _ := json.Marshal(o.Observation); strings.Contains(string(b), "canary-4711x") {
			t.Errorf("a password left the page: %s", b)
		}
	}
}
