//go:build unix

package browserdom

import "testing"

// Entries that are marked by pressing them say so in classes, styles, signs and drawings alone.
func TestEntriesThatAreMarked(t *testing.T) {
	press := func(selectors ...string) func(p *sheet) {
		return func(p *sheet) {
			for _, s := range selectors {
				p.click(s)
			}
		}
	}
	doHard(t, []hardPage{{
		path: "/class",
		html: `<div id=l><div class=r style="cursor:pointer" id=a><i></i>Ash</div><div class=r style="cursor:pointer" id=b><i></i>Beech</div>` +
			`<div class=r style="cursor:pointer"><i></i>Cedar</div></div><script>for (const r of l.children) r.onclick = () => ` +
			`r.classList.toggle("on")</script>`,
		do:   press("#a", "#b"),
		want: []string{`click generic "Ash" marks`, `click generic "Beech" marks`},
	}, {
		path: "/sign", // drawn anew as a whole at each press
		html: `<ul id=l></ul><script>const on = new Set(), all = ["Ash", "Beech", "Cedar"];
			const draw = () => { l.innerHTML = all.map((w, i) => "<li id=" + w[0] + " style='cursor:pointer'>" +
				(on.has(i) ? "☑" : "☐") + " " + w).join("");
			for (const [i, r] of [...l.children].entries()) r.onclick = () => { on.has(i) ? on.delete(i) : on.add(i); draw() } }; draw()</script>`,
		do:   press("#A", "#C"),
		want: []string{`click listitem "☐ Ash" marks = ☐ Ash`, `click listitem "☐ Cedar" marks = ☐ Cedar`},
	}, {
		path: "/rows",
		html: `<table><tbody id=l><tr style="cursor:pointer"><td id=a>Ash<td>4</tr><tr style="cursor:pointer"><td id=b>Beech<td>7</tr>` +
			`<tr style="cursor:pointer"><td>Cedar<td>9</tr></tbody></table><script>for (const r of l.rows) r.onclick = () => ` +
			`r.style.background = r.style.background ? "" : "gold"</script>`,
		do:   press("#a", "#b"),
		want: []string{`click row "Ash" marks = Ash`, `click row "Beech" marks = Beech`},
	}, {
		path: "/one", // one at a time: taking another one leaves the first
		html: `<div id=l><div class=r style="cursor:pointer" id=a>Ash</div><div class=r style="cursor:pointer" id=b>Beech</div></div>` +
			`<script>for (const r of l.children) r.onclick = () => { for (const o of l.children) o.className = o === r ? "r on" : "r" }</script>`,
		do:   press("#a", "#b"),
		want: []string{`click generic "Ash" marks`, `click generic "Beech"`},
	}, {
		path: "/open", // an entry that opens, and one that counts
		html: `<div id=l><div class=r style="cursor:pointer" id=a>Ash<p hidden>Tall</p></div>` +
			`<div class=r style="cursor:pointer" id=b>Beech <b>1</b></div></div><script>a.onclick = () => { a.className = "r open"; ` +
			`a.lastChild.hidden = false }; b.onclick = () => { b.lastChild.textContent++ }</script>`,
		do:   press("#a", "#b"),
		want: []string{`click generic "Ash"`, `click generic "Beech 1"`},
	}})
}
