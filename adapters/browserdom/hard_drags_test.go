//go:build unix

package browserdom

import (
	"testing"

	"showhow/capture"
)

// Drags: by the browser's native drag and drop, by a page's own pointer events, from outside, between frames.
func TestHardDrags(t *testing.T) {
	const list = `<style>li{width:200px;height:30px;user-select:none}</style>`
	w := doHard(t, []hardPage{{
		path: "/native",
		html: list + `<h1>Board</h1><section aria-label="To do"><ul><li draggable=true id=a>Write report</li><li draggable=true>Call Ann</li>` +
			`</ul></section>
			<section aria-label="Done" id=done style="height:120px" ondragover="event.preventDefault()" ` +
			`ondrop="event.preventDefault();this.append(a)"></section>`,
		do: func(p *sheet) {
			p.dragAndDrop("#a", "#done")
			p.until(`a.parentElement.id === "done"`)
			p.dragAndDrop("li:nth-child(1)", "h1") // nobody takes it there
			p.click("h1")
		},
		want: []string{`drag listitem "Write report" -> region "Done" = Write report`, `click heading "Board"`},
	}, {
		path: "/sortable", // a list that is sorted by pointer events: neighbours give way as one goes
		html: list + `<ul id=l aria-label="Songs"><li>One<li>Two<li>Three<li>Four</ul><script>let d=null;
			l.onpointerdown=e=>{d=e.target.closest("li")};onpointermove=e=>{if(!d)return;const ` +
			`o=document.elementsFromPoint(e.clientX,e.clientY).find(x=>x.tagName==="LI"&&x!==d);
			if(o){o.compareDocumentPosition(d)&4?o.before(d):o.after(d)}};onpointerup=()=>d=null</script>`,
		do: func(p *sheet) {
			x0, y0 := p.at("li:nth-child(1)")
			x1, y1 := p.at("li:nth-child(3)")
			p.drag(x0, y0, x1, y1)
			p.until(`l.textContent.replace(/\s/g,"") === "TwoThreeOneFour"`)
		},
		want: []string{`drag listitem "One" -> listitem "Three" = One`},
	}, {
		path: "/board", // with a handle and a ghost under the pointer
		html: list + `<div class=col><h3>Open</h3><div role=list><div role=listitem id=c>Fix bug 7 <button id=g aria-label="Move">::</button>` +
			`</div></div></div><div class=col id=col2 style="height:150px"><h3>Closed</h3></div>
			<script>let d=null;g.onpointerdown=e=>{d=document.createElement("div");d.textContent=c.textContent;d.style.cssText="position:fixed;` +
			`pointer-events:none";document.body.append(d);c.style.opacity=.4};
			onpointermove=e=>{if(d){d.style.left=e.clientX+"px";d.style.top=e.clientY+"px"}};onpointerup=e=>{if(d){d.remove();d=null;` +
			`c.style.opacity=1;col2.append(c)}}</script>`,
		do: func(p *sheet) {
			x0, y0 := p.at("#g")
			x1, y1 := p.at("#col2")
			p.drag(x0, y0, x1, y1+30)
		},
		want: []string{`drag listitem "Fix bug 7" -> group "Closed" = Fix bug 7`},
	}, {
		path: "/mark", // marking text is no act, nor is dragging where nothing moves
		html: `<p id=t style="width:300px">some words here to drag over</p><div id=d style="user-select:none;width:300px;height:50px">` +
			`nothing moves</div><button>End</button>`,
		do: func(p *sheet) {
			x, y := p.at("#t")
			p.drag(x-40, y, x+40, y)
			x, y = p.at("#d")
			p.drag(x-40, y, x+40, y)
			p.click("button")
		},
		want: []string{`click button "End"`},
	}, {
		path: "/splitter",
		html: `<div style="display:flex;height:100px"><div id=a style="width:200px"></div>` +
			`<div id=s role=separator aria-label="Side bar" style="width:10px;background:#999;cursor:col-resize"></div><div style="width:200px">` +
			`</div></div>
			<script>let on=0;s.onmousedown=e=>{on=1;e.preventDefault()};onmousemove=e=>{if(on)a.style.width=e.clientX+"px"};onmouseup=()=>on=0` +
			`</script>`,
		do: func(p *sheet) {
			x, y := p.at("#s")
			p.drag(x, y, x+60, y)
		},
		want: []string{`drag separator "Side bar"`},
	}, {
		path: "/files", // from the file manager into the page
		html: `<div id=z role=region aria-label="Drop files here" style="height:100px" ondragover="event.preventDefault()" ` +
			`ondrop="event.preventDefault();document.title='got'"></div>`,
		do: func(p *sheet) {
			p.dropFiles("#z", "a.PDF", "b.txt")
			p.until("document.title==='got'")
		},
		want: []string{"upload region \"Drop files here\" = a.PDF\nb.txt"},
	}, {
		path: "/frames",
		html: list + `<ul><li draggable=true id=a>Card 9</ul><iframe src="/framesin" style="width:300px;height:150px;border:0"></iframe>`,
		more: map[string]string{
			"/framesin": `<section aria-label="Inbox" style="height:130px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">` +
				`</section>`},
		do: func(p *sheet) {
			p.dragAndDrop("#a", "iframe")
		},
		want: []string{`drag listitem "Card 9" -> region "Inbox" = Card 9`},
	}})
	for _, o := range w.Seen() {
		if o.Verb == capture.Drag && pathOf(o.Page.URL) == "/native" && (!o.Changed || o.After == nil) {
			t.Errorf("a drag without its outcome: %+v", o)
		}
		if f := o.File; o.Verb == capture.Upload && (f == nil || f.Name != "a.PDF" || f.Ext != ".pdf" || f.Size != 5) {
			t.Errorf("dropped file: %+v", f)
		}
	}
}
