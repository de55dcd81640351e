package stage

import (
	"fmt"
	"strings"

	"showhow/bench/corpus/person"
)

// asked is a page with an instruction above what it is about.
func asked(instruction, area string) string {
	return `<div id=query>` + instruction + `</div><div id=area>` + area + `</div>`
}

func smallTasks() []task {
	one := func(names string) []field { return []field{{names, word}} }
	click := func(kind string) func(p *person.Person, l load) {
		return func(p *person.Person, l load) { p.Click(kind, l.word()) }
	}
	then := func(button string, first func(p *person.Person, l load)) func(p *person.Person, l load) {
		return func(p *person.Person, l load) { first(p, l); p.Click("button", button) }
	}
	say := func(form string) func(l load) string {
		return func(l load) string {
			return strings.NewReplacer("%w", l.word(), "%n", fmt.Sprint(l.n), "%s", strings.ReplaceAll(l.several(), ", ", ",")).Replace(form)
		}
	}
	return []task{
		{"several boxes", "Tick the words and submit", func(l load) string {
			return asked("Select "+l.several()+" and click Submit.", each(l.words, `<label><input type=checkbox id=ch%i>%w</label><br>`)+
				`<button id=b class=secondary-action>Submit</button><script>b.onclick = () => tell([...document.querySelectorAll(":check`+
				`ed")].map(x => x.parentNode.textContent).join())</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			for _, i := range l.picks {
				p.Click("label", l.words[i])
			}
		}), []field{{"words word select boxes", load.several}}, say("%s")},

		{"radio without a group", "Choose a word and submit", func(l load) string {
			return asked("Select "+l.word()+" and click Submit.", each(l.words, `<label><input type=radio name=radio id=ch%i>%w</label><br>`)+
				`<button id=b>Submit</button><script>b.onclick = () => tell(document.querySelector(":checked").parentNode.textContent)</script>`)
		}, then("Submit", click("label")), one("word choice radio select"), say("%w")},

		{"button", "Click the button with a name", func(l load) string {
			return asked(`Click on the "`+l.word()+`" button.`, each(l.words, `<button onclick="tell('%w')">`+
				`%w</button>`)+`<input type=text><p>lorem ipsum</p>`)
		}, click("button"), one("button name"), say("%w")},

		{"select", "Choose an entry of the list and submit", func(l load) string {
			return asked("Select "+l.word()+" from the list and click Submit.", `<select id=options style="width:150px">`+
				each(l.words, `<option>%w</option>`)+
				`</select><button id=b>Submit</button><script>b.onclick = () => tell(options.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#options")
			p.EnterAt(l.word() +
				"\r")
		}), one("entry list option select"), say("%w")},

		{"drawn select", "Choose a size and go on", func(l load) string {
			return asked("Choose "+l.word()+" and go on.", `<label for=sel>Size</label><select id=sel style="display:none">`+
				`</select><span class=w><span tabindex=0 id=sb role=combobox aria-expanded=false `+
				`aria-haspopup=true class=sb><span class=tx>&nbsp;</span></span></span>`+
				`<div class=menu><ul id=mn role=listbox tabindex=-1 hidden>`+each(l.words, `<li class=it><div `+
				`id=ui-id-%i tabindex=-1 role=option>%w</div></li>`)+
				`</ul></div><button id=b>Go on</button><script>sb.onclick = () => mn.hidden = !mn.hidden; for `+
				`(const d of mn.querySelectorAll("div")) d.onclick = () => { sb.firstChild.textContent `+
				`= d.textContent; mn.hidden = true }
b.onclick = () => tell(sb.textContent)</script>`)
		}, then("Go on", func(p *person.Person, l load) { p.Click("drawing", "#sb"); p.Click("words", l.word()) }), one("size"), say("%w")},

		{"tabs", "Open the tab and press the link in it", func(l load) string {
			return asked("Switch between the tabs to find and click on the link in "+l.word()+".", `<div id=tabs><ul role=tablist>`+
				each(l.words, `<li role=tab tabindex=-1 aria-controls=t%i aria-selected=false><a href="#t%i" `+
					`role=presentation tabindex=-1 id="ui-id-%i">%w</a></li>`)+`</ul>`+
				each(l.words, `<div id=t%i role=tabpanel hidden><p>Lorem ipsum <span class=alink style="cursor:pointer;`+
					`color:blue" onclick="tell('%w')">dolor</span> sit.</p></div>`)+
				`</div><script>for (const a of document.querySelectorAll("#tabs a")) a.onclick = (e) => { e.preventDefault();`+
				` for (const d of document.querySelectorAll("[role=tabpanel]")) d.hidden = "#" + `+
				`d.id !== a.getAttribute("href"); `+
				`for (const x of document.querySelectorAll("[role=tab]")) x.setAttribute("aria-selected", x === a.parentNode) }</script>`)
		}, func(p *person.Person, l load) { p.Click("words", l.word()); p.Click("words", "dolor") }, one("tab"), say("%w")},

		{"accordion", "Expand the section with a name and submit", func(l load) string {
			return asked("Expand the section "+l.word()+" and click Submit.", `<div id=acc role=tablist>`+
				each(l.words, `<h3 role=tab class=hd id=ui-id-%i tabindex=-1 aria-expanded=false style="cursor:pointer">`+
					`<span class=ico></span>%w</h3><div role=tabpanel hidden>Sit amet %i.<br><button `+
					`onclick="tell('%w')">Submit</button></div>`)+
				`</div><script>for (const h of document.querySelectorAll("h3")) h.onclick = () => { for (const `+
				`o of document.querySelectorAll("h3")) { const on = o === h && o.nextElementSibling.hidden;`+
				` o.nextElementSibling.hidden = !on; o.setAttribute("aria-expanded", on) } }</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "h3:nth-of-type("+fmt.Sprint(l.pick+
				1)+")")
		}), one("section"), say("%w")},

		{"dialog", "Close the dialog", func(l load) string {
			return asked("Close the dialog box by clicking the x.", `<div id=d role=dialog aria-labelledby=dt `+
				`style="border:1px solid"><div class=bar><span id=dt>`+l.word()+
				`</span><button type=button class=cl title=Close id=x><span class=ico></span></button></div>`+
				`<p>Lorem `+l.words[0]+`</p></div><style>.cl{width:20px;height:20px}</style><script>`+
				`x.onclick = () => { d.remove(); tell("closed") }</script>`)
		}, func(p *person.Person, _ load) { p.Click("drawing", "#x") }, nil, say("closed")},

		{"dialog button", "Press a button of the dialog", func(l load) string {
			return asked(`Click the button in the dialog box labeled "`+l.word()+`".`, `<div id=d role=dialog `+
				`aria-labelledby=dt style="border:1px solid"><div class=bar><span id=dt>Note</span>`+
				`<button type=button title=Close id=x>x</button></div><p>Lorem</p><div class=pane>`+
				`<div class=set>`+
				each(l.words[:4], `<button type=button class=ui-button>%w</button>`)+`</div></div></div><script>`+
				`for (const b of document.querySelectorAll(".set button")) b.onclick = () => { d.remove();`+
				` tell(b.textContent) }</script>`)
		}, click("button"), one("button"), say("%w")},

		{"enter what is said", "Enter the text and submit", func(l load) string {
			return asked(`Enter "`+l.word()+`" into the text field and press Submit.`, `<input type=text `+
				`id=tt><button id=b>Submit</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) { p.Click("drawing", "#tt"); p.EnterAt(l.word()) }), one("text"), say("%w")},

		{"copy", "Copy the text into the field and submit", func(l load) string {
			return asked("Copy the text in the textarea below, paste it into the textbox and press Submit.",
				`<textarea id=tx rows=3>`+l.word()+` dolor `+l.words[0]+`</textarea><input type=text `+
					`id=tt><button id=b>Submit</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#tt")
			p.EnterAt(l.word() + " dolor " + l.words[0])
		}), nil, func(l load) string { return l.word() + " dolor " + l.words[0] }},

		{"a code beside a label", "Enter the code that the page shows and confirm", func(l load) string {
			return asked("Confirm with the code.", `<table><tr><td>Room</td><td>`+l.words[0]+`</td></tr><tr>`+
				`<td>Code</td><td id=c>K`+fmt.Sprint(l.n*1371)+`</td></tr></table><label>Confirmation `+
				`<input id=tt></label><button id=b>Confirm</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Confirm", func(p *person.Person, l load) { p.Enter("Confirmation", "K"+fmt.Sprint(l.n*1371)) }),
			nil, func(l load) string { return "K" + fmt.Sprint(l.n*1371) }},

		{"password twice", "Enter the password twice and submit", func(l load) string {
			return asked(`Enter "`+l.word()+`" into both fields and press submit.`, `<p>Password <input type=password `+
				`id=p1></p><p>Verify password <input type=password id=p2></p><button id=b>Submit</button>`+
				`<script>b.onclick = () => tell(p1.value + "|" + p2.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#p1")
			p.EnterAt(l.word())
			p.Click("drawing", "#p2")
			p.EnterAt(l.word())
		}), one("password"), say("%w|%w")},

		{"log in", "Log in with a name and a password", func(l load) string {
			return asked(`Enter the username "`+l.words[0]+`" and the password "`+l.word()+`" and press login.`,
				`<p><label class=bold>Username</label><input type=text id=u></p><p><label class=bold>`+
					`Password</label><input type=password id=pw></p><button id=b>Login</button><script>`+
					`b.onclick = () => tell(u.value + "|" + pw.value)</script>`)
		}, then("Login", func(p *person.Person, l load) {
			p.Click("drawing", "#u")
			p.EnterAt(l.words[0])
			p.Click("drawing", "#pw")
			p.EnterAt(l.word())
		}), []field{{"username user name", func(l load) string { return l.words[0] }}, {"password",
			word}}, func(l load) string { return l.words[0] + "|" + l.word() }},

		{"native date", "Enter the date and submit", func(l load) string {
			return asked("Enter "+l.date+" as the date and hit submit.", `<input type=date id=tt><button `+
				`id=b>Submit</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#tt")
			p.EnterAt("")
			p.Segments("#tt", l.date)
		}), []field{{"date", func(l load) string { return l.date }}}, func(l load) string { return l.date }},

		{"native time", "Enter the time and submit", func(l load) string {
			return asked("Enter "+l.time+" as the time and hit submit.", `<input type=time id=tt><button `+
				`id=b>Submit</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) { p.Segments("#tt", l.time) }), []field{{"time",
			func(l load) string { return l.time }}}, func(l load) string { return l.time }},

		{"spinner", "Set the number with the arrows and submit", func(l load) string {
			return asked("Select "+fmt.Sprint(l.n)+" with the spinner and hit Submit.", `<span class=sp><input `+
				`id=spinner value=0 role=spinbutton aria-valuenow=0 autocomplete=off><a tabindex=-1 `+
				`class="up" role=button id=up><span class=ico>&#9650;</span></a><a tabindex=-1 class="down" `+
				`role=button id=dn><span class=ico>&#9660;</span></a></span>`+
				`<button id=b>Submit</button><script>const put = (v) => { spinner.value = v; spinner.setAttribute("aria-valuenow", `+
				`v) }; up.onclick = () => put(+spinner.value + 1); dn.onclick = () => put(+spinner.value `+
				`- 1); b.onclick = () => tell(spinner.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			for range l.n {
				p.Click("drawing", "#up")
			}
		}), []field{{"number spinner value", number}}, say("%n")},

		{"stepper", "Choose how many and add", func(l load) string {
			return asked("Order "+fmt.Sprint(l.n)+".", `<div class=row><span>Guests</span> <button id=dn>`+
				`-</button> <output id=v>1</output> <button id=up>+</button></div><button id=b>Add</button>`+
				`<script>up.onclick = () => v.textContent++; dn.onclick = () => v.textContent--;`+
				` b.onclick = () => tell(v.textContent)</script>`)
		}, then("Add", func(p *person.Person, l load) {
			for range l.n - 1 {
				p.Click("button", "+")
			}
		}), []field{{"guests number", number}}, say("%n")},

		{"slider by keys", "Set the slider and submit", func(l load) string {
			return asked("Select "+fmt.Sprint(l.n)+" with the slider and hit Submit.", slider)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#h")
			p.Key("ArrowRight",
				39, l.n)
		}), []field{{"slider value number", number}}, say("%n")},

		{"slider by hand", "Set the slider and submit", func(l load) string {
			return asked("Select "+fmt.Sprint(l.n)+" with the slider and hit Submit.", slider)
		}, then("Submit", func(p *person.Person, l load) { p.Pull("#h", float64(l.n)*10, 0) }), []field{{"slider value number",
			number}}, say("%n")},

		{"two handles", "Set red and blue and mix", func(l load) string {
			line := `<p>%w <b class=v>0</b></p><div style="position:relative;width:200px;height:8px;margin:9px"><span ` +
				`tabindex=0 class=h style="position:absolute;left:0;top:-4px;width:12px;height:16px;background:#888"></span></div>`
			return asked("Set them to "+fmt.Sprint(l.n)+" and "+fmt.Sprint(len(l.picks)+3)+".", each([]string{"Red", "Blue"}, line)+
				`<button id=b>Mix</button><script>const vs = document.querySelectorAll(".v");
document.querySelectorAll(".h").forEach((h, i) => h.onkeydown = (e) => { const d = { ArrowRight: 1, ArrowLeft: -1 }[e.key]; if (!d) return;
e.preventDefault(); vs[i].textContent = Math.max(0, +vs[i].textContent + d); h.style.left = vs[i].textContent * 10 + "px" });
b.onclick = () => tell(vs[0].textContent + "," + vs[1].textContent)</script>`)
		}, then("Mix", func(p *person.Person, l load) {
			for i, n := range []int{l.n, len(l.picks) + 3} {
				p.Click("drawing", "#area div:nth-of-type("+fmt.Sprint(i+1)+") .h")
				p.Key("ArrowRight", 39, n)
			}
		}), []field{{"red", number}, {"blue", func(l load) string { return fmt.Sprint(len(l.picks) + 3) }}}, func(l load) string {
			return fmt.Sprintf("%d,%d", l.n, len(l.picks)+3)
		}},

		{"icons in a bar", "Flip the picture and keep it", func(l load) string {
			out := ""
			for i := range 4 {
				k := (i + l.pick) % 4 // they stand in another order each time
				out += fmt.Sprintf(`<span class=ic data-k=%d style="display:inline-block;width:18px;height:18px;cursor:pointer;`+
					`background-image:linear-gradient(%ddeg,#000,#fff)"></span>`, k, k*40)
			}
			return asked("Flip "+l.word()+".", `<div>`+out+`</div><button id=b>Keep</button><script>let k = "";
for (const s of document.querySelectorAll(".ic")) s.onclick = () => { k += s.dataset.k }; b.onclick = () => tell(k)</script>`)
		}, then("Keep", func(p *person.Person, l load) { p.Click("drawing", ".ic[data-k='2']") }), nil, func(load) string { return "2" }},

		{"native slider", "Set the volume and save", func(l load) string {
			return asked("Set "+fmt.Sprint(l.n)+".", `<label>Volume <input type=range id=r min=0 max=20 value=0>`+
				`</label><button id=b>Save</button><script>b.onclick = () => tell(r.value)</script>`)
		}, then("Save", func(p *person.Person, l load) {
			p.Click("label", "Volume")
			p.Key("Home", 36, 1)
			p.Key("ArrowRight", 39, l.n)
		}), []field{{"volume", number}}, say("%n")},

		{"date picker", "Pick the date and submit", func(l load) string {
			return asked("Select "+l.date+" as the date and hit submit.", `<p>Date: <input type=text id=dp `+
				`readonly class=hasPicker></p><button id=b>Submit</button><div id=cal style="display:none;`+
				`border:1px solid"></div>`+calendar)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#dp")
			var y, m, d int
			fmt.Sscanf(l.date, "%d-%d-%d", &y, &m, &d)
			for range m - 1 {
				p.Click("drawing", "#nx")
			}
			p.Click("words", fmt.Sprint(d))
		}), []field{{"date", func(l load) string { return l.date }}}, func(l load) string {
			return l.date[5:7] + "/" + l.date[8:] + "/" + l.date[:4]
		}},

		{"autocomplete", "Find an entry by its beginning and submit", func(l load) string {
			return asked("Enter an item that starts with "+l.word()[:2]+" and ends with "+l.word()[3:]+".",
				`<label for=tags>Tags: </label><input id=tags autocomplete=off role=textbox><ul id=mn `+
					`class=menu style="display:none" tabindex=0></ul><button id=b>Submit</button><script>
const all = `+js(l.words)+`; tags.oninput = () => { mn.innerHTML = ""; for (const w of all) if (w.toLowerCase().startsWith(t`+
					`ags.value.toLowerCase())) { const li = document.createElement("li"); li.innerHTML `+
					`= "<div tabindex=-1 class=wr>" + w + "</div>"; li.onclick = () => { tags.value `+
					`= w; mn.style.display = "none" }; mn.append(li) } mn.style.display = "block" }
b.onclick = () => tell(tags.value)</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			p.Click("drawing", "#tags")
			p.EnterAt(l.word()[:2])
			p.Click("words", l.word())
		}), one("tags tag entry item"), say("%w")},

		{"mail: star", "Star the mail of a sender", func(l load) string {
			return asked("Find the email by "+l.word()+" and click the star icon to mark it as important.", inbox(l))
		}, func(p *person.Person, l load) { p.Click("drawing", ".mail:nth-of-type("+fmt.Sprint(l.pick+2)+") .s") },
			one("sender mail email"), say("starred %w")},

		{"mail: trash", "Delete the mail of a sender", func(l load) string {
			return asked("Find the email by "+l.word()+" and click the trash icon to delete it.", inbox(l))
		}, func(p *person.Person, l load) { p.Click("drawing", ".mail:nth-of-type("+fmt.Sprint(l.pick+2)+") .t") },
			one("sender mail email"), say("deleted %w")},

		{"menu: bin", "Drop a shelf from the menu of shelves", func(l load) string {
			return asked("Open the shelves and drop "+l.word()+" with its bin.", `<button id=b aria-haspopup=true>Shelves</button>`+
				`<ul role=menu id=m hidden><li onclick="event.stopPropagation()"><label><input type=checkbox> Old ones</label></li>`+
				`<li role=separator></li>`+each(l.words, `<li><a href="#" class=n>%w</a> <a href="#" class=x data-n="%w">`+
				`<svg width=12 height=12 viewBox="0 0 9 9">`+
				`<path d="M1 1h7v7h-7z"/></svg></a></li>`)+`</ul><script>b.onclick = () => m.hidden = !m.hidden;
for (const a of document.querySelectorAll("#m a")) a.onclick = (e) => { e.preventDefault(); m.hidden = true; `+
				`tell(a.dataset.n ? "dropped " + a.dataset.n : "opened " + a.textContent); if (a.dataset.n) a.parentNode.remove() }</script>`)
		}, func(p *person.Person, l load) {
			p.Click("words", "Shelves")
			p.Click("drawing", "#m li:nth-of-type("+fmt.Sprint(l.pick+3)+") .x")
		}, one("shelf menu item entry"), say("dropped %w")},

		{"drawn field", "Add a shelf", func(l load) string {
			return asked("Add the shelf "+l.word()+".", `<button id=b>Add</button><label>Search <input type=search></label><div id=all>`+
				each(l.words[:2], `<div class=row><span>%w</span></div>`)+`</div><button id=k>Keep</button><script>b.onclick = () => {
const r = document.createElement("div"); r.className = "row"; r.innerHTML = "<input>"; all.prepend(r); r.firstChild.focus() };
k.onclick = () => { const r = all.querySelector("input"); tell("added " + r.value); r.parentNode.textContent = r.value }</script>`)
		}, func(p *person.Person, l load) {
			p.Click("button", "Add")
			p.Click("drawing", "#all input")
			p.EnterAt(l.word())
			p.Click("button", "Keep")
		}, one("shelf name text"), say("added %w")},

		{"posts", "Press like on the post of somebody", func(l load) string {
			return asked("For the user @"+l.word()+`, click on the "Like" button.`, each(l.words, `<div class=media>`+
				`<span class=name>N%i</span> <span class=username>@%w</span><div class=body>Lorem `+
				`ipsum %i</div><div class=controls><span class=reply data-n="%w"></span><span class=retweet>`+
				`</span><span class=like data-n="%w"></span><span class=more></span></div></div>`)+
				`<style>.controls span{display:inline-block;width:20px;height:16px;cursor:pointer;border:1px `+
				`solid}.like{background:pink}</style><script>for (const s of document.querySelectorAll(".like")) `+
				`s.onclick = () => { s.classList.add("active"); tell("liked " + s.dataset.n) }</script>`)
		}, func(p *person.Person, l load) {
			p.Click("drawing", ".media:nth-of-type("+fmt.Sprint(l.pick+1)+") .like")
		}, one("user post somebody name username"), say("liked %w")},

		{"list of several", "Mark the words in the list and submit", func(l load) string {
			return asked("Select "+l.several()+" from the scroll list and click Submit.", `<select id=options `+
				`multiple style="height:100px">`+each(l.words, `<option>%w</option>`)+
				`</select><button id=b>Submit</button><script>b.onclick = () => tell([...options.selectedOptions].map(o `+
				`=> o.text).join())</script>`)
		}, then("Submit", func(p *person.Person, l load) {
			for i, n := range l.picks {
				if i == 0 {
					p.Click("drawing", "option:nth-of-type("+fmt.Sprint(n+1)+")")
				} else {
					p.ClickHolding("drawing", "option:nth-of-type("+fmt.Sprint(n+1)+")")
				}
			}
		}), []field{{"words list select options", load.several}}, say("%s")},

		{"tree", "Open the file of a name in its folder", func(l load) string {
			return asked("Navigate through the file tree. Find and click on the folder or file named "+l.word()+".", tree(l))
		}, func(p *person.Person, l load) {
			p.Click("words", folderOf(l, l.pick))
			p.Click("words", l.word())
		}, one("file name"), say("%w")},

		{"pages of results", "Open the result of a name", func(l load) string {
			return asked("Find "+l.word()+" and press it.", results(l))
		}, func(p *person.Person, l load) {
			for range l.pick / 2 {
				p.Click("link", ">")
			}
			p.Click("link", l.word())
		}, one("result name"), say("%w")},

		{"menu", "Choose an entry of the menu", func(l load) string {
			return asked("Select "+l.word()+".", `<ul id=menu role=menu tabindex=0 style="width:100px">`+each(l.words,
				`<li class=it><div id=ui-id-%i tabindex=-1 role=menuitem onclick="tell('%w')">%w</div>`+
					`</li>`)+`</ul>`)
		}, click("words"), one("entry menu"), say("%w")},

		{"links in a text", "Press the link of a name", func(l load) string {
			return asked(`Click on the link "`+l.word()+`".`, `<div>`+each(l.words, `Ut %i <span class=alink `+
				`style="cursor:pointer;text-decoration:underline" onclick="tell('%w')">%w</span>`+
				`, sed non `)+`</div>`)
		}, click("words"), one("link name"), say("%w")},

		{"two columns of a picker", "Choose the part of a group", func(l load) string {
			return asked("Choose "+l.words[0]+" / "+l.word()+".", columnsPicker(l))
		}, func(p *person.Person, l load) {
			p.Click("drawing", "#open")
			p.Click("words", "Group "+l.words[0])
			p.Click("words", l.word())
			p.Click("button", "Save")
		}, []field{{"group category", func(l load) string { return "Group " + l.words[0] }}, {"part",
			word}}, func(l load) string { return "Group " + l.words[0] + "/" + l.word() }},

		{"a button as a card", "Open the card of a name", func(l load) string {
			return asked("Open "+l.word()+".", each(l.words, `<button class=card onclick="tell('%w')"><h4>`+
				`Kind %i</h4><p>Lorem <span>%w</span></p></button>`))
		}, func(p *person.Person, l load) { p.Click("words", l.word()) }, one("card name"), say("%w")},

		{"a value in a sentence", "Answer the question and send", func(l load) string {
			return asked("The number is "+fmt.Sprint(l.n*137)+" today.", `<label>Answer <input id=tt></label>`+
				`<button id=b>Send</button><script>b.onclick = () => tell(tt.value)</script>`)
		}, then("Send", func(p *person.Person, l load) { p.Enter("Answer", fmt.Sprint(l.n*137)) }),
			[]field{}, func(l load) string { return fmt.Sprint(l.n * 137) }},
	}
}

const slider = `<div id=s role=group style="position:relative;width:200px;height:10px;border:1px ` +
	`solid;margin:10px"><span tabindex=0 id=h class=handle style="position:absolute;` +
	`left:0;top:-4px;width:12px;height:18px;background:#888;cursor:pointer"></span></div>` +
	`<div id=val>0</div>
<button id=b>Submit</button><script>let v = 0, down = null; const put = (n) => { v = Math.max(0, ` +
	`Math.min(20, Math.round(n))); h.style.left = v * 10 + "px"; val.textContent = v ` +
	`};
h.onkeydown = (e) => { const d = { ArrowRight: 1, ArrowLeft: -1 }[e.key]; if (d) { e.preventDefault(); put(v + d) } };
h.onmousedown = (e) => { down = { x: e.clientX, v }; h.focus(); e.preventDefault() }; document.onmousemove ` +
	`= (e) => { if (down) put(down.v + (e.clientX - down.x) / 10) }; document.onmouseup ` +
	`= () => down = null; b.onclick = () => tell(String(v))</script>`

const calendar = `<script>let at = new Date(2026, 0, 1); const M = ["January","February","March","April","May","June","July"` +
	`,"August","September","October","November","December"];
const drawCal = () => { const first = new Date(at.getFullYear(), at.getMonth(), 1).getDay(), n = ` +
	`new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate(); let h = "<div class=head>` +
	`<a class=prev id=pv title=Prev style='cursor:pointer'><span>&lt;</span></a><a class=next ` +
	`id=nx title=Next style='cursor:pointer'><span>&gt;</span></a><div class=title><span ` +
	`class=month>" + M[at.getMonth()] + "</span>&nbsp;<span class=year>" + at.getFullYear() ` +
	`+ "</span></div></div><table><thead><tr><th>Su</th><th>Mo</th><th>Tu</th><th>We</th>` +
	`<th>Th</th><th>Fr</th><th>Sa</th></tr></thead><tbody><tr>";
for (let i = 0; i < first; i++) h += "<td>&nbsp;</td>"; for (let d = 1; d <= n; d++) { h += "<td ` +
	`class=day data-month=" + at.getMonth() + "><a class=day href='#'>" + d + "</a></td>` +
	`"; if ((first + d) % 7 === 0) h += "</tr><tr>" } cal.innerHTML = h + "</tr></tbody>` +
	`</table>";
pv.onclick = () => { at = new Date(at.getFullYear(), at.getMonth() - 1, 1); drawCal() }; nx.onclick ` +
	`= () => { at = new Date(at.getFullYear(), at.getMonth() + 1, 1); drawCal() };
for (const a of cal.querySelectorAll("a.day")) a.onclick = (e) => { e.preventDefault(); const p ` +
	`= (n) => String(n).padStart(2, "0"); dp.value = p(at.getMonth() + 1) + "/" + p(a.textContent) ` +
	`+ "/" + at.getFullYear(); cal.style.display = "none" } };
dp.onfocus = () => { cal.style.display = "block"; drawCal() }; b.onclick = () => tell(dp.value)</script>`

func js(words []string) string { return `["` + strings.Join(words, `","`) + `"]` }

// inbox is a list of mails whose deeds are drawings.
func inbox(l load) string {
	return `<div id=inbox><div class=head>Inbox</div>` + each(l.words, `<div class=mail><div class=who>`+
		`%w</div><div class=subj>Sed %i ut.</div><div class=body>Lorem ipsum.</div>`+
		`<span class="ic t" data-n="%w"></span><span class="ic s" data-n="%w"></span></div>`) + `</div>` +
		`<style>.ic{display:inline-block;width:16px;height:16px;cursor:pointer}.t{background:linear-gradient(red,red` +
		`)}.s{background:linear-gradient(gold,gold)}.mail{border:1px solid}</style>
<script>for (const s of document.querySelectorAll(".ic")) s.onclick = () => { const t = s.classList.contains("t");` +
		` if (t) s.parentNode.remove(); else s.style.background = "gold"; tell((t ? "deleted ` +
		`" : "starred ") + s.dataset.n) }</script>`
}

// folderOf is the folder in which a word is at a load.
func folderOf(l load, i int) string { return fmt.Sprintf("%s-%d", l.words[(i+2)%5][:3], i%2) }

func tree(l load) string {
	out := `<ul class=tree style="cursor:default">`
	for _, k := range []int{0, 1} {
		name, files := "", ""
		for i, w := range l.words {
			if i%2 != k {
				continue
			}
			if name == "" || i == l.pick {
				name = folderOf(l, i)
			}
			files += `<li class=leaf><span class=n style="cursor:pointer">` + w + `</span></li>`
		}
		out += `<li class=folder><span class=n style="cursor:pointer">` + name + `</span><ul hidden>` + files + `</ul></li>`
	}
	return out + `</ul><script>for (const n of document.querySelectorAll(".folder > .n")) n.onclick ` +
		`= () => n.nextSibling.hidden = !n.nextSibling.hidden; for (const n of document.querySelectorAll(".leaf ` +
		`.n")) n.onclick = () => tell(n.textContent)</script>`
}

func results(l load) string {
	return `<div id=list></div><ul id=pager class=pagination></ul><script>const all = ` + js(l.words) +
		`; let at = 0; const drawIt = () => { list.innerHTML = all.slice(at * 2, at * 2 ` +
		`+ 2).map(w => "<div class=r><a href='#'>" + w + "</a><div>ex.example/" + w.length ` +
		`+ "</div></div>").join("");
for (const a of list.querySelectorAll("a")) a.onclick = (e) => { e.preventDefault(); tell(a.textContent) ` +
		`}; pager.innerHTML = "<li><a href='#'>&lt;</a></li>" + [1, 2, 3].map(n => "<li ` +
		`class=" + (n === at + 1 ? "active" : "") + "><a href='#'>" + n + "</a></li>").join("") ` +
		`+ "<li><a href='#'>&gt;</a></li>";
pager.querySelectorAll("a").forEach((a, i) => a.onclick = (e) => { e.preventDefault(); at = i === ` +
		`0 ? Math.max(0, at - 1) : i === 4 ? Math.min(2, at + 1) : i - 1; drawIt() }) };` +
		` drawIt()</script>`
}

func columnsPicker(l load) string {
	return `<div class=field><label>Category</label><input id=open readonly placeholder=Choose></div>` +
		`<div id=pop hidden><ul id=c1 class=col>` + each(l.words[:3], `<li class=o style="cursor:pointer">`+
		`Group %w</li>`) +
		`</ul><ul id=c2 class=col></ul></div><button id=b>Save</button><script>open.onclick = null; const ` +
		`f = document.getElementById("open"), all = ` + js(l.words) + `; let g = ""; f.onclick ` +
		`= () => pop.hidden = false; for (const o of c1.children) o.onclick = () => { g ` +
		`= o.textContent; c2.innerHTML = all.map(w => "<li class=o style='cursor:pointer'>` +
		`" + w + "</li>").join("");
for (const x of c2.children) x.onclick = () => { f.value = g + "/" + x.textContent; pop.hidden = ` +
		`true } }; b.onclick = () => tell(f.value)</script>`
}
