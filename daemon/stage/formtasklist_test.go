package stage

import (
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// formTasks are small tasks of further constructions: grids, folds, trees, cards and details.
func formTasks() []task {
	one := func(names string) []field { return []field{{names, word}} }
	say := func(form string) func(l load) string {
		return func(l load) string {
			return strings.NewReplacer("%w", l.word(), "%n", fmt.Sprint(l.n), "%s", strings.ReplaceAll(l.several(), ", ", ",")).Replace(form)
		}
	}
	return []task{
		{"ARIA grid of seats", "Reserve a seat", func(l load) string {
			out := `<div role=row><span role=columnheader>Row</span>` + each([]string{"Window", "Middle", "Aisle"},
				`<span role=columnheader>%w</span>`) + `</div>`
			for _, w := range l.words {
				out += `<div role=row><span role=rowheader>` + w + `</span>` + each([]string{"Window", "Middle", "Aisle"},
					`<span role=gridcell><a role=button tabindex=0 class=s data-k="`+w+` %w">take</a></span>`) + `</div>`
			}
			return `<h1>Seats</h1><div role=grid aria-label=Seats>` + out + `</div><style>[role=row]{display:flex}[role=row]>*{` +
				`width:90px}</style><script>for (const s of document.querySelectorAll(".s")) s.onclick = () => tell(s.dataset.k)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", fmt.Sprintf("[role=row]:nth-of-type(%d) [role=gridcell]:nth-of-type(%d) .s", l.pick+2, l.n%3+2))
		}, []field{{"row seat", word}, {"column place kind seat_2", func(l load) string {
			return []string{"Window", "Middle",
				"Aisle"}[l.n%3]
		}}}, func(l load) string { return l.word() + " " + []string{"Window", "Middle", "Aisle"}[l.n%3] }},

		{"hearts", "Set how spicy the dish is", func(l load) string {
			return `<h1>Dish</h1><p>Spicy</p><ul class=h>` + strings.Repeat(`<li><button type=button class=hb>🌶</button></li>`,
				5) + `</ul><p>Sweet</p><ul class=h>` + strings.Repeat(`<li><button type=button class=hc>🍬</button></li>`,
				5) + `</ul><button id=b>Save</button><style>.h{display:flex;list-style:none}</style><script>let k = 0; [...documen` +
				`t.querySelectorAll(".hb")].forEach((x, i) => x.onclick = () => k = i + 1); b.onclick = () => tell("spicy " + k)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "li:nth-of-type("+fmt.Sprint(l.pick+1)+") .hb")
			p.Click("button", "Save")
		}, []field{{"spicy dish level", func(l load) string { return fmt.Sprint(l.pick + 1) }}},
			func(l load) string { return fmt.Sprint("spicy ", l.pick+1) }},

		{"profile after profile", "Follow a person", func(l load) string {
			return `<h1>People you may know</h1><section id=c></section><button id=pv>‹</button><button id=nx>›</button><script` +
				`>const all = ` + js(l.words) + `; let i = 0; const put = () => { c.innerHTML = "<h3>" + all[i] + "</h3><p>Lives s` +
				`omewhere</p><button>Follow</button>"; c.lastChild.onclick = () => tell("followed " + all[i]) }; put(); nx.onclick` +
				` = () => { i = (i + 1) % all.length; put() }; pv.onclick = () => { i = (i + all.length - 1) % all.length; put() }</script>`
		}, func(p *person.Person, l load) {
			for range l.pick {
				p.Click("button", "›")
			}
			p.Click("button", "Follow")
		}, one("person name"), say("followed %w")},

		{"profiles without a heading", "Follow a person", func(l load) string {
			return `<h1>People</h1><section id=c></section><button id=nx>Next</button><script>const all = ` + js(l.words) + `; let i = 0;
const put = () => { c.innerHTML = "<div>" + all[i] + "</div><button>Follow</button>";
c.lastChild.onclick = () => tell("followed " + all[i]) }; put(); nx.onclick = () => { i = (i + 1) % all.length; put() }</script>`
		}, func(p *person.Person, l load) {
			for range l.pick {
				p.Click("button", "Next")
			}
			p.Click("button", "Follow")
		}, one("person name"), say("followed %w")},

		{"questions in folds", "Report an answer of the help", func(l load) string {
			out := ""
			for i, w := range l.words {
				out += fmt.Sprintf(`<div class=q><button aria-expanded=false aria-controls=a%d>Topic %d</button><div id=a%d hidden`+
					`><p>About %s. <a href="#" class=r data-w="%s">Report %s</a></p></div></div>`, i, l.n*10+i, i, w, w, w)
			}
			return `<h1>Help</h1>` + out + `<script>for (const x of document.querySelectorAll(".q > button")) x.onclick = () =>` +
				` { const a = document.getElementById(x.getAttribute("aria-controls")), on = a.hidden; a.hidden = !on; x.setAttrib` +
				`ute("aria-expanded", on) }; for (const r of document.querySelectorAll(".r")) r.onclick = (e) => { e.preventDefaul` +
				`t(); tell("reported " + r.dataset.w) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("button", "Topic "+fmt.Sprint(l.n*10+l.pick))
			p.Click("link", "Report "+l.word())
		}, one("answer topic"), say("reported %w")},

		{"rows of a list with a number", "Set how many of a part are in stock", func(l load) string {
			return `<h1>Stock</h1><ul>` + each(l.words,
				`<li class=p><strong>%w</strong><input type=number value=%i aria-label=Amount><button class=k>Keep</button></li`+
					`>`) + `</ul><script>for (const k of document.querySelectorAll(".k")) k.onclick = () => { const r = k.parentNode; ` +
				`tell(r.querySelector("strong").textContent + "=" + r.querySelector("input").value) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "li:nth-of-type("+fmt.Sprint(l.pick+1)+") input")
			p.EnterAt("")
			p.Write(person.Sight{Script: fieldSight, Words: []string{fmt.Sprint(l.pick)}}, fmt.Sprint(l.n*7))
			p.Click("drawing", "li:nth-of-type("+fmt.Sprint(l.pick+1)+") .k")
		}, []field{{"part", word}, {"amount number", func(l load) string { return fmt.Sprint(l.n * 7) }}},
			func(l load) string { return l.word() + "=" + fmt.Sprint(l.n*7) }},

		{"several entries of a menu of boxes", "Show columns", func(l load) string {
			return `<h1>Report</h1><button id=o aria-haspopup=true>Columns</button><div id=m role=menu hidden>` + each(l.words,
				`<div role=menuitemcheckbox aria-checked=false tabindex=-1 class=i>%w</div>`) + `</div><button id=b>Apply</button>` +
				`<script>o.onclick = () => m.hidden = !m.hidden; for (const i of document.querySelectorAll(".i")) i.onclick = () =` +
				`> i.setAttribute("aria-checked", i.getAttribute("aria-checked") === "false"); b.onclick = () => tell([...document` +
				`.querySelectorAll("[aria-checked=true]")].map(i => i.textContent).join())</script>`
		}, func(p *person.Person, l load) {
			p.Click("button", "Columns")
			for _, i := range l.picks {
				p.Click("words", l.words[i])
			}
			p.Click("button", "Columns")
			p.Click("button", "Apply")
		}, []field{{"columns column", load.several}}, say("%s")},

		{"swatches as radio buttons", "Paint the wall", func(l load) string {
			cs := []string{"#d01010", "#10a020", "#1030d0", "#f09000", "#801090"}
			out := ""
			for i := range cs {
				c := cs[(i+l.n)%5]
				out += `<label class=sw style="background:` + c + `;display:inline-block;width:24px;height:24px"><input type=radio` +
					` name=c value="` + c + `" style="position:absolute;opacity:0"></label>`
			}
			return `<h1>Wall</h1><div>` + out + `</div><button id=b>Paint</button><script>b.onclick = () => tell(document.query` +
				`Selector(":checked").value)</script>`
		}, func(p *person.Person, l load) {
			c := []string{"#d01010", "#10a020", "#1030d0", "#f09000", "#801090"}[l.pick]
			p.Click("drawing", ".sw:has([value='"+c+"'])")
			p.Click("button", "Paint")
		}, []field{{"colour color wall", func(l load) string { return []string{"red", "green", "blue", "orange", "purple"}[l.pick] }}},
			func(l load) string { return []string{"#d01010", "#10a020", "#1030d0", "#f09000", "#801090"}[l.pick] }},

		{"approve in a row, with a note", "Approve a request with a note", func(l load) string {
			return `<h1>Requests</h1><div class=l>` + each(l.words,
				`<div class=r><span class=w>%w</span><span class=x>open</span><button class=a>Approve</button></div>`) + `</div><d` +
				`ialog id=d><h2 id=h></h2><label>Note <textarea id=t></textarea></label><button id=ok>Confirm</button></dialog><sc` +
				`ript>let who = ""; for (const a of document.querySelectorAll(".a")) a.onclick = () => { who = a.parentNode.queryS` +
				`elector(".w").textContent; h.textContent = "Approve " + who; t.value = ""; d.showModal() }; ok.onclick = () => { ` +
				`d.close(); tell(who + " with " + t.value) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", ".r:nth-of-type("+fmt.Sprint(l.pick+1)+") .a")
			p.Enter("Note", "Fine for "+l.words[0])
			p.Click("button", "Confirm")
		}, []field{{"request", word}, {"note", func(l load) string { return "Fine for " + l.words[0] }}},
			func(l load) string { return l.word() + " with Fine for " + l.words[0] }},

		{"find in a long folder tree", "Download a file", func(l load) string {
			out := ""
			for i, w := range l.words {
				out += fmt.Sprintf(`<li><span class=f>📁 box %d</span><ul hidden><li><span class=f>📁 inner %d</span><ul hidden><li>`+
					`<a href="#" class=d data-w="%s">%s.txt</a></li></ul></li></ul></li>`, i+l.n, i, w, w)
			}
			return `<h1>Files</h1><ul>` + out + `</ul><style>.f{cursor:pointer}</style><script>for (const f of document.querySe` +
				`lectorAll(".f")) f.onclick = () => f.nextSibling.hidden = !f.nextSibling.hidden; for (const d of document.querySe` +
				`lectorAll(".d")) d.onclick = (e) => { e.preventDefault(); tell("got " + d.dataset.w) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("words", "📁 box "+fmt.Sprint(l.pick+l.n))
			p.Click("words", "📁 inner "+fmt.Sprint(l.pick))
			p.Click("link", l.word()+".txt")
		}, []field{{"file", func(l load) string { return l.word() + ".txt" }}}, say("got %w")},

		{"assign in a list beside its details", "Assign a task to somebody", func(l load) string {
			return `<h1>Tasks</h1><div style="display:flex"><div id=u>` + each(l.words,
				`<div class=t tabindex=0 style="cursor:pointer;padding:4px">Task %w</div>`) + `</div><aside id=v hidden><h2 id=h><` +
				`/h2><label>Assignee <select id=s><option>Nobody</option><option>Ann</option><option>Bo</option><option>Cy</option` +
				`></select></label><button id=b>Save</button></aside></div><script>for (const t of document.querySelectorAll(".t")` +
				`) t.onclick = () => { h.textContent = t.textContent; v.hidden = false; s.value = "Nobody" }; b.onclick = () => te` +
				`ll(h.textContent + " to " + s.value)</script>`
		}, func(p *person.Person, l load) {
			p.Click("words", "Task "+l.word())
			p.Choose("Assignee", []string{"Ann", "Bo", "Cy"}[l.n/3%3])
			p.Click("button", "Save")
		}, []field{{"task", func(l load) string { return "Task " + l.word() }}, {"assignee", func(l load) string {
			return []string{"Ann",
				"Bo", "Cy"}[l.n/3%3]
		}}}, func(l load) string { return "Task " + l.word() + " to " + []string{"Ann", "Bo", "Cy"}[l.n/3%3] }},

		{"numbers by arrows in a card", "Choose rooms and guests", func(l load) string {
			c := func(name string) string {
				return `<div class=c><div>` + name + `</div><div><span class=d role=button tabindex=0>–</span><span class=v>1</spa` +
					`n><span class=u role=button tabindex=0>+</span></div></div>`
			}
			return `<h1>Stay</h1>` + c("Rooms") + c("Guests") + `<button id=b>Search</button><script>for (const x of document.q` +
				`uerySelectorAll(".c")) { const v = x.querySelector(".v"); x.querySelector(".u").onclick = () => v.textContent++; ` +
				`x.querySelector(".d").onclick = () => v.textContent-- } b.onclick = () => tell([...document.querySelectorAll(".v"` +
				`)].map(v => v.textContent).join("/"))</script>`
		}, func(p *person.Person, l load) {
			for range len(l.picks) {
				p.Click("drawing", ".c:nth-of-type(1) .u")
			}
			for range l.n - 1 {
				p.Click("drawing", ".c:nth-of-type(2) .u")
			}
			p.Click("button", "Search")
		}, []field{{"rooms", func(l load) string { return fmt.Sprint(len(l.picks) + 1) }}, {"guests", number}},
			func(l load) string { return fmt.Sprintf("%d/%d", len(l.picks)+1, l.n) }},

		{"captions without a box", "Add a repair", func(l load) string {
			field := func(caption, more string) string {
				return `<div class=field><div style="display:contents"><div class=caption><span>` + caption +
					`</span></div></div><div><div>` + more + `</div></div></div>`
			}
			return `<h1>New repair</h1>` + field("Customer", `<input id=c autocomplete=off placeholder="Enter a value...">`) +
				field("Bicycle", `<input id=k autocomplete=off placeholder="Enter a value...">`) +
				field("State", `<div class=box id=sb style="cursor:pointer;border:1px solid;width:200px">`+
					`<input id=st readonly style="pointer-events:none" placeholder="Select an item..."></div>`) +
				field("Priority", `<div class=box style="cursor:pointer;border:1px solid;width:200px"><input readonly style="pointer-events:none" `+
					`placeholder="Select an item..."></div>`) +
				`<div id=list hidden style="position:absolute;background:#fff"><ul>` + each(l.words, `<li style="cursor:pointer">%w</li>`) +
				`</ul></div><button id=b>Save</button><script>sb.onclick = () => list.hidden = false; ` +
				`for (const o of list.querySelectorAll("li")) o.onclick = () => { st.value = o.textContent; list.hidden = true }; ` +
				`b.onclick = () => tell([c.value, k.value, st.value].join())</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#k")
			p.EnterAt("K " + l.words[4])
			p.Click("drawing", "#c")
			p.EnterAt("Mr " + l.words[0])
			p.Click("drawing", "#sb")
			p.Click("words", l.word())
			p.Click("button", "Save")
		}, []field{{"customer", func(l load) string { return "Mr " + l.words[0] }}, {"bicycle", func(l load) string { return "K " + l.words[4] }},
			{"state", word}}, func(l load) string { return "Mr " + l.words[0] + ",K " + l.words[4] + "," + l.word() }},

		{"a new user without a form", "Add a user", func(l load) string {
			out := ""
			for _, f := range []string{"First name", "Last name", "Email", "Location", "Phone", "Title"} {
				out += `<div><div>` + f + `</div><input class=f></div>`
			}
			return `<main><h1>Adding a user</h1>` + out + `<div><div>Password</div><input type=password autocomplete=new-password></div>` +
				`<div><div>Description</div><textarea></textarea></div><button id=b>Save</button></main><script>b.onclick = () => ` +
				`tell([...document.querySelectorAll(".f")].slice(0, 3).map(x => x.value).join())</script>`
		}, func(p *person.Person, l load) {
			for i, v := range []string{l.words[0], l.words[1], strings.ToLower(l.words[0]) + "@mail.example"} {
				p.Click("drawing", fmt.Sprintf("main > div:nth-of-type(%d) .f", i+1))
				p.EnterAt(v)
			}
			p.Click("button", "Save")
		}, []field{{"first first_name", func(l load) string { return l.words[0] }}, {"last last_name", func(l load) string { return l.words[1] }},
			{"email", func(l load) string { return strings.ToLower(l.words[0]) + "@mail.example" }}}, func(l load) string {
			return l.words[0] + "," + l.words[1] + "," + strings.ToLower(l.words[0]) + "@mail.example"
		}},
	}
}

const fieldSight = `(w) => { const d = document.querySelectorAll("li input")[+w], r = d && d.getBoundingClientRect();
return r ? {ready: true, count: 1, x: r.x, y: r.y, w: r.width, h: r.height, height: innerHeight, value: d.value, focus` +
	`ed: document.activeElement === d} : {ready: true, count: 0} }`
