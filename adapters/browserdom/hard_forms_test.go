//go:build unix

package browserdom

import "testing"

// Fields that frameworks control, replace or hide.
func TestHardForms(t *testing.T) {
	doHard(t, []hardPage{{
		path: "/controlled", // React: the framework writes the value back after each event
		html: `<label>Code <input id=f></label><button onclick="0">Save</button><script>
			const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
			f.addEventListener("input", e => { const v = f.value.toUpperCase(); set.call(f, v); queueMicrotask(() => set.call(f, v)); });</script>`,
		do: func(p *sheet) {
			p.write("#f", "ab12")
			p.click("button")
		},
		want: []string{`click textbox "Code"`, `type textbox "Code" = AB12`, `click button "Save"`},
	}, {
		path: "/replaced", // a framework that replaces the field at each key, before our handler is done
		html: `<div id=d></div><button>Save</button><script>
			let v = ""; const draw = () => { d.innerHTML = '<label>Town <input name=town></label>'; const f = d.querySelector("input"); f.value = v;
				f.oninput = () => { v = f.value; draw(); }; f.focus(); f.setSelectionRange(v.length, v.length); };
			draw(); document.activeElement.blur();</script>`,
		do: func(p *sheet) {
			p.write("input", "Ulm")
			p.click("button")
		},
		want: []string{`click textbox "Town"`, `type textbox "Town" = Ulm`, `click button "Save"`},
	}, {
		path: "/labels",
		html: `<label id=a><input type=checkbox> <b>Gift wrap</b></label><label id=b for=n>Name on card</label><input id=n>
			<label id=c>Amount <span id=unit>in EUR</span> <input type=number></label><label id=r><input type=radio name=r> By air</label>`,
		do: func(p *sheet) {
			p.click("#a b")
			p.click("#b")
			p.keys("Ada")
			p.click("#unit")
			p.keys("7")
			p.click("#r")
		},
		want: []string{`check checkbox "Gift wrap"`, `click textbox "Name on card"`, `type textbox "Name on card" = Ada`,
			`click spinbutton "Amount in EUR"`, `type spinbutton "Amount in EUR" = 7`, `check radio "By air"`},
	}, {
		path: "/oldtable", // a form laid out in a table, where nothing but its place names a field
		html: `<form onsubmit="event.preventDefault()"><table><tr><td>Customer no.:</td><td><input name=c></td></tr>
			<tr><td>Express:</td><td><input type=radio name=s value=n checked>No <input type=radio name=s value=y id=y>Yes</td></tr>
			<tr><td></td><td><input type=submit value=Next></td></tr></table></form>Town: <input id=t><br>
			<table><tr><th>Project<th>Budget</tr><tr><td>Aurora<td><input id=b></tr></table>`,
		do: func(p *sheet) {
			p.write("[name=c]", "Kurz")
			p.click("#y")
			p.click("[type=submit]")
			p.write("#t", "Bonn")
			p.write("#b", "seven")
		},
		want: []string{`click textbox "Customer no.:"`, `type textbox "Customer no.:" = Kurz`, `check radio "Yes"`, `click button "Next"`,
			`click textbox "Town:"`, `type textbox "Town:" = Bonn`, `click textbox "Budget"`, `type textbox "Budget" = seven`},
	}, {
		path: "/formattr", // a button far from its form
		html: `<form id=f onsubmit="event.preventDefault()"><label>City <input name=c></label></form><p>...<button form=f>Send it</button>`,
		do: func(p *sheet) {
			p.write("[name=c]", "Bonn")
			p.click("button")
			p.click("[name=c]")
			p.enter()
		},
		want: []string{`click textbox "City"`, `type textbox "City" = Bonn`, `click button "Send it"`, `click textbox "City"`,
			`submit textbox "City" [Enter]`},
	}, {
		path: "/search", // no form, no button: a script listens for Enter
		html: `<input type=search aria-label="Search the catalogue" onkeydown="if(event.key==='Enter')document.title=this.value">`,
		do: func(p *sheet) {
			p.write("input", "lamp")
			p.enter()
		},
		want: []string{`click searchbox "Search the catalogue"`, `type searchbox "Search the catalogue" = lamp`,
			`press searchbox "Search the catalogue" [Enter]`},
	}, {
		path: "/date", // by the keyboard, segment by segment
		html: `<label>Due <input type=date id=d></label><button>Next</button>`,
		do: func(p *sheet) {
			p.focus("#d")
			p.keys("02032026")
			p.tab()
			p.click("button")
		},
		want: []string{`type textbox "Due" = 2026-02-03`, `click button "Next"`},
	}, {
		path: "/rich",
		html: `<div contenteditable aria-label="Body" role=textbox><p>Dear</p></div><button>Bold</button>`,
		do: func(p *sheet) {
			p.click("p")
			p.key("End", "End", 35, "", 0)
			p.keys(" all")
			p.enter()
			p.keys("hi")
			p.key("b", "KeyB", 66, "", 2)
			p.click("button")
		},
		want: []string{`click textbox "Body"`, "type textbox \"Body\" = Dear all\n\nhi", `press textbox "Body" [Control+B]`,
			`click button "Bold"`},
	}, {
		path: "/paste",
		html: `<label>From <input id=a value="copied text"></label><label>To <input id=b></label><button>Done</button>`,
		do: func(p *sheet) {
			p.focus("#a")
			p.command("a", "KeyA", 65, "selectAll")
			p.command("c", "KeyC", 67, "copy")
			p.focus("#b")
			p.command("v", "KeyV", 86, "paste")
			p.click("button")
		},
		want: []string{`type textbox "To" = copied text`, `click button "Done"`},
	}, {
		path: "/ime", // text that arrives without keys: an input method, dictation, the emoji picker
		html: `<label>Ort <input id=a></label><button>Weiter</button>`,
		do: func(p *sheet) {
			p.focus("#a")
			p.insert("東京")
			p.click("button")
		},
		want: []string{`type textbox "Ort" = 東京`, `click button "Weiter"`},
	}, {
		path: "/datalist",
		html: `<label>Fruit <input list=l></label><datalist id=l><option>Apple<option>Pear</datalist><button>Next</button>`,
		do: func(p *sheet) {
			p.write("input", "Pear")
			p.click("button")
		},
		want: []string{`click combobox "Fruit"`, `type combobox "Fruit" = Pear`, `click button "Next"`},
	}, {
		path: "/autosubmit",
		html: `<form action="/autosubmit2"><label>Per page <select name=n onchange="form.submit()"><option>10<option>50</select></label></form>`,
		more: map[string]string{"/autosubmit2": "<h1>Fifty</h1><button>Next</button>"},
		do: func(p *sheet) {
			p.focus("select")
			p.down()
			p.until(`location.pathname === "/autosubmit2"`)
			p.click("button")
		},
		want: []string{`select combobox "Per page" = 50`, `click button "Next"`},
	}, {
		path: "/autocomplete", // typed text and the chosen item are two acts
		html: `<label>City <input id=i role=combobox aria-controls=l autocomplete=off oninput="l.hidden=!this.value"></label>
			<ul id=l role=listbox hidden><li role=option onmousedown="event.preventDefault();i.value='London';l.hidden=true">London</li>` +
			`<li role=option>Londonderry</li></ul><button>Go</button>`,
		do: func(p *sheet) {
			p.write("#i", "lon")
			p.click("li")
			p.click("button")
		},
		want: []string{`click combobox "City"`, `type combobox "City" = lon`, `click option "London" = London`, `click button "Go"`},
	}, {
		path: "/activedescendant", // the same by the keyboard: the page moves a mark, not the focus
		html: `<label>City <input id=i role=combobox aria-controls=l></label><ul id=l role=listbox><li role=option id=o1>` +
			`Rome<li role=option id=o2>Oslo</ul><script>
			let n=0; i.onkeydown=e=>{ if(e.key==="ArrowDown"){n++;i.setAttribute("aria-activedescendant","o"+n)} ` +
			`if(e.key==="Enter"){i.value=document.getElementById("o"+n).textContent} }</script>`,
		do: func(p *sheet) {
			p.focus("#i")
			p.down()
			p.down()
			p.enter()
		},
		want: []string{`press combobox "City" [Enter] = Oslo`},
	}, {
		path: "/range",
		html: `<label>Volume <input type=range min=0 max=10 value=2 style="width:200px"></label><button>Ok</button>`,
		do: func(p *sheet) {
			x, y := p.at("input")
			p.drag(x-60, y, x+98, y)
			p.click("button")
		},
		want: []string{`type slider "Volume" = 10`, `click button "Ok"`},
	}, {
		path: "/slider", // of a design system: no input in it
		html: `<div id=s role=slider tabindex=0 aria-label=Zoom aria-valuemin=0 aria-valuemax=100 aria-valuenow=10 ` +
			`style="width:200px;height:20px;background:#ccc"></div><button>Ok</button><script>
			const to=v=>s.setAttribute("aria-valuenow",v); ` +
			`s.onpointerdown=e=>{s.setPointerCapture(e.pointerId);s.onpointermove=m=>to(Math.round(m.offsetX/2))};
			s.onpointerup=()=>s.onpointermove=null; s.onkeydown=e=>{if(e.key==="ArrowRight")to(+s.ariaValueNow+1)}</script>`,
		do: func(p *sheet) {
			x, y := p.at("#s")
			p.drag(x-80, y, x+20, y)
			p.click("button")
			p.focus("#s")
			p.key("ArrowRight", "ArrowRight", 39, "", 0)
			p.key("ArrowRight", "ArrowRight", 39, "", 0)
			p.click("button")
		},
		want: []string{`type slider "Zoom" = 60`, `click button "Ok"`, `type slider "Zoom" = 62`, `click button "Ok"`},
	}, {
		path: "/switch", // ticked by its looks
		html: `<div role=switch aria-checked=false tabindex=0 aria-label="Dark mode" ` +
			`onclick="setTimeout(()=>this.ariaChecked=this.ariaChecked==='true'?'false':'true',20)" ` +
			`style="width:40px;height:20px;background:#999"></div>`,
		do: func(p *sheet) {
			p.click("[role=switch]")
			p.until(`document.querySelector("[role=switch]").ariaChecked === "true"`)
			p.click("[role=switch]")
			p.until(`document.querySelector("[role=switch]").ariaChecked === "false"`)
		},
		want: []string{`check switch "Dark mode"`, `uncheck switch "Dark mode"`},
	}, {
		path: "/attach", // the input is hidden behind a button
		html: `<button id=b onclick="f.click()">Attach receipt</button><input type=file id=f hidden multiple>`,
		do: func(p *sheet) {
			p.click("#b")
			p.setFiles("#f", "march.pdf", "april.pdf")
		},
		want: []string{`click button "Attach receipt"`, "upload button \"Attach receipt\" = march.pdf\napril.pdf"},
	}})
}
