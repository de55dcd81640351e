package stage

import (
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// widgetTasks are small tasks with things that a person tells apart by place, colour or state.
func widgetTasks() []task {
	one := func(names string) []field { return []field{{names, word}} }
	say := func(form string) func(l load) string {
		return func(l load) string {
			return strings.NewReplacer("%w", l.word(), "%n", fmt.Sprint(l.n), "%s", strings.ReplaceAll(l.several(), ", ", ",")).Replace(form)
		}
	}
	first := func(l load) bool { return l.n == 7 }
	stars := func(l load) int { return len(l.picks) + l.pick%2 } // 3, 4, 2
	digits := func(l load) string { return fmt.Sprint(l.n*4321 + 1005) }
	pad := func(l load, form string) string {
		out := ""
		for i := range 10 {
			out += strings.ReplaceAll(form, "%d", fmt.Sprint((i+l.n)%10))
		}
		return out
	}
	return []task{
		{"notice in one", "Sign the guest book", func(l load) string {
			notice := `<div class=bar role=region style="position:fixed;bottom:0;left:0;right:0;background:#ddd">We use cookies. ` +
				`<button id=ok>Got it</button></div>`
			if !first(l) {
				notice = ""
			}
			return `<h1>Guest book</h1><form id=f><label>Name <input id=n></label><button>Sign</button></form>` + notice +
				`<script>const o = document.getElementById("ok"); if (o) o.onclick = () => o.parentNode.remove();
f.onsubmit = (e) => { e.preventDefault(); tell("signed " + n.value) }</script>`
		}, func(p *person.Person, l load) {
			if first(l) {
				p.Click("button", "Got it")
			}
			p.Enter("Name", l.word())
			p.Click("button", "Sign")
		}, one("name guest"), say("signed %w")},

		{"dialog in one", "Add a visitor", func(l load) string {
			notice := `<div class=veil style="position:fixed;inset:0;background:#0008"><div role=dialog aria-label=News ` +
				`style="margin:80px;background:#fff;padding:20px"><h2>What is new</h2><p>You can now print.</p><button id=ok>Not ` +
				`now</button></div></div>`
			if first(l) {
				notice = ""
			}
			if l.n == 9 {
				notice = ""
			}
			return `<h1>Visitors</h1><p><input id=n placeholder="Visitor"></p><button id=b>Add</button>` + notice +
				`<script>const o = document.getElementById("ok"); if (o) o.onclick = () => document.querySelector(".veil").remove();
b.onclick = () => tell("added " + n.value)</script>`
		}, func(p *person.Person, l load) {
			if l.n == 3 {
				p.Click("button", "Not now")
			}
			p.Click("drawing", "#n")
			p.EnterAt(l.word())
			p.Click("button", "Add")
		}, one("visitor"), say("added %w")},

		{"rating", "Rate the stay and send", func(l load) string {
			return `<h1>Your stay</h1><p>How was it?</p><div class=rate>` + strings.Repeat(`<span class=st style="cursor:pointer;`+
				`display:inline-block;width:20px;height:20px"><svg viewBox="0 0 9 9" width=18><path d="M1 1h7v7h-7z"/></svg></span>`, 5) +
				`</div><button id=b>Send</button><script>let k = 0; const all = [...document.querySelectorAll(".st")];
all.forEach((s, i) => s.onclick = () => { k = i + 1; all.forEach((x, j) => x.classList.toggle("on", j <= i)) }); b.onclick = ` +
				`() => tell("rated " + k)</script><style>.on{color:gold;fill:gold}</style>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", ".st:nth-of-type("+fmt.Sprint(stars(l))+")")
			p.Click("button", "Send")
		}, []field{{"rating rate stay stars star", func(l load) string { return fmt.Sprint(stars(l)) }}},
			func(l load) string { return fmt.Sprint("rated ", stars(l)) }},

		{"rating with radios", "Rate the dish and send", func(l load) string {
			out := ""
			for i := 5; i > 0; i-- {
				out += fmt.Sprintf(`<input type=radio name=r id=r%d value=%d class=vh><label for=r%d>★</label>`, i, i, i)
			}
			return `<h1>Dish</h1><fieldset style="direction:rtl;border:0;text-align:left"><legend>Your ` +
				`rating</legend>` + out + `</fieldset><button id=b>Send</button><style>.vh{position:absolute;opacity:0;width:1px;` +
				`height:1px}label{font-size:24px;cursor:pointer}</style><script>
b.onclick = () => tell("rated " + document.querySelector(":checked").value)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "label[for=r"+fmt.Sprint(stars(l))+"]")
			p.Click("button", "Send")
		}, []field{{"rating rate dish stars", func(l load) string { return fmt.Sprint(stars(l)) }}},
			func(l load) string { return fmt.Sprint("rated ", stars(l)) }},

		{"keypad", "Enter the code on the keypad", func(l load) string {
			return `<h1>Door</h1><div id=d>&nbsp;</div><div class=pad>` + pad(l, `<button class=k>%d</button>`) + `</div><button id=b>` +
				`Unlock</button><script>let s = "";
for (const k of document.querySelectorAll(".k")) k.onclick = () => { s += k.textContent; d.textContent = s }; b.onclick = () =>` +
				` tell("code " + s)</script>`
		}, func(p *person.Person, l load) {
			for _, c := range digits(l) {
				p.Click("button", string(c))
			}
			p.Click("button", "Unlock")
		}, []field{{"code keypad number pin", digits}}, func(l load) string { return "code " + digits(l) }},

		{"keypad into a field", "Dial a number", func(l load) string {
			return `<h1>Phone</h1><input id=d readonly aria-label="Number"><table><tr>` + pad(l, `<td><div class=k `+
				`style="cursor:pointer;padding:6px;border:1px solid">%d</div></td>`) + `</tr></table><div id=b role=button tabindex=0>` +
				`Call</div><script>
for (const k of document.querySelectorAll(".k")) k.onclick = () => { d.value += k.textContent }; b.onclick = () => ` +
				`tell("called " + d.value)</script>`
		}, func(p *person.Person, l load) {
			for _, c := range digits(l) {
				for i := range 10 {
					if fmt.Sprint((i+l.n)%10) == string(c) {
						p.Click("drawing", "td:nth-of-type("+fmt.Sprint(i+1)+") .k")
					}
				}
			}
			p.Click("words", "Call")
		}, []field{{"number dial", digits}}, func(l load) string { return "called " + digits(l) }},

		{"drag into a box", "Put a parcel into a van", func(l load) string {
			return `<h1>Parcels</h1><ul id=from>` + each(l.words, `<li draggable=true class=p>%w</li>`) + `</ul><section id=to ` +
				`style="border:1px solid;min-height:60px"><h2>Van</h2></section><script>
for (const li of document.querySelectorAll(".p")) li.ondragstart = (e) => e.dataTransfer.setData("text/plain", li.textContent);
to.ondragover = (e) => e.preventDefault(); to.ondrop = (e) => { e.preventDefault(); const t = ` +
				`e.dataTransfer.getData("text/plain"); for (const li of document.querySelectorAll(".p")) if (li.textContent === t) ` +
				`to.append(li); tell("loaded " + t) }</script>`
		}, func(p *person.Person, l load) { p.Drag(l.word(), "Van") }, one("parcel"), say("loaded %w")},

		{"folds", "Open a document of the archive", func(l load) string {
			out := ""
			for i, w := range l.words {
				out += fmt.Sprintf(`<details><summary>Year %d</summary><p>Minutes of <a href="#" onclick="event.preventDefault();`+
					`tell('%s')">%s</a> and others.</p></details>`, 2000+i*3+l.n, w, w)
			}
			return `<h1>Archive</h1>` + out
		}, func(p *person.Person, l load) {
			p.Click("words", "Year "+fmt.Sprint(2000+l.pick*3+l.n))
			p.Click("link", l.word())
		}, one("document minutes link"), say("%w")},

		{"pager", "Call a contact", func(l load) string {
			return `<h1>Contacts</h1><div id=c></div><nav><a href="#" id=pv>Back</a> <a href="#" id=nx>Next</a></nav><script>const all ` +
				`= ` + js(l.words) + `; let i = 0;
const put = () => { c.innerHTML = "<h2>" + all[i] + "</h2><p>Phone 0" + i + "12</p><button>Call</button>"; ` +
				`c.querySelector("button").onclick = () => tell("called " + all[i]) }; put();
nx.onclick = (e) => { e.preventDefault(); i = Math.min(all.length - 1, i + 1); put() }; pv.onclick = (e) => { ` +
				`e.preventDefault(); i = Math.max(0, i - 1); put() }</script>`
		}, func(p *person.Person, l load) {
			for range l.pick {
				p.Click("link", "Next")
			}
			p.Click("button", "Call")
		}, one("contact name"), say("called %w")},

		{"swatches", "Choose a colour for the label and save", func(l load) string {
			cs := []string{"red", "green", "blue", "orange", "purple"}
			out := ""
			for i := range cs {
				out += fmt.Sprintf(`<div class=sw style="display:inline-block;width:20px;height:20px;cursor:pointer;background:%s">`+
					`</div>`, cs[(i+l.n)%5])
			}
			return `<h1>Label</h1>` + out + `<button id=b>Save</button><script>let k = ""; for (const s of ` +
				`document.querySelectorAll(".sw")) s.onclick = () => { k = s.style.background; s.style.outline = "2px solid" }; b.onclick ` +
				`= () => tell("colour " + k)</script>`
		}, func(p *person.Person, l load) {
			c := []string{"red", "green", "blue", "orange", "purple"}[l.pick]
			p.Click("drawing", ".sw[style*='"+c+"']")
			p.Click("button", "Save")
		}, []field{{"colour color swatch", func(l load) string { return []string{"red", "green", "blue", "orange", "purple"}[l.pick] }}},
			func(l load) string {
				return "colour " + []string{"red", "green", "blue", "orange", "purple"}[l.pick]
			}},

		{"quantity in a row", "Set how many of a product", func(l load) string {
			return `<h1>Basket</h1><table><tr><th>Product<th>How many</tr>` + each(l.words, `<tr><td>%w</td><td><button class=dn>`+
				`−</button> <span class=q>1</span> <button class=up>+</button></td></tr>`) +
				`</table><button id=b>Order</button><script>for (const r of document.querySelectorAll("tr")) { const q = ` +
				`r.querySelector(".q"); if (!q) continue; r.querySelector(".up").onclick = () => q.textContent++; ` +
				`r.querySelector(".dn").onclick = () => q.textContent-- }
b.onclick = () => tell([...document.querySelectorAll(".q")].map((q, i) => ` + js(l.words) + `[i] + q.textContent).filter(x => ` +
				`!x.endsWith("1")).join())</script>`
		}, func(p *person.Person, l load) {
			for range l.n - 1 {
				p.Click("drawing", "tr:nth-of-type("+fmt.Sprint(l.pick+2)+") .up")
			}
			p.Click("button", "Order")
		}, []field{{"product", word}, {"how many number quantity count", number}}, func(l load) string { return l.word() + fmt.Sprint(l.n) }},

		{"dependent selects", "Register a town", func(l load) string {
			return `<h1>Town</h1><label>Country <select id=c><option value="">Choose</option><option>Norland</option><option>` +
				`Sudland</option></select></label> <label>Town <select id=tw disabled></select></label><button id=b>Register</button>` +
				`<script>const all = ` + js(l.words) + `;
c.onchange = () => { tw.disabled = false; tw.innerHTML = "<option value=''>Choose</option>" + all.map(w => "<option>" + w + " ` +
				`" + c.value[0] + "</option>").join("") }; b.onclick = () => tell(c.value + "/" + tw.value)</script>`
		}, func(p *person.Person, l load) {
			p.Choose("Country", []string{"Norland", "Sudland"}[l.n/3%2])
			p.Choose("Town", l.word()+" "+[]string{"N", "S"}[l.n/3%2])
			p.Click("button", "Register")
		}, []field{{"country", func(l load) string { return []string{"Norland", "Sudland"}[l.n/3%2] }}, {"town",
			func(l load) string { return l.word() + " " + []string{"N", "S"}[l.n/3%2] }}},
			func(l load) string {
				x := []string{"Norland", "Sudland"}[l.n/3%2]
				return x + "/" + l.word() + " " + x[:1]
			}},

		{"typed confirmation", "Close an account", func(l load) string {
			return `<h1>Accounts</h1><ul>` + each(l.words, `<li>%w <button class=x data-n="%w">Close</button></li>`) + `</ul><dialog ` +
				`id=d><p>To go on, type <b id=w></b> below.</p><input id=i><button id=b disabled>I understand</button></dialog><script>
for (const x of document.querySelectorAll(".x")) x.onclick = () => { w.textContent = x.dataset.n; i.value = ""; d.showModal() }` +
				`; i.oninput = () => b.disabled = i.value !== w.textContent; b.onclick = () => { d.close(); tell("closed " + ` +
				`w.textContent) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "li:nth-of-type("+fmt.Sprint(l.pick+1)+") .x")
			p.Click("drawing", "#i")
			p.EnterAt(l.word())
			p.Click("button", "I understand")
		}, one("account name"), say("closed %w")},

		{"wizard with a page in one", "Book a table", func(l load) string {
			extra := ""
			if l.n == 3 {
				extra = `<section><h2>Children</h2><p>Somebody under six?</p><button class=n>Nobody</button></section>`
			}
			return `<h1>Table</h1><section><h2>Who</h2><label>Name <input id=n></label><button class=n>Continue</button>` +
				`</section>` + extra + `<section><h2>When</h2><label>Hour <select id=h>` + each(l.words, `<option>`+
				`%w</option>`) + `</select></label><button id=b>Book</button></section><script>
const all = [...document.querySelectorAll("section")]; let at = 0; const put = () => all.forEach((s, i) => s.hidden = i !== ` +
				`at); put(); for (const x of document.querySelectorAll(".n")) x.onclick = () => { at++; put() }; b.onclick = () => ` +
				`tell(n.value + "@" + h.value)</script>`
		}, func(p *person.Person, l load) {
			p.Enter("Name", "Mr "+l.words[0])
			p.Click("button", "Continue")
			if l.n == 3 {
				p.Click("button", "Nobody")
			}
			p.Choose("Hour", l.word())
			p.Click("button", "Book")
		}, []field{{"name", func(l load) string { return "Mr " + l.words[0] }}, {"hour", word}},
			func(l load) string { return "Mr " + l.words[0] + "@" + l.word() }},

		{"combobox that filters on a server", "Assign a ticket", func(l load) string {
			return `<h1>Ticket</h1><label for=q>Assignee</label> <input id=q role=combobox aria-expanded=false autocomplete=off><div ` +
				`id=m role=listbox hidden></div><button id=b>Assign</button><script>const all = ` + js(l.words) + `; let t;
q.oninput = () => { clearTimeout(t); t = setTimeout(() => { m.hidden = false; m.innerHTML = all.filter(w => ` +
				`w.toLowerCase().includes(q.value.toLowerCase())).map(w => "<div role=option>" + w + " <small>team " + w.length + "</small>` +
				`</div>").join(""); for (const o of m.children) o.onmousedown = () => { q.value = o.firstChild.textContent.trim(); ` +
				`m.hidden = true } }, 250) }; b.onclick = () => tell("to " + q.value)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#q")
			p.EnterAt(l.word()[:3])
			p.Click("drawing", "#m div:nth-of-type(1)")
			p.Click("button", "Assign")
		}, one("assignee"), say("to %w")},

		{"chips", "Tag the picture and save", func(l load) string {
			return `<h1>Picture</h1><div class=chips>` + each(l.words, `<span class=chip tabindex=0 style="border:1px solid;`+
				`border-radius:9px;padding:2px 8px;cursor:pointer;margin:3px">%w</span>`) + `</div><button id=b>Save</button><script>for ` +
				`(const c of document.querySelectorAll(".chip")) c.onclick = () => c.classList.toggle("on"); b.onclick = () => ` +
				`tell([...document.querySelectorAll(".on")].map(c => c.textContent).join())</script><style>.on{background:#abc}</style>`
		}, func(p *person.Person, l load) {
			for _, i := range l.picks {
				p.Click("words", l.words[i])
			}
			p.Click("button", "Save")
		}, []field{{"tags tag chips picture", load.several}}, say("%s")},

		{"a grid of slots", "Book a slot", func(l load) string {
			out := `<tr><th></th>` + each([]string{"Mon", "Tue", "Wed"}, `<th>%w</th>`) + `</tr>`
			for _, h := range []string{"9:00", "10:00", "11:00"} {
				out += `<tr><th>` + h + `</th>`
				for _, d := range []string{"Mon", "Tue", "Wed"} {
					out += `<td><button onclick="tell('` + d + ` ` + h + `')">free</button></td>`
				}
				out += `</tr>`
			}
			return `<h1>Slots</h1><table>` + out + `</table>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", fmt.Sprintf("tr:nth-of-type(%d) td:nth-of-type(%d) button", l.n%3+2, l.pick%3+1))
		}, []field{{"day column weekday", func(l load) string { return []string{"Mon", "Tue", "Wed"}[l.pick%3] }}, {"hour time row slot",
			func(l load) string { return []string{"9:00", "10:00", "11:00"}[l.n%3] }}}, func(l load) string {
			return []string{"Mon", "Tue", "Wed"}[l.pick%3] + " " + []string{"9:00", "10:00", "11:00"}[l.n%3]
		}},

		{"a reply to one of several", "Open a message and reply", func(l load) string {
			return `<h1>Messages</h1><ul>` + each(l.words, `<li><a href="#" class=m data-n="%w">%w wrote</a></li>`) + `</ul><div id=v ` +
				`hidden><p id=w></p><textarea id=r aria-label=Reply></textarea><button id=b>Send</button></div><script>let who = ""; for ` +
				`(const m of document.querySelectorAll(".m")) m.onclick = (e) => { e.preventDefault(); who = m.dataset.n; w.textContent = ` +
				`"From " + who; v.hidden = false }; b.onclick = () => tell(who + ": " + r.value)</script>`
		}, func(p *person.Person, l load) {
			p.Click("link", l.word()+" wrote")
			p.Enter("Reply", "Hello "+l.words[0])
			p.Click("button", "Send")
		}, []field{{"message sender", word}, {"reply text", func(l load) string { return "Hello " + l.words[0] }}},
			func(l load) string { return l.word() + ": Hello " + l.words[0] }},

		{"switch in a list", "Turn on the alert of a sensor", func(l load) string {
			return `<h1>Sensors</h1><div role=list>` + each(l.words, `<div role=listitem class=s><div>%w</div><div class=sw tabindex=0 `+
				`data-n="%w" style="width:34px;height:16px;border:1px solid;cursor:pointer"><div class=k style="width:14px;height:14px;`+
				`background:#555"></div></div></div>`) + `</div><script>for (const s of document.querySelectorAll(".sw")) s.onclick = () =>` +
				` { s.classList.toggle("on"); tell((s.classList.contains("on") ? "on " : "off ") + s.dataset.n) }</script><style>.on ` +
				`.k{margin-left:18px}</style>`
		}, func(p *person.Person, l load) { p.Click("drawing", ".s:nth-of-type("+fmt.Sprint(l.pick+1)+") .sw") }, one("sensor"), say("on %w")},
	}
}
