package stage

import (
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// flowTasks are small tasks of several steps, as programs have them.
func flowTasks() []task {
	one := func(names string) []field { return []field{{names, word}} }
	say := func(form string) func(l load) string {
		return func(l load) string {
			return strings.NewReplacer("%w", l.word(), "%n", fmt.Sprint(l.n), "%s", strings.ReplaceAll(l.several(), ", ", ",")).Replace(form)
		}
	}
	pick := func(l load, of ...string) string { return of[l.pick%len(of)] }
	days := []string{"Monday", "Tuesday", "Wednesday"}
	return []task{
		{"filter, then a row's menu", "Duplicate a contract", func(l load) string {
			return `<h1>Contracts</h1><label>State <select id=st><option>All</option><option>Open</option><option>Closed</option>` +
				`</select></label><table><thead><tr><th>Party<th>State<th></tr></thead><tbody id=t></tbody></table><script>const all ` +
				`= ` + js(l.words) + `.flatMap((w, i) => [[w, "Open"], [w + " Ltd", "Closed"]]);
const put = () => { t.innerHTML = all.filter(r => st.value === "All" || r[1] === st.value).map(r => "<tr><td>" + r[0] + "<td>" ` +
				`+ r[1] + "<td><button aria-haspopup=menu aria-label=More class=m>⋯</button><div role=menu hidden><div role=menuitem>` +
				`Rename</div><div role=menuitem>Duplicate</div></div></tr>").join("");
for (const m of t.querySelectorAll(".m")) { m.onclick = () => m.nextSibling.hidden = !m.nextSibling.hidden; for (const i of ` +
				`m.nextSibling.children) i.onclick = () => { m.nextSibling.hidden = true; tell(i.textContent + " " + ` +
				`m.closest("tr").cells[0].textContent) } } }; st.onchange = put; put()</script>`
		}, func(p *person.Person, l load) {
			p.Choose("State", "Open")
			p.Click("drawing", "tbody tr:nth-of-type("+fmt.Sprint(l.pick+1)+") .m")
			p.Click("drawing", "tbody tr:nth-of-type("+fmt.Sprint(l.pick+1)+") [role=menuitem]:nth-of-type(2)")
		}, one("contract party"), say("Duplicate %w")},

		{"edited where it stands", "Rename a playlist", func(l load) string {
			return `<h1>Playlists</h1><ul>` + each(l.words, `<li><span class=n>%w</span> <button class=e aria-label="Edit">✎</button>`+
				`</li>`) + `</ul><script>for (const b of document.querySelectorAll(".e")) b.onclick = () => { const n = ` +
				`b.parentNode.querySelector(".n"); const old = n.textContent; n.innerHTML = "<input>"; const i = n.firstChild; i.value = ` +
				`old; i.focus(); i.select(); i.onkeydown = (e) => { if (e.key === "Enter") { n.textContent = i.value; tell(old + " -> " + ` +
				`n.textContent) } } }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "li:nth-of-type("+fmt.Sprint(l.pick+1)+") .e")
			p.EnterAt("New " + l.words[0] + "\r")
		}, []field{{"playlist", word}, {"name text", func(l load) string { return "New " + l.words[0] }}},
			func(l load) string { return l.word() + " -> New " + l.words[0] }},

		{"a row on the second page", "Remove a member", func(l load) string {
			return `<h1>Members</h1><table><thead><tr><th>Name<th></tr></thead><tbody id=t></tbody></table><p><span id=at></span> ` +
				`<button id=nx aria-label="Next page">›</button></p><dialog id=d><p id=q></p><button id=y>Remove</button><button id=no>` +
				`Keep</button></dialog><script>const all = ` + js(l.words) + `; let k = 0, who = "";
const put = () => { at.textContent = "Page " + (k + 1) + " of 3"; nx.disabled = k === 2; t.innerHTML = all.slice(k * 2, k * 2 ` +
				`+ 2).map(w => "<tr><td>" + w + "<td><button class=r>Remove</button></tr>").join(""); for (const b of ` +
				`t.querySelectorAll(".r")) b.onclick = () => { who = b.closest("tr").cells[0].textContent; q.textContent = "Remove " + who ` +
				`+ "?"; d.showModal() } }; put();
nx.onclick = () => { k++; put() }; y.onclick = () => { d.close(); all.splice(all.indexOf(who), 1); put(); tell("removed " + ` +
				`who) }; no.onclick = () => d.close()</script>`
		}, func(p *person.Person, l load) {
			for range l.pick / 2 {
				p.Click("drawing", "#nx")
			}
			p.Click("drawing", "tbody tr:nth-of-type("+fmt.Sprint(l.pick%2+1)+") .r")
			p.Click("drawing", "#y")
		}, one("member name"), say("removed %w")},

		{"slots under days", "Book a slot", func(l load) string {
			out := ""
			for _, d := range days {
				out += `<section><h3>` + d + `</h3>` + each([]string{"9:00", "10:00", "11:00"}, `<button class=s data-d="`+d+`">`+
					`%w</button>`) + `</section>`
			}
			return `<h1>Slots</h1>` + out + `<script>for (const b of document.querySelectorAll(".s")) b.onclick = () => ` +
				`tell(b.dataset.d + " " + b.textContent)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", fmt.Sprintf("section:nth-of-type(%d) .s:nth-of-type(%d)", l.pick%3+1, l.n%3+1))
		}, []field{{"day", func(l load) string { return days[l.pick%3] }}, {"slot time hour",
			func(l load) string { return []string{"9:00", "10:00", "11:00"}[l.n%3] }}}, func(l load) string {
			return days[l.pick%3] + " " + []string{"9:00", "10:00", "11:00"}[l.n%3]
		}},

		{"a matrix of boxes", "Grant a right to a role", func(l load) string {
			out := `<tr><th>Role</th><th>Read</th><th>Write</th><th>Delete</th></tr>`
			for _, w := range l.words {
				out += `<tr><td>` + w + `</td>` + each([]string{"Read", "Write", "Delete"}, `<td><input type=checkbox data-w="`+w+`" `+
					`data-r="%w"></td>`) + `</tr>`
			}
			return `<h1>Rights</h1><table>` + out + `</table><button id=b>Save</button><script>b.onclick = () => ` +
				`tell([...document.querySelectorAll(":checked")].map(c => c.dataset.w + ":" + c.dataset.r).join())</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", fmt.Sprintf("tr:nth-of-type(%d) td:nth-of-type(%d) input", l.pick+2, l.n%3+2))
			p.Click("button", "Save")
		}, []field{{"role", word}, {"right column", func(l load) string { return []string{"Read", "Write", "Delete"}[l.n%3] }}},
			func(l load) string { return l.word() + ":" + []string{"Read", "Write", "Delete"}[l.n%3] }},

		{"bulk action", "Archive several letters", func(l load) string {
			return `<h1>Letters</h1><select id=a aria-label="Action"><option>Choose</option><option>Print</option><option>` +
				`Archive</option></select> <button id=b>Apply</button><table>` + each(l.words, `<tr><td><input type=checkbox `+
				`aria-label="Select"></td><td>%w</td><td>%i pages</td></tr>`) + `</table><script>b.onclick = () => tell(a.value + " " + ` +
				`[...document.querySelectorAll(":checked")].filter(c => c.type === "checkbox").map(c => ` +
				`c.closest("tr").cells[1].textContent).join())</script>`
		}, func(p *person.Person, l load) {
			for _, i := range l.picks {
				p.Click("drawing", "tr:nth-of-type("+fmt.Sprint(i+1)+") input")
			}
			p.Click("drawing", "#a")
			p.EnterAt("Arch\r")
			p.Click("button", "Apply")
		}, []field{{"letters letter", load.several}}, say("Archive %s")},

		{"recipients as chips", "Send an invitation", func(l load) string {
			return `<h1>Invitation</h1><label for=i>To</label><div class=box><span id=c></span><input id=i></div><label>Subject <input ` +
				`id=s></label><div id=m contenteditable role=textbox aria-label="Message" style="border:1px solid;min-height:40px"></div>` +
				`<button id=b>Send</button><script>const to = []; i.onkeydown = (e) => { if (e.key === "Enter" && i.value) { ` +
				`e.preventDefault(); to.push(i.value); c.innerHTML += "<span class=chip>" + i.value + "</span>"; i.value = "" } }; ` +
				`b.onclick = () => tell(to.join() + "|" + s.value + "|" + m.textContent)</script>`
		}, func(p *person.Person, l load) {
			for _, i := range l.picks {
				p.Click("drawing", "#i")
				p.EnterAt(l.words[i] + "\r")
			}
			p.Enter("Subject", "About "+l.words[0])
			p.Click("drawing", "#m")
			p.EnterAt("Dear " + l.word())
			p.Click("button", "Send")
		}, []field{{"to recipient recipients", func(l load) string { return strings.ReplaceAll(l.several(), ", ", "\n") }}, {"subject",
			func(l load) string { return "About " + l.words[0] }}, {"message", func(l load) string { return "Dear " + l.word() }}},
			func(l load) string {
				return strings.ReplaceAll(l.several(), ", ", ",") + "|About " + l.words[0] + "|Dear " + l.word()
			}},

		{"context menu", "Pin a board", func(l load) string {
			return `<h1>Boards</h1><div class=g>` + each(l.words, `<div class=bd style="border:1px solid;padding:9px;width:90px">`+
				`%w</div>`) + `</div><ul id=mn role=menu hidden style="position:absolute;background:#eee"><li role=menuitem>Open</li><li ` +
				`role=menuitem>Pin</li></ul><script>let who = ""; for (const d of document.querySelectorAll(".bd")) d.oncontextmenu = (e) ` +
				`=> { e.preventDefault(); who = d.textContent; mn.hidden = false; mn.style.left = e.pageX + "px"; mn.style.top = e.pageY + ` +
				`"px" }; for (const i of mn.children) i.onclick = () => { mn.hidden = true; tell(i.textContent + " " + who) }</script>`
		}, func(p *person.Person, l load) {
			p.PressRight(person.Sight{Script: sightOf, Words: []string{l.word()}})
			p.Click("words", "Pin")
		}, one("board"), say("Pin %w")},

		{"radio cards", "Order a parcel", func(l load) string {
			return `<h1>Parcel</h1><h2>Size</h2><div class=cs>` + each(l.words, `<div class=card tabindex=0 style="border:1px solid;`+
				`padding:8px;width:140px;cursor:pointer"><b>%w</b><p>up to %i kg</p></div>`) + `</div><label>Street <input id=s></label>` +
				`<button id=b>Order</button><script>let k = ""; for (const c of document.querySelectorAll(".card")) c.onclick = () => { k ` +
				`= c.querySelector("b").textContent; for (const o of document.querySelectorAll(".card")) o.classList.toggle("on", o === c) ` +
				`}; b.onclick = () => tell(k + "|" + s.value)</script><style>.on{background:#def}</style>`
		}, func(p *person.Person, l load) {
			p.Click("words", l.word())
			p.Enter("Street", l.words[0]+" Road 4")
			p.Click("button", "Order")
		}, []field{{"size parcel", word}, {"street", func(l load) string { return l.words[0] + " Road 4" }}},
			func(l load) string { return l.word() + "|" + l.words[0] + " Road 4" }},

		{"popover from a detail", "Add a book to a shelf", func(l load) string {
			return `<h1>Books</h1><ul id=u>` + each(l.words, `<li><a href="#" class=o>%w</a></li>`) + `</ul><div id=v hidden><h2 id=h>` +
				`</h2><button id=ad aria-haspopup=true>Add to…</button><div id=po role=dialog aria-label="Shelves" hidden><label><input ` +
				`type=checkbox value=Later>Later</label><label><input type=checkbox value=Loved>Loved</label><label><input type=checkbox ` +
				`value=Lent>Lent</label></div></div><script>for (const o of document.querySelectorAll(".o")) o.onclick = (e) => { ` +
				`e.preventDefault(); h.textContent = o.textContent; v.hidden = false; u.hidden = true }; ad.onclick = () => po.hidden = ` +
				`false; for (const c of po.querySelectorAll("input")) c.onchange = () => tell(h.textContent + " in " + c.value)</script>`
		}, func(p *person.Person, l load) {
			p.Click("link", l.word())
			p.Click("button", "Add to…")
			p.Click("label", pick(l, "Later", "Loved", "Lent"))
		}, []field{{"book", word}, {"shelf shelves", func(l load) string { return pick(l, "Later", "Loved", "Lent") }}},
			func(l load) string { return l.word() + " in " + pick(l, "Later", "Loved", "Lent") }},

		{"cards with a stepper", "Order seeds", func(l load) string {
			return `<h1>Seeds</h1><div class=g>` + each(l.words, `<article class=c style="border:1px solid;padding:6px"><h3>%w</h3><p>`+
				`%i.50</p><button class=dn aria-label="Less">-</button><input class=q value=0 readonly size=2><button class=up `+
				`aria-label="More">+</button></article>`) + `</div><button id=b>Order</button><script>for (const c of ` +
				`document.querySelectorAll(".c")) { const q = c.querySelector(".q"); c.querySelector(".up").onclick = () => q.value++; ` +
				`c.querySelector(".dn").onclick = () => q.value = Math.max(0, q.value - 1) }
b.onclick = () => tell([...document.querySelectorAll(".c")].filter(c => +c.querySelector(".q").value).map(c => ` +
				`c.querySelector("h3").textContent + c.querySelector(".q").value).join())</script>`
		}, func(p *person.Person, l load) {
			for range l.n {
				p.Click("drawing", "article:nth-of-type("+fmt.Sprint(l.pick+1)+") .up")
			}
			p.Click("button", "Order")
		}, []field{{"seed seeds", word}, {"number quantity how many", number}}, func(l load) string { return l.word() + fmt.Sprint(l.n) }},

		{"tree of boxes", "Include a folder in the backup", func(l load) string {
			out := ""
			for i, w := range l.words {
				out += fmt.Sprintf(`<li role=treeitem aria-expanded=false><span class=tg>▸</span> <span>Disk %d</span><ul role=group `+
					`hidden><li role=treeitem><label><input type=checkbox value="%s">%s</label></li><li role=treeitem><label><input `+
					`type=checkbox value="x%d">Temp %d</label></li></ul></li>`, i+l.n, w, w, i, i)
			}
			return `<h1>Backup</h1><ul role=tree>` + out + `</ul><button id=b>Save</button><script>for (const t of ` +
				`document.querySelectorAll(".tg")) t.onclick = () => { const li = t.parentNode, on = li.getAttribute("aria-expanded") === ` +
				`"false"; li.setAttribute("aria-expanded", on); li.querySelector("ul").hidden = !on; t.textContent = on ? "▾" : "▸" }; ` +
				`b.onclick = () => tell([...document.querySelectorAll(":checked")].map(c => c.value).join())</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "[role=tree] > li:nth-of-type("+fmt.Sprint(l.pick+1)+") .tg")
			p.Click("label", l.word())
			p.Click("button", "Save")
		}, one("folder"), say("%w")},

		{"settings in a tab", "Set the quota of a team", func(l load) string {
			return `<h1>Team</h1><div role=tablist><button role=tab aria-selected=true aria-controls=p1>General</button><button ` +
				`role=tab aria-selected=false aria-controls=p2>Limits</button></div><div role=tabpanel id=p1><label>Name <input ` +
				`value="Team"></label></div><div role=tabpanel id=p2 hidden><label>Quota <input id=q type=number value=1></label><label>` +
				`<input type=checkbox id=w> Warn</label></div><button id=b>Save</button><script>for (const t of ` +
				`document.querySelectorAll("[role=tab]")) t.onclick = () => { for (const o of document.querySelectorAll("[role=tab]")) { ` +
				`o.setAttribute("aria-selected", o === t); document.getElementById(o.getAttribute("aria-controls")).hidden = o !== t } }; ` +
				`b.onclick = () => tell(q.value + " " + w.checked)</script>`
		}, func(p *person.Person, l load) {
			p.Click("words", "Limits")
			p.Enter("Quota", fmt.Sprint(l.n*10))
			p.Click("label", "Warn")
			p.Click("button", "Save")
		}, []field{{"quota", func(l load) string { return fmt.Sprint(l.n * 10) }}},
			func(l load) string { return fmt.Sprint(l.n*10) + " true" }},

		{"a range of days", "Request leave", func(l load) string {
			return `<h1>Leave</h1><p>From <b id=f>?</b> to <b id=u>?</b></p><table><caption>March 2026</caption>` +
				`<tr>` + month() + `</tr></table><button id=b>Request</button><script>let n = 0; for (const d of ` +
				`document.querySelectorAll("td button")) d.onclick = () => { (n++ % 2 ? u : f).textContent = d.textContent }; b.onclick = ` +
				`() => tell(f.textContent + "-" + u.textContent)</script>`
		}, func(p *person.Person, l load) {
			p.Click("button", fmt.Sprint(l.n))
			p.Click("button", fmt.Sprint(l.n+4+l.pick))
			p.Click("button", "Request")
		}, []field{{"from start first day date", func(l load) string { return fmt.Sprintf("2026-03-%02d", l.n) }},
			{"to end last until second day_2 date_2", func(l load) string { return fmt.Sprintf("2026-03-%02d", l.n+4+l.pick) }}},
			func(l load) string { return fmt.Sprintf("%d-%d", l.n, l.n+4+l.pick) }},

		{"a new entry of a list", "File an expense", func(l load) string {
			return `<h1>Expense</h1><label>Amount <input id=a></label><label for=k>Category</label><input id=k role=combobox ` +
				`autocomplete=off><ul id=m role=listbox hidden></ul><button id=b>File</button><script>const all = ["Travel", "Meals"]; ` +
				`k.oninput = () => { m.hidden = false; const f = all.filter(x => x.toLowerCase().includes(k.value.toLowerCase())); ` +
				`m.innerHTML = f.map(x => "<li role=option>" + x + "</li>").join("") + (f.length ? "" : "<li role=option>Create “" + ` +
				`k.value + "”</li>"); for (const o of m.children) o.onclick = () => { if (o.textContent.startsWith("Create")) ` +
				`all.push(k.value); else k.value = o.textContent; m.hidden = true } }; b.onclick = () => tell(a.value + " " + k.value)</script>`
		}, func(p *person.Person, l load) {
			p.Enter("Amount", fmt.Sprint(l.n)+".20")
			p.Click("drawing", "#k")
			p.EnterAt(l.word())
			p.Click("drawing", "#m li")
			p.Click("button", "File")
		}, []field{{"amount", func(l load) string { return fmt.Sprint(l.n) + ".20" }}, {"category", word}},
			func(l load) string { return fmt.Sprint(l.n) + ".20 " + l.word() }},
	}
}

// month is the rows of a month of thirty days.
func month() string {
	out := ""
	for d := 1; d <= 30; d++ {
		out += fmt.Sprintf("<td><button>%d</button></td>", d)
		if d%7 == 0 {
			out += "</tr><tr>"
		}
	}
	return out
}

const sightOf = `(w) => { const d = [...document.querySelectorAll(".bd")].find(d => d.textContent === w), r = d && ` +
	`d.getBoundingClientRect();
return r ? {ready: true, count: 1, x: r.x, y: r.y, w: r.width, h: r.height, height: innerHeight} : {ready: true, count: 0} }`
