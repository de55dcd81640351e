//go:build unix

package browserdom

import (
	"strconv"
	"strings"
	"testing"

	"showhow/capture"
)

// moreOf is a control with the one entry that it opens.
func moreOf(id string) string {
	return `<div style="cursor:pointer;position:relative;display:inline-block" onclick="this.lastElementChild.hidden=false">` +
		`<span>More</span>` +
		`<div id=` + id + ` hidden style="position:absolute;top:20px;width:90px"><div>Lock</div></div></div>`
}

// pressedMail is a box that is pressed as a whole, with two icons.
func pressedMail(from string) string {
	return `<div class=mail style="cursor:pointer"><p><b>` + from + `</b> <i>Sed ut</i></p><p><span class=i></span> ` +
		`<span class=i></span></p></div>`
}

// Widgets as component libraries draw them: a click means the control, its row and its column, whatever the markup.
func TestDrawnWidgets(t *testing.T) {
	doHard(t, []hardPage{{
		path: "/options", // entries that say only whether they are selected, beside a list without room that is read out
		html: `<h1>Rooms</h1><label for=room>Room</label><div><div style="cursor:pointer"><span>` +
			`<input id=room role=combobox aria-expanded=true aria-controls=l readonly style="opacity:0;width:4px"></span><span id=now>` +
			`Attic</span></div></div>
			<div><div role=listbox id=l style="height:0;width:0;overflow:hidden"><div role=option>Attic</div></div>
			<div><div aria-selected=true title=Attic style="cursor:pointer"><div>Attic</div></div>` +
			`<div aria-selected=false title="Blue room" style="cursor:pointer"><div id=blue>Blue room</div></div></div></div>`,
		do: func(p *sheet) {
			p.click("#now")
			p.click("#blue")
		},
		want: []string{`click combobox "Room"`, `click option "Blue room" = Blue room`},
	}, {
		path: "/more", // the only entry of what opens over a control is not the control
		html: `<table><tr><td>Ada<td>` + moreOf("a") + `</tr><tr><td>Ben<td>` + moreOf("b") + `</tr></table>`,
		do: func(p *sheet) {
			p.click("tr:nth-of-type(2) span")
			p.click("#b div")
		},
		want: []string{`click generic "More" = Ben`, `click generic "Lock" = Ben`},
	}, {
		path: "/mails", // an icon in a box that is pressed as a whole, and the box
		html: `<style>.i{display:inline-block;width:14px;height:14px;background:#888}</style>` + pressedMail("Ada") + pressedMail("Ben"),
		do: func(p *sheet) {
			p.click(".mail:nth-of-type(2) .i:nth-of-type(2)")
			p.click(".mail:nth-of-type(2) b")
		},
		want: []string{`click generic "" = Ben`, `click generic "Ben"`},
	}, {
		path: "/late", // a switch without a name is called by the text that it stands with, one of each thing by its thing
		html: `<form><div class=line><div><label>Late arrival</label></div><div><div><button type=button role=switch id=late ` +
			`aria-checked=false style="width:40px;height:20px"></button></div></div></div><div class=line><label for=n>Guest</label>` +
			`<input id=n></div></form><div class=room><b>Attic</b><span><button role=switch style="width:40px;height:20px"></button></span>` +
			`</div><div class=room><b>Cellar</b><span><button role=switch id=c style="width:40px;height:20px"></button></span></div>`,
		do: func(p *sheet) {
			p.click("#late")
			p.click("#c")
		},
		want: []string{`click switch "Late arrival"`, `click switch "" = Cellar`},
	}, {
		path: "/switch", // a box without any size, drawn by what is beside it; the script sets it by itself
		html: `<table><tr><th>Title<th>Open</tr>` + drawnSwitch("First aid", "checked") + drawnSwitch("Fire safety", "") + `</table><script>
			for (const d of document.querySelectorAll(".s")) d.onclick = () => { const b = d.querySelector("input"); b.checked = !b.checked ` +
			`}</script>`,
		do: func(p *sheet) {
			p.click("tr:nth-of-type(3) .k")
			p.click("tr:nth-of-type(2) .k")
		},
		want: []string{`check switch "Open" = Fire safety`, `uncheck switch "Open" = First aid`},
	}, {
		path: "/grid", // heads with buttons in them, cells that say the number of their column, and columns out of sight
		html: `<div role=grid><div role=row><div role=columnheader aria-colindex=1>Guest <button>Sort</button></div>` +
			`<div role=columnheader aria-colindex=4>Note <button aria-label="Note column menu"></button></div><div></div></div>
			<div role=row><div role=gridcell aria-colindex=1>Ada Moreau</div><div role=gridcell aria-colindex=3>4</div>` +
			`<div role=gridcell aria-colindex=4><input id=note></div></div></div>`,
		do:   func(p *sheet) { p.write("#note", "late") },
		want: []string{`click textbox "Note"`, `type textbox "Note" = late`},
	}, {
		path: "/numbers", // a row that begins with a running number is told by its first text of its own
		html: `<table><thead><tr><th>Id<th>Kind<th>Title</tr></thead><tbody><tr style="cursor:pointer"><td>1<td>news<td>Bread</tr>` +
			`<tr style="cursor:pointer"><td>2<td>news<td id=w>Walks</tr></tbody></table>`,
		do:   func(p *sheet) { p.click("#w") },
		want: []string{`click row "Walks" = Walks`},
	}, {
		path: "/panel", // a panel that the keyboard reaches to go through it is no control; the cell in it is
		html: `<div role=tabpanel tabindex=0 aria-label=Bookings><table><thead><tr><th>Guest<th>Note</tr></thead><tbody><tr><td>Ada<td>` +
			`<div id=n style="min-height:20px">x</div></tr></tbody></table><button>New</button></div>`,
		do:   func(p *sheet) { p.click("#n") },
		want: []string{`click cell "Note" = Ada`},
	}, {
		path: "/cell", // a row that the keyboard reaches is no control either where nothing says that it is pressed as a whole
		html: `<table><thead><tr><th>Guest<th>Note</tr></thead><tbody><tr tabindex=0><td>Ada<td id=n>late</tr><tr tabindex=0><td>Ben<td>` +
			`early</tr></tbody></table>`,
		do:   func(p *sheet) { p.click("#n") },
		want: []string{`click cell "Note" = Ada`},
	}, {
		path: "/list", // a list that listens for all its entries: the act is the entry's
		html: `<h1>Things</h1><ul id=l style="cursor:pointer"><li class=item><div class=name>Oak</div><div class=kind>tree</div></li>` +
			`<li class="item on"><div class=name id=p>Pine</div><div class=kind>tree</div></li></ul>`,
		do:   func(p *sheet) { p.click("#p") },
		want: []string{`click listitem "Pine" = Pine`},
	}, {
		path: "/entries", // entries that are links for a script only, each of its own class: the act is the entry's
		html: `<div id=menu style="cursor:pointer"><a class=lend>Lend</a><a class=mend id=p>Mend</a><a class=sell>Sell</a></div>`,
		do:   func(p *sheet) { p.click("#p") },
		want: []string{`click generic "Mend"`},
	}, {
		path: "/tabs", // likewise where the keyboard reaches the list, and its entries are nothing but boxes
		html: `<h1>Things</h1><div tabindex=0 id=l><div class=row><b>Oak</b></div><div class=row><b id=p>Pine</b></div></div>`,
		do:   func(p *sheet) { p.click("#p") },
		want: []string{`click generic "Pine"`},
	}, {
		path: "/cards", // a card among cards is pressed as a whole, whatever stands in it several times
		html: `<div class=cards style="cursor:pointer"><div class=card><p class=line>Oak</p><p class=line id=p>A tree</p></div>` +
			`<div class=card><p class=line>Ivy</p><p class=line>A climber</p></div></div>`,
		do:   func(p *sheet) { p.click("#p") },
		want: []string{`click generic "Oak"`},
	}, {
		path: "/holds", // a list that is called by what it holds goes by what stands before it
		html: `<h1>Booking</h1><div><label>Status</label> <div><span role=combobox aria-label="Checked in" tabindex=0 id=s>Checked in</span>` +
			`</div></div>`,
		do:   func(p *sheet) { p.click("#s") },
		want: []string{`click combobox "Status"`},
	}})
}

func drawnSwitch(title, state string) string {
	return `<tr><td>` + title + `<td><div class=s><input type=checkbox ` + state + ` role=switch aria-label=Open ` +
		`style="opacity:0;width:0;height:0;position:absolute"><span class=k ` +
		`style="cursor:pointer;display:inline-block;width:40px;height:20px"></span></div></tr>`
}

// A table's column headers may be a separate table: to a person it is one table.
func TestHeadsInATableOfTheirOwn(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Workshops</h1><div><div><table><thead><tr><th>Title<th>Seats</tr></thead></table></div>
		<div><div><div><table><tbody><tr><td>First aid<td id=seats>8</tr><tr><td>Fire safety<td>9</tr></tbody></table></div></div></div></div>` +
		`<button>Look</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("#seats")
	if got := w.find(capture.Click, 1).Target; got.Placeholder != "Seats" {
		t.Errorf("the cell's column: %+v", got)
	}
	p.click("button")
	var told []string
	for _, table := range w.find(capture.Click, 2).Before.Tables {
		told = append(told, table.Name+" "+strings.Join(table.Columns, ",")+" "+strconv.Itoa(table.Rows))
	}
	if got := strings.Join(told, "; "); got != "Workshops Title,Seats 2" {
		t.Errorf("tables: %s", got)
	}
}

// Month and year may be two elements, in either order; the day taken is the person's choice.
func TestMonthsInTwoParts(t *testing.T) {
	days := func(id string) string {
		out := ""
		for i := 1; i <= 30; i++ {
			out += "<td id=" + id + strconv.Itoa(i) + ">" + strconv.Itoa(i) + "</td>"
			if i%7 == 0 {
				out += "</tr><tr>"
			}
		}
		return "<table><tr>" + out + "</tr></table>"
	}
	srv, host := site(t, map[string]string{"/": `<div><div><div><button>Nov</button><button>2026</button></div></div>` + days("a") + `</div>
		<div><div><button aria-label="Previous month"></button><span role=button>2027 </span><span role=button>April</span>` +
		`<button aria-label="Next month"></button></div>` + days("b") + `</div>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ click, month string }{{"#a17", "Nov 2026"}, {"#b9", "April 2027"}} {
		p.click(c.click)
		got := w.find(capture.Click, i+1)
		if got.Value == nil || !got.Value.Chosen || got.Target.Landmark == nil || got.Target.Landmark.Name != c.month {
			t.Errorf("%s: %+v in %+v", c.click, got.Value, got.Target.Landmark)
		}
	}
}

// Whatever a library draws in calendar cells, in whatever language, a day is its cell or its button, in its month.
func TestDaysAsLibrariesDrawThem(t *testing.T) {
	month := func(head, day string) string {
		out := ""
		for i := 1; i <= 30; i++ {
			out += strings.ReplaceAll(day, "N", strconv.Itoa(i))
			if i%7 == 0 {
				out += "</tr><tr>"
			}
		}
		return "<div><div>" + head + `</div><table role=grid><tr>` + out + "</tr></table></div>"
	}
	srv, host := site(t, map[string]string{
		"/": `<h1>Visits</h1>` + month(`<span>2027 </span><span>April</span>`,
			`<td id=aN><div style="cursor:pointer"><span>N</span></div></td>`) +
			month(`<a href="#">Back</a> <b>June</b> 2027`,
				`<td><span id=bN aria-selected=false style="cursor:pointer">N</span></td>`) + month(`May 2027`,
			`<td><button id=cN aria-label="N May 2027">N</button></td>`) +
			`<div lang=de>` + month(`März 2027`, `<td><button id=dN>N</button></td>`) + `</div><div>` + month(`2027年10月`,
			`<td><button id=eN>N</button></td>`) + `</div><button tabindex=-1 id=next><span>&gt;</span></button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	for i, c := range []struct{ click, role, month string }{{"#a17 span", "cell", "April 2027"}, {"#b9", "cell", "June 2027"},
		{"#c14", "button", "May 2027"}, {"#d3", "button", "March 2027"}, {"#e21", "button", "October 2027"}} {
		p.click(c.click)
		got := w.find(capture.Click, i+1)
		if got.Value == nil || !got.Value.Chosen || got.Value.Text != strings.Trim(c.click, "#abcde spn") || got.Target.Role != c.role ||
			got.Target.Landmark == nil || got.Target.Landmark.Name != c.month {
			t.Errorf("%s: %s %+v in %+v", c.click, got.Target.Role, got.Value, got.Target.Landmark)
		}
	}
	p.click("#next span") // a button that no key reaches
	if got := w.find(capture.Click, 6).Target; got.Role != "button" || got.Tag != "button" {
		t.Errorf("the next month: %+v", got)
	}
}

// A message bubble's text excludes the images and buttons beside it.
func TestMessagesWithPictures(t *testing.T) {
	srv, host := site(t, map[string]string{"/": `<h1>Desk</h1><div id=m></div><button onclick="m.innerHTML='<div class=x-message-notice>` +
		`<div class=x-message-notice-content><span role=img aria-label=check-circle></span>` +
		`<span>Booking saved</span></div></div>'">Save</button>`})
	w := observe(t, Options{}, host)
	p := shared.hand.open(t, srv.URL+"/")
	w.find(capture.NewTab, 1)
	p.click("button")
	if got := w.find(capture.Click, 1).After; got == nil || strings.Join(got.Alerts, "; ") != "Booking saved" {
		t.Errorf("%+v", got)
	}
}
