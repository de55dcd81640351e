package stage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/bench/corpus/person"
)

// owns are lists whose rows are not called by what they begin with: a state that several share, and a box that says the same in all.
var owns = []kind{
	{name: "a row that begins with its state", open: []lie{forgets, another, moves}, last: "Switch on", goal: "Switch a thing on", shows: true,
		page: func(d *workshop) string {
			var b strings.Builder
			for i, t := range d.things {
				state, deed := "at rest", "Switch on"
				if t.On {
					state, deed = "at work", "Switch off"
				}
				fmt.Fprintf(&b, `<tr><td>%s<td>nr %d, 0:00:%02d<td><a href="/about?thing=%s">%s</a>`+
					`<td><a href="/do?op=flip&amp;id=%d&amp;back=1">%s</a> <a href="/about">Log</a></tr>`,
					state, 4000+i*7, time.Now().Second(), t.Name, t.Name, i, deed)
			}
			return `<table><thead><tr><th>State<th>Since<th>Thing<th>Deeds</tr></thead><tbody>` + b.String() + `</tbody></table>`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.ClickIn("Pine", "link", "Switch on")
			p.See("at work")
		}, twice: func(p *person.Person, d *workshop) {
			p.Open("/")
			p.ClickIn("Larch", "link", "Switch on")
			p.See("at work")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { t[3].On = true; return t })},
	{name: "a line with a box that says the same in all", open: []lie{forgets, another}, last: "Remove ticked", goal: "Remove a thing",
		script: true, shows: true, page: func(*workshop) string {
			return `all.insertAdjacentHTML("beforebegin", "<button id=rm>Remove ticked</button>");
rm.onclick = () => {
const i = [...all.querySelectorAll("input")].findIndex((x) => x.checked); if (i >= 0) act("delete", i, "", ""); };
function draw() { all.innerHTML = things.map((x) => "<div class=line><div><input type=checkbox title='Tick here to remove, move, etc.'>" +
"<i class=pic></i><a href='/thing/" + x.name + "'><span>" + x.name + "</span></a><div><span>" +
x.note + "</span></div></div></div>").join(""); }`
		}, show: func(p *person.Person, d *workshop) {
			p.Open("/")
			tickLine(p, "Pine")
			p.Click("button", "Remove ticked")
			p.See("Willow")
		}, twice: func(p *person.Person, d *workshop) {
			p.Open("/")
			tickLine(p, "Larch")
			p.Click("button", "Remove ticked")
			p.See("Willow")
		}, values: map[string]string{"": "Birch"}, did: only(func(t []thing) []thing { return slices.Delete(t, 3, 4) })},
}

// tickLine ticks the box in the line of a thing.
func tickLine(p *person.Person, name string) {
	p.Press(person.Sight{Script: `function see(name) { 
const line = [...document.querySelectorAll('.line')].find((l) => l.innerText.includes(name));
const r = line &&
line.querySelector('input').getBoundingClientRect();
return r ? {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height, height: innerHeight} : {ready: true, count: 0}; }`,
		Words: []string{name}})
}

// A thing is called by what is its own, also where its row begins like others: another thing is done then, and a site that only claims
// it is not believed.
func TestAThingIsCalledByItsOwn(t *testing.T) {
	t.Parallel()
	tellLies(t, owns, `^(a row that begins with its state|a line with a box that says the same in all, shown again), mute$`)
}
