package stage

import (
	"testing"

	"showhow/bench/corpus/person"
)

// closing are pages on which Enter is all that ends an edit: the field opens where the thing is and goes away again. Nothing has a name
// that a state tells of, neither the list nor the field.
var closing = []kind{
	{name: "a thing named where it appears", open: []lie{forgets, another}, last: "Enter", goal: "Add a thing", script: true, shows: true,
		page: func(*workshop) string {
			return `const rows = () => things.map((x) => "<div class=row><span>" + x.name + "</span></div>").join("");
function draw() { all.innerHTML = "<button id=plus>New thing</button><div id=box>" + rows() + "</div>";
  plus.onclick = () => { box.insertAdjacentHTML("afterbegin", "<div class=row><input></div>");
    const i = box.querySelector("input"); i.focus();
    i.onkeydown = (e) => { if (e.key !== "Enter") return;
      const v = i.value; i.parentNode.remove(); act("add", things.length, v, "Added"); }; }; }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("button", "New thing")
			p.EnterAt("Cedar wood")
			p.Key("Enter", 13, 1)
			p.See("Cedar wood")
		}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
	{name: "a card written below the others", open: []lie{forgets, another}, last: "Enter", goal: "Add a card", script: true, shows: true,
		page: func(*workshop) string {
			return `function draw() { all.innerHTML = things.map((x) => "<section><b>" + x.name + "</b><p>" + x.note + "</p></section>").join("") +
"<section id=more><a href='#' id=another>+ another card</a></section>"; another.onclick = (e) => { e.preventDefault();
    more.innerHTML = "<textarea rows=1></textarea>"; const t = more.firstChild; t.focus();
    t.onblur = () => { const v = t.value.trim(); t.style.display = "none"; if (v) act("add", things.length, v, "Kept"); else draw(); };
    t.onkeydown = (e) => { if (e.key === "Enter") { e.preventDefault(); t.blur(); } }; }; }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.Click("link", "+ another card")
			p.EnterAt("Cedar wood")
			p.Key("Enter", 13, 1)
			p.See("Cedar wood")
		}, values: map[string]string{"": "Maple wood"}, did: only(mapleAdded)},
}

// What is typed into a field that Enter closes is entered by a run as well, and looked up.
func TestEnterEndsAnEdit(t *testing.T) {
	t.Parallel()
	tellLies(t, closing, `, shown (before|again), mute$`)
}
