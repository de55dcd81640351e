//go:build unix

package browserdom

import "testing"

// Controls, structure and documents that are difficult for recorders.
func TestHardPages(t *testing.T) {
	doHard(t, []hardPage{{
		path: "/icons",
		html: `<button aria-label="Delete order"><svg width=40 height=40><path d="M0 0h40v40z"/></svg></button>
			<button><svg width=40 height=40><title>Archive</title><rect width=40 height=40 /></svg></button>
			<button title="Print"><i style="display:block;width:30px;height:30px"></i></button><a href="#x"><img alt="Home" width=30 height=30></a>`,
		do: func(p *sheet) {
			p.click("path")
			p.click("rect")
			p.click("i")
			p.click("img")
		},
		want: []string{`click button "Delete order"`, `click button "Archive"`, `click button "Print"`, `click link "Home"`},
	}, {
		path: "/disabled", // nothing happens, and nothing is lost after it
		html: `<button disabled id=a>Save</button><fieldset disabled><button>Inner</button></fieldset><button id=b>Cancel</button>`,
		do: func(p *sheet) {
			p.click("#a")
			p.click("#b")
		},
		want: []string{`click button "Save"`, `click button "Cancel"`},
	}, {
		path: "/component",
		html: `<x-button>Buy <b>now</b></x-button><x-icon></x-icon><x-field></x-field><script>
			customElements.define("x-button", class extends HTMLElement { connectedCallback() { const r=this.attachShadow({mode:"open"}); ` +
			`r.innerHTML="<button><slot></slot></button>"; } });
			customElements.define("x-icon", class extends HTMLElement { constructor(){super(); const i=this.attachInternals(); i.role="button"; ` +
			`i.ariaLabel="Bell"}
				connectedCallback() { this.tabIndex=0; this.style.cssText="display:inline-block;width:30px;height:30px"; } });
			customElements.define("x-field", class extends HTMLElement { connectedCallback() { const r=this.attachShadow({mode:"open"}); ` +
			`r.innerHTML="<label>Nick <input></label>"; } })</script>`,
		do: func(p *sheet) {
			p.click("x-button b")
			p.click("x-icon")
			p.click("x-field >>> input")
			p.keys("Ada")
			p.click("x-button b")
		},
		want: []string{`click button "Buy now"`, `click button "Bell"`, `click textbox "Nick"`, `type textbox "Nick" = Ada`,
			`click button "Buy now"`},
	}, {
		path: "/rtl",
		html: `<div dir=rtl lang=he><button>שמירה</button><label>שם <input></label></div>`,
		do: func(p *sheet) {
			p.write("input", "עדה")
			p.click("button")
		},
		want: []string{`click textbox "שם"`, `type textbox "שם" = עדה`, `click button "שמירה"`},
	}, {
		path: "/keyboard", // no mouse at all
		html: `<button id=a>One</button><a href="#l">Two</a><div role=button tabindex=0 onkeydown="if(event.key===' ')event.preventDefault()">` +
			`Three</div>
			<label><input type=checkbox> Four</label><details><summary>Five</summary>x</details><form onsubmit="event.preventDefault()"><button>` +
			`Six</button></form>`,
		do: func(p *sheet) {
			p.tab()
			p.space()
			p.tab()
			p.enter()
			p.tab()
			p.space()
			p.tab()
			p.space()
			p.tab()
			p.space()
			p.tab()
			p.enter()
		},
		want: []string{`click button "One" [Space]`, `click link "Two" [Enter]`, `click button "Three" [Space]`, `check checkbox "Four"`,
			`click button "Five" [Space]`, `click button "Six" [Enter]`},
	}, {
		path: "/radios", // arrows choose
		html: `<fieldset><legend>Speed</legend><label><input type=radio name=s checked> Slow</label><label><input type=radio name=s>` +
			` Fast</label></fieldset>
			<div role=tablist><button role=tab aria-selected=true id=t>All</button></div>`,
		do: func(p *sheet) {
			p.tab()
			p.down()
			p.click("#t")
		},
		want: []string{`check radio "Fast"`, `click tab "All"`},
	}, {
		path: "/dialog",
		html: `<button onclick="d.showModal()">Edit</button><dialog id=d aria-label="Edit order"><form method=dialog><label>Note <input>` +
			`</label><button>Close</button></form></dialog>`,
		do: func(p *sheet) {
			p.click("button")
			p.write("dialog input", "x")
			p.click("dialog button")
		},
		want: []string{`click button "Edit"`, `click textbox "Note"`, `type textbox "Note" = x`, `click button "Close"`},
	}, {
		path: "/popover",
		html: `<button popovertarget=m>Menu</button><div id=m popover><button>Rename</button></div>`,
		do: func(p *sheet) {
			p.click("button")
			p.until("m.matches(':popover-open')")
			p.click("#m button")
		},
		want: []string{`click button "Menu"`, `click button "Rename"`},
	}, {
		path: "/hover", // a menu that opens under the pointer: the act is the click in it
		html: `<style>nav ul ul{display:none}nav li:hover ul{display:block}</style><nav><ul><li><a href="#p">Products</a><ul><li><a href="#q">` +
			`Pricing</a></ul><li><a href="#c">Contact</a></ul></nav>`,
		do: func(p *sheet) {
			x, y := p.at("nav li")
			p.move(x, y, 0)
			p.until(`document.querySelector("ul ul").checkVisibility()`)
			p.click("ul ul a")
		},
		want: []string{`click link "Pricing"`},
	}, {
		path: "/long", // a long press is one click
		html: `<button onpointerdown="window.t=setTimeout(()=>document.title='long',300)">Hold</button>`,
		do: func(p *sheet) {
			x, y := p.at("button")
			p.mouse("mousePressed", x, y, "left", 1)
			p.until("document.title==='long'")
			p.mouse("mouseReleased", x, y, "left", 1)
		},
		want: []string{`click button "Hold"`},
	}, {
		path: "/touch",
		html: `<button>Tap me</button>`,
		do: func(p *sheet) {
			p.tap("button")
		},
		want: []string{`click button "Tap me"`},
	}, {
		path: "/virtual", // only what is seen exists
		html: `<div id=v style="height:200px;overflow:auto"><div style="height:40000px;position:relative" id=in></div></div><script>
			const draw=()=>{const a=Math.floor(v.scrollTop/40);inn.innerHTML="";for(let i=a;i<a+6;i++){const ` +
			`d=document.createElement("div");d.setAttribute("role","row");
			d.style.cssText="position:absolute;height:40px;width:300px;top:"+i*40+"px";d.innerHTML="<span role=cell>Order "+i+"</span><button>` +
			`Open</button>";inn.append(d)}};const inn=document.getElementById("in");v.onscroll=draw;draw()</script>`,
		do: func(p *sheet) {
			_ = p.eval("v.scrollTop = 20000; 0", nil)
			p.until(`document.querySelector("[role=cell]").textContent === "Order 500"`)
			p.click("[role=row]:nth-child(3) button")
		},
		want: []string{`click button "Open" = Order 502`},
	}, {
		path: "/rewrite",
		html: `<button onclick="document.open();document.write('<h1>New</h1><button>Second</button>');document.close()">First</button>`,
		do: func(p *sheet) {
			p.click("button")
			p.until("document.querySelector('h1')")
			p.click("button")
		},
		want: []string{`click button "First"`, `click button "Second"`},
	}, {
		path: "/refresh",
		html: `<a href="/refresh1">Go on</a>`,
		more: map[string]string{"/refresh1": `<meta http-equiv=refresh content="0;url=/refresh2">`,
			"/refresh2": `<h1>There</h1><button>Next</button>`},
		do: func(p *sheet) {
			p.click("a")
			p.until(`location.pathname === "/refresh2" && document.readyState === "complete"`)
			p.click("button")
		},
		want: []string{`click link "Go on"`, `click button "Next"`},
	}, {
		path: "/chain",
		html: `<a href="/302?to=/302?to=/arrived">Follow</a>`,
		more: map[string]string{"/arrived": `<h1>Arrived</h1>`},
		do: func(p *sheet) {
			p.click("a")
			p.until(`location.pathname === "/arrived"`)
		},
		want: []string{`click link "Follow"`},
	}, {
		path: "/strict", // a strict content security policy and trusted types
		html: `<h1>Strict</h1><button>Allowed</button>`,
		do: func(p *sheet) {
			p.until(`document.querySelector("[aria-label^='Showhow is']")`)
			p.click("button")
		},
		want: []string{`click button "Allowed"`},
	}, {
		path: "/leave",
		html: `<form><label>Note <input></label></form><a href="/left">Leave</a><script>` +
			`addEventListener("beforeunload", e => e.preventDefault())</script>`,
		more: map[string]string{"/left": `<h1>Left</h1>`},
		do: func(p *sheet) {
			p.write("input", "x")
			p.click("a")
			p.until(`location.pathname === "/left"`)
		},
		want: []string{`click textbox "Note"`, `type textbox "Note" = x`, `click link "Leave"`, `dialog beforeunload "" true`},
	}, {
		path: "/prompt",
		html: `<button onclick="alert('Saved');document.title=prompt('New name?','')">Rename</button>`,
		do: func(p *sheet) {
			p.h.answer(p.t, "Fred")
			p.click("button")
			p.until("document.title === 'Fred'")
		},
		want: []string{`click button "Rename"`, `dialog alert "Saved" true`, `dialog = Fred prompt "New name?" true`},
	}, {
		path: "/srcdoc", // frames in frames
		html: `<h1>Top</h1><iframe style="width:400px;height:200px" srcdoc="<iframe style='width:300px;height:120px' srcdoc='<button ` +
			`style=width:200px;height:80px>Deep</button>'></iframe>"></iframe>`,
		do: func(p *sheet) {
			p.until(`frames[0].frames[0].document.querySelector("button")`)
			x, y := p.at("iframe")
			p.clickAt(x-100, y-40)
		},
		want: []string{`click button "Deep"`},
	}})
}
