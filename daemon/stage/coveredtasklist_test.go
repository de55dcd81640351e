package stage

import (
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// covered is a page with a cover to press first, a clock that ticks, the score of the time before, and an instruction.
func covered(instruction, area string) string {
	return `<div id=wrap style="position:relative;width:420px;min-height:360px"><div id=query style="background:#ffa;paddi` +
		`ng:4px">` + instruction +
		`</div><div id=area style="padding:4px">` + area + `</div><div id=cover style="position:absolute;inset:0;background:#eee;` +
		`display:flex;align-items:center;justify-content:center;cursor:pointer;z-index:9">START</div></div><div id=side>Last score: ` +
		`<b id=score>-</b><br>Time left: <span id=left>30</span> s</div><script>cover.onclick = () => { cover.style.displa` +
		`y = "none"; ` +
		`let n = 30; setInterval(() => left.textContent = (n -= .2).toFixed(1), 200) }; score.textContent = Math.random().` +
		`toFixed(2)</script>`
}

// coveredTask is a small task whose page asks for it.
type coveredTask struct {
	name   string
	asks   func(l load) string
	area   func(l load) string
	show   func(p *person.Person, l load)
	fields []field
	did    func(l load) string
}

// film is a form whose lines are called otherwise and stand in another order at each load.
func film(name string, line func(id, caption string) string) coveredTask {
	return coveredTask{name, func(l load) string {
		return `Enter ` + l.words[0] + ` as the year, ` + l.word() + ` as the director and submit.`
	}, func(l load) string {
		a := line("y", []string{"Year:", "Which year?", "Year of release"}[l.n%3])
		b := line("d", []string{"Director", "Director name:", "Who directed"}[l.n%3])
		c := line("g", "Genre")
		return []string{a + b + c, c + b + a, b + a + c}[l.pick%3] + `<button id=b>Submit</button><script>b.onclick = () => ` +
			`tell(document.querySelector(".y").value + " by " + document.querySelector(".d").value)</script>`
	}, func(p *person.Person, l load) {
		p.Click("drawing", ".y")
		p.EnterAt(l.words[0])
		p.Click("drawing", ".d")
		p.EnterAt(l.word())
		p.Click("button", "Submit")
	}, []field{{"year", func(l load) string { return l.words[0] }}, {"director", word}},
		func(l load) string { return l.words[0] + " by " + l.word() }}
}

// coveredTasks are small tasks below a cover and beside a clock; the goal is what the first page asked for.
func coveredTasks() []task {
	at := func(selector string) person.Sight {
		return person.Sight{Script: `(s) => { const e = document.querySelector(s), r = e.getBoundingClientRect(), b = e.pa` +
			`rentNode.getBoundingClientRect(); ` +
			`return r.bottom > b.bottom ? {ready: true, count: 1, wheelX: b.left + 20, wheelY: b.top + 20, wheel: 120} : ` +
			`{ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`, Words: []string{selector}}
	}
	one := func(names string, value func(load) string) []field { return []field{{names, value}} }
	tasks := []coveredTask{
		{"mail: forward", func(l load) string { return `Find the email by ` + l.word() + ` and forward it to ` + l.words[0] + `.` },
			func(l load) string {
				return `<div id=mb><div class=bar>Primary</div>` + each(l.words, `<div class=th data-n="%w" style="cursor:`+
					`pointer;border-bottom:1px solid"><span`+
					` class=from>%w</span><div class=sj>Vel %i nunc</div><div class=bd>Etiam %i...</div><span class="i sr"`+
					`></span></div>`) + `</div>
<div id=one hidden><span class="i bk"></span><div id=o1></div><div id=o2>Etiam lorem ipsum.</div><span class="i rp">R</spa` +
					`n><span class="i fw">F</span></div>
<div id=wr hidden><span class="i cl"></span><span class="i sd">&gt;</span><div><label>to: <input id=to></label></div><text` +
					`area id=tx>Etiam lorem ipsum.</textarea></div>
<style>.i{display:inline-block;width:18px;height:16px;cursor:pointer;background:#ccc;margin:2px}</style><script>let who = "";
const show = (id) => { for (const d of [mb, one, wr]) d.hidden = d.id !== id };
for (const t of document.querySelectorAll(".th")) t.onclick = () => { who = t.dataset.n; o1.textContent = "From " + who; show("one") };
document.querySelector(".fw").onclick = () => show("wr"); document.querySelector(".rp").onclick = () => { to.value = who; show("wr") };
document.querySelector(".bk").onclick = document.querySelector(".cl").onclick = () => show("mb");
document.querySelector(".sd").onclick = () => { show("mb"); tell("sent " + who + " to " + to.value) }</script>`
			}, func(p *person.Person, l load) {
				p.Click("drawing", ".th:nth-of-type("+fmt.Sprint(l.pick+2)+") .sj")
				p.Click("drawing", ".fw")
				p.Click("drawing", "#to")
				p.EnterAt(l.words[0])
				p.Click("drawing", ".sd")
			}, []field{{"sender email mail item from thread", word}, {"to recipient", func(l load) string { return l.words[0] }}},
			func(l load) string { return "sent " + l.word() + " to " + l.words[0] }},

		{"mail: reply", func(l load) string {
			return `Find the email by ` + l.word() + ` and reply to them with the text "Tem ` + l.words[4] + `."`
		}, func(l load) string {
			return `<section><h3>Mail</h3><table id=mb>` + each(l.words, `<tr class=m style="cursor:pointer"><td>%w</td><t`+
				`d>Nisi %i</td><td><img alt="" `+
				`class=st src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='12' height='12'><circle r`+
				`='5' cx='6' cy='6'/></svg>"></td></tr>`) +
				`</table><article id=one hidden><a href="#" class=bk>Inbox</a><h4 id=o1></h4><p>Nisi aute.</p><a href="#" ` +
				`class=rp>Reply</a> <a href="#" class=fw>Forward</a></article>
<form id=wr hidden><p id=wt></p><textarea id=tx placeholder=Message></textarea><button>Send</button></form></section><scri` +
				`pt>let who = "";
for (const m of document.querySelectorAll(".m")) m.onclick = () => { who = m.cells[0].textContent; o1.textContent = who; m` +
				`b.hidden = true; one.hidden = false };
document.querySelector(".rp").onclick = (e) => { e.preventDefault(); one.hidden = true; wr.hidden = false; wt.textContent ` +
				`= "To: " + who };
wr.onsubmit = (e) => { e.preventDefault(); tell("to " + who + ": " + tx.value) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "tr:nth-of-type("+fmt.Sprint(l.pick+1)+") td")
			p.Click("link", "Reply")
			p.Click("drawing", "#tx")
			p.EnterAt("Tem " + l.words[4] + ".")
			p.Click("button", "Send")
		}, []field{{"sender email mail item from", word}, {"message text reply", func(l load) string { return "Tem " + l.words[4] + "." }}},
			func(l load) string { return "to " + l.word() + ": Tem " + l.words[4] + "." }},

		{"posts: a menu's entry", func(l load) string { return `For the user @` + l.word() + `, open the menu and block them.` },
			func(l load) string {
				return each(l.words, `<div class=p><b>%w Lee</b> <i>@%w</i><p>Ut %i enim.</p><span class=b1>↩</span><span `+
					`class=b2>♥</span>`+
					`<span class=mo>•••</span><ul class=mn hidden data-n="%w"><li>Copy link</li><li>Embed</li><li>Block</l`+
					`i></ul></div>`) +
					`<style>.p{border:1px solid;margin:2px}.p span,.mn li{cursor:pointer;margin:4px}</style><script>
for (const m of document.querySelectorAll(".mo")) m.onclick = () => m.nextSibling.hidden = !m.nextSibling.hidden;
for (const x of document.querySelectorAll(".mn li")) x.onclick = () => { x.parentNode.hidden = true; tell(x.textContent + ` +
					`" " + x.parentNode.dataset.n) }</script>`
			}, func(p *person.Person, l load) {
				p.Click("drawing", ".p:nth-of-type("+fmt.Sprint(l.pick+1)+") .mo")
				p.Click("drawing", ".p:nth-of-type("+fmt.Sprint(l.pick+1)+") li:nth-of-type(3)")
			}, one("user post", word), func(l load) string { return "Block " + l.word() }},

		{"a flight", func(l load) string {
			return `Book a flight from ` + l.words[0] + ` to ` + l.word() + ` on 3/` + fmt.Sprint(l.n+10) + ` with the cheapest fare.`
		}, func(l load) string {
			return `<form id=f><h2>Book your one-way flight</h2><input id=fr placeholder="From:"><ul id=fl class=ac></ul><` +
				`input id=tt placeholder="To:"><ul id=tl class=ac></ul>
<p>Departure Date</p><input id=dp readonly><div id=cal hidden></div><button>Search</button></form><div id=res></div><style` +
				`>.ac li{cursor:pointer}</style><script>
const all = ` + js(l.words) + `; for (const [i, u] of [[fr, fl], [tt, tl]]) i.oninput = () => { u.innerHTML = all.filter(w` +
				` => i.value && w.toLowerCase().startsWith(i.value.toLowerCase())).map(w => "<li>" + w + "</li>").join("");
for (const x of u.children) x.onclick = () => { i.value = x.textContent; u.innerHTML = "" } };
dp.onfocus = () => { cal.hidden = false; cal.innerHTML = "<b>March 2026</b><table>" + [0, 1, 2, 3, 4].map(r => "<tr>" + [1` +
				`, 2, 3, 4, 5, 6, 7].map(c => r * 7 + c).map(d => "<td>" + (d < 32 ? "<a href='#'>" + d + "</a>" : "") + "` +
				`</td>").join("") + "</tr>").join("") + "</table>";
for (const a of cal.querySelectorAll("a")) a.onclick = (e) => { e.preventDefault(); dp.value = "03/" + a.textContent.padSt` +
				`art(2, "0") + "/2026"; cal.hidden = true } };
f.onsubmit = (e) => { e.preventDefault(); f.hidden = true; res.innerHTML = "<h3>" + fr.value + " to " + tt.value + ", " + ` +
				`dp.value + "</h3>" + [3, 1, 2].map((k, i) => "<div class=fl><div>Depart " + (6 + k) + ":15</div><button>B` +
				`ook flight for $" + (k * 97 + ` + fmt.Sprint(l.n) + `) + "</button></div>").join("");
res.querySelectorAll("button").forEach((x) => x.onclick = () => tell([fr.value, tt.value, dp.value, x.textContent].join(" ` +
				`"))) }</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#fr")
			p.EnterAt(strings.ToLower(l.words[0][:3]))
			p.Click("drawing", "#fl li")
			p.Click("drawing", "#tt")
			p.EnterAt(l.word()[:3])
			p.Click("drawing", "#tl li")
			p.Click("drawing", "#dp")
			p.Click("drawing", fmt.Sprintf("tr:nth-of-type(%d) td:nth-of-type(%d) a", (l.n+9)/7+1, (l.n+9)%7+1))
			p.Click("button", "Search")
			p.Click("drawing", ".fl:nth-of-type(2) button")
		}, []field{{"from", func(l load) string { return l.words[0] }}, {"to", word},
			{"date departure day", func(l load) string { return fmt.Sprintf("2026-03-%02d", l.n+10) }}}, func(l load) string {
			return fmt.Sprintf("%s %s 03/%02d/2026 Book flight for $%d", l.words[0], l.word(), l.n+10, 97+l.n)
		}},

		{"a terminal", func(l load) string {
			return `Use the terminal to delete the file ` + strings.ToLower(l.word()) + `.txt.`
		},
			func(l load) string {
				return `<div id=tm style="background:#111;color:#eee;height:160px;font-family:monospace" tabindex=0><div i` +
					`d=out>Welcome! Type help.</div><div>user$ <span id=ln></span><span>▮</span></div></div><script>
let s = ""; document.onkeydown = (e) => { if (e.key === "Backspace") s = s.slice(0, -1); else if (e.key === "Enter") { out` +
					`.innerHTML += "<div>user$ " + s + "</div>"; if (s === "ls") out.innerHTML += "<div>` +
					strings.ToLower(strings.Join(l.words, ".txt ")) + `` +
					`.txt</div>"; if (s.startsWith("rm ")) tell(s); s = "" } else if (e.key.length === 1) s += e.key; ln.textC` +
					`ontent = s }</script>`
			}, func(p *person.Person, l load) {
				p.Click("drawing", "#tm")
				p.EnterAt("ls\r")
				p.EnterAt("rm " + strings.ToLower(l.word()) + ".txt\r")
			}, one("file terminal command", func(l load) string { return strings.ToLower(l.word()) + ".txt" }), func(l load) string {
				return "rm " + strings.ToLower(l.word()) + ".txt"
			}},

		{"a search and its third page", func(l load) string {
			return `Use the textbox to enter "` + l.words[0] + `" and press "Search", then find and click the result "` + l.word() + `".`
		}, func(l load) string {
			return `<input id=q><button id=go>Search</button><div id=list></div><div id=pg></div><script>const all = ` +
				js(append([]string{"Wex", "Yul", "Zim"}, l.words...)) + `;
let at = 0; const put = () => { list.innerHTML = all.slice(at * 2, at * 2 + 2).map(w => "<div class=r><a href='#'>" + w + ` +
				`"</a><p>At " + w.length + "</p></div>").join(""); pg.innerHTML = "";
for (const [t, k] of [["<", at - 1], ["1", 0], ["2", 1], ["3", 2], ["4", 3], [">", at + 1]]) { const a = document.createEl` +
				`ement("a"); a.href = "#"; a.textContent = t; a.onclick = (e) => { e.preventDefault(); if (k >= 0 && k < 4` +
				`) { at = k; put() } }; pg.append(a, " ") }
for (const a of list.querySelectorAll("a")) a.onclick = (e) => { e.preventDefault(); tell(q.value + " " + a.textContent) }` +
				` }; go.onclick = put</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#q")
			p.EnterAt(l.words[0])
			p.Click("button", "Search")
			for range (l.pick + 3) / 2 {
				p.Click("link", ">")
			}
			p.Click("link", l.word())
		}, []field{{"textbox search query text", func(l load) string { return l.words[0] }}, {"result item", word}},
			func(l load) string { return l.words[0] + " " + l.word() }},

		film("a form in another order", func(id, caption string) string {
			return `<div><span class=lb>` + caption + `</span><input class=` + id + `></div>`
		}),
		film("labels in other words", func(id, caption string) string {
			return `<p><label for=f` + id + `>` + caption + `</label> <input id=f` + id + ` class=` + id + `></p>`
		}),

		{"an editor of lines", func(l load) string { return `Write "key ` + l.word() + `" into the editor and save.` }, func(l load) string {
			return `<h4>Value</h4><div id=ed style="border:1px solid;height:90px;position:relative;cursor:text;font-family` +
				`:monospace"><div style="overflow:hidden;` +
				`position:absolute;width:3px;height:0;top:4px;left:4px"><textarea id=in autocorrect=off spellcheck=false t` +
				`abindex=0 style="position:absolute;` +
				`bottom:-1em;padding:0;width:1000px;height:1em;outline:none"></textarea></div><div id=ln style="white-spac` +
				`e:pre;min-height:18px"></div></div>` +
				`<button id=b>Save</button><script>let s = ""; const inp = document.getElementById("in"); const put = () =` +
				`> { ln.textContent = s };
ed.onmousedown = (e) => { e.preventDefault(); inp.focus() }; inp.oninput = () => { s += inp.value; inp.value = ""; put() };
inp.onkeydown = (e) => { if (e.key === "Backspace") { s = s.slice(0, -1); put(); e.preventDefault() } }; b.onclick = () =>` +
				` tell("saved " + s)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#ed")
			p.EnterAt("key " + l.word())
			p.Click("button", "Save")
		}, one("value editor key text", func(l load) string { return "key " + l.word() }),
			func(l load) string { return "saved key " + l.word() }},

		{"an order of a list", func(l load) string {
			return `Drag ` + l.word() + ` to the first place of the list and subm` +
				`it.`
		}, func(l load) string {
			return `<ul id=s>` + each(l.words, `<li draggable=true style="cursor:move;padding:6px;border:1px solid">%w</li`+
				`>`) + `</ul><button id=b>Submit</button><script>let d = null;
for (const x of s.children) { x.ondragstart = (e) => { d = x; e.dataTransfer.setData("text", x.textContent) }; x.ondragove` +
				`r = (e) => e.preventDefault(); x.ondrop = (e) => { e.preventDefault(); s.insertBefore(d, x) } }
b.onclick = () => tell([...s.children].map(x => x.textContent).join(" "))</script>`
		}, func(p *person.Person, l load) {
			p.DragTo(at(fmt.Sprintf("#s li:nth-of-type(%d)", l.pick+1)), at("#s li"))
			p.Click("button", "Submit")
		}, []field{{"list item place", word}, {"place_2 item_2 first", func(l load) string { return l.words[0] }}}, func(l load) string {
			out := l.word()
			for _, w := range l.words {
				if w != l.word() {
					out += " " + w
				}
			}
			return out
		}},

		{"a colour of a text", func(l load) string {
			return `Give the text the colour ` + []string{"red", "aqua", "lime", "navy", "teal"}[l.pick] + ` and submit.`
		}, func(l load) string {
			return `<div class=tb><span class="t bo"><b>B</b></span><span class="t it"><i>I</i></span><span class="t co" t` +
				`itle=Color>A</span><div id=pal hidden>` +
				each([]string{"red", "aqua", "lime", "navy", "teal"}, `<span class=c style="background:%w"></span>`) + `</` +
				`div></div><div id=ed contenteditable>` + l.words[0] +
				`</div><button id=b>Submit</button><style>.t,.c{display:inline-block;width:20px;height:20px;border:1px sol` +
				`id;cursor:pointer}</style><script>
document.querySelector(".co").onclick = () => pal.hidden = !pal.hidden; for (const c of document.querySelectorAll(".c")) c` +
				`.onclick = () => { ed.style.color = c.style.background; pal.hidden = true };
b.onclick = () => tell("colour " + ed.style.color)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", ".co")
			p.Click("drawing", fmt.Sprintf("#pal .c:nth-of-type(%d)", l.pick+1))
			p.Click("button", "Submit")
		}, one("colour color text", func(l load) string { return []string{"red", "aqua", "lime", "navy", "teal"}[l.pick] }), func(l load) string {
			return "colour " + []string{"red", "aqua", "lime", "navy", "teal"}[l.pick]
		}},

		{"shapes of a drawing", func(l load) string {
			return `Click on a ` + []string{"red", "green", "blue"}[l.n/3%3] + ` ` + []string{"circle", "square", "triangle"}[l.pick%3] + `.`
		}, func(l load) string {
			out := ""
			for i := range 9 {
				k := (i*4 + l.n*2 + l.pick) % 9
				c, sh := []string{"red", "green", "blue"}[k/3], []string{"circle", "square", "triangle"}[k%3]
				x, y := 20+i%3*60, 20+i/3*50
				what := map[string]string{"circle": fmt.Sprintf(`<circle cx=%d cy=%d r=14`, x, y), "square": fmt.Sprintf(``+
					`<rect x=%d y=%d width=26 height=26`, x-13, y-13),
					"triangle": fmt.Sprintf(`<polygon points="%d,%d %d,%d %d,%d"`, x, y-14, x-14, y+12, x+14, y+12)}[sh]
				out += what + fmt.Sprintf(` fill=%s data-k="%s %s" style="cursor:pointer"/>`, c, c, sh)
			}
			return `<svg width=200 height=160>` + out + `</svg><script>for (const s of document.querySelectorAll("svg > *"` +
				`)) s.onclick = () => tell(s.dataset.k)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", fmt.Sprintf("svg [data-k='%s %s']",
				[]string{"red", "green", "blue"}[l.n/3%3], []string{"circle", "square", "triangle"}[l.pick%3]))
		}, []field{{"colour color shape", func(l load) string {
			return []string{"red", "green", "blue"}[l.n/3%3] + " " + []string{"circle", "square", "triangle"}[l.pick%3]
		}}}, func(l load) string {
			return []string{"red", "green", "blue"}[l.n/3%3] + " " + []string{"circle", "square", "triangle"}[l.pick%3]
		}},

		{"buttons one after the other", func(l load) string {
			return `Click button ` + l.word() + `, then click button ` + l.words[0] + `` +
				`.`
		}, func(l load) string {
			return `<div style="position:relative;height:120px">` + each(l.words, `<button class=x style="position:absolut`+
				`e;left:calc(%i*70px);top:calc(%i*15px)">%w</button>`) + `</div><script>let s = [];
for (const x of document.querySelectorAll(".x")) x.onclick = () => { s.push(x.textContent); if (s.length === 2) tell(s.joi` +
				`n(" ")) }</script>`
		}, func(p *person.Person, l load) { p.Click("button", l.word()); p.Click("button", l.words[0]) },
			[]field{{"button", word}, {"button_2 button", func(l load) string { return l.words[0] }}},
			func(l load) string { return l.word() + " " + l.words[0] }},

		{"a menu in a menu", func(l load) string { return `Select ` + l.words[0] + ` > ` + l.word() + ` from the menu.` }, func(l load) string {
			return `<ul class=mm>` + each(l.words[:2], `<li class=top><div>%w</div><ul class=sub>`+strings.ReplaceAll(each(l.words[1:], ``+
				`<li class=lf>%w</li>`), "%w", "")+`</ul></li>`) +
				`</ul><style>.mm{width:120px}.mm li{cursor:pointer;border:1px solid;list-style:none}.sub{display:none}.top` +
				`:hover .sub{display:block}</style><script>
for (const x of document.querySelectorAll(".lf")) x.onclick = () => tell(x.parentNode.previousSibling.textContent + " " + ` +
				`x.textContent)</script>`
		}, func(p *person.Person, l load) {
			p.Click("drawing", ".top:nth-of-type(1) > div")
			p.Click("drawing", fmt.Sprintf(".top:nth-of-type(1) .lf:nth-of-type(%d)", l.pick))
		}, []field{{"menu entry category", func(l load) string { return l.words[0] }}, {"entry item menu_2 entry_2", word}},
			func(l load) string { return l.words[0] + " " + l.word() }},

		{"agree below a long text", func(l load) string {
			return `Scroll through the text, then sign as ` + l.word() + ` a` +
				`nd press Accept.`
		}, func(l load) string {
			return `<div style="height:90px;overflow:auto" id=sc>` + strings.Repeat(`<p>Lorem ipsum dolor sit amet.</p>`, 12) + `` +
				`<input id=nm placeholder="Your name"></div>` +
				`<button>Decline</button><button id=b>Accept</button><script>b.onclick = () => tell("signed " + nm.value)</script>`
		}, func(p *person.Person, l load) {
			p.Press(at("#nm"))
			p.EnterAt(l.word())
			p.Click("button", "Accept")
		}, one("name", word), func(l load) string { return "signed " + l.word() }},

		{"food in a list of plates", func(l load) string {
			return `Order ` + fmt.Sprint(l.n/2) + ` of ` + l.word() + `.`
		}, func(l load) string {
			return `<table>` + each(l.words, `<tr class=fd><td>%w<br><small>Fresh %i</small></td><td>$%i.50</td><td><span `+
				`class=mi>-</span> <span class=ct>0</span> <span class=pl>+</span></td></tr>`) +
				`</table><a href="#" id=b>Place order</a><style>.mi,.pl{cursor:pointer;border:1px solid;padding:2px 6px}</` +
				`style><script>for (const r of document.querySelectorAll(".fd")) { const c = r.querySelector(".ct");
r.querySelector(".pl").onclick = () => c.textContent = +c.textContent + 1; r.querySelector(".mi").onclick = () => c.textCo` +
				`ntent = Math.max(0, c.textContent - 1) }
b.onclick = (e) => { e.preventDefault(); tell([...document.querySelectorAll(".fd")].filter(r => +r.querySelector(".ct").te` +
				`xtContent).map(r => r.querySelector(".ct").textContent + " " + r.cells[0].firstChild.textContent).join()) }</script>`
		}, func(p *person.Person, l load) {
			for range l.n / 2 {
				p.Click("drawing", "tr:nth-of-type("+fmt.Sprint(l.pick+1)+") .pl")
			}
			p.Click("link", "Place order")
		}, []field{{"food plate item product order", word}, {"number quantity how many", func(l load) string { return fmt.Sprint(l.n / 2) }}},
			func(l load) string { return fmt.Sprint(l.n/2) + " " + l.word() }},
	}
	var out []task
	for _, c := range tasks {
		out = append(out, task{c.name, c.asks(loads[0]),
			func(l load) string { return covered(c.asks(l), c.area(l)) }, func(p *person.Person, l load) {
				p.Click("words", "START")
				c.show(p, l)
			}, c.fields, c.did})
	}
	return out
}
