package stage

import (
	"fmt"
	"testing"

	"showhow/bench/corpus/person"
)

// Entries of a list that are marked one after the other, and stay so, are one input: which of them, however many.
func TestEntriesMarkedTogether(t *testing.T) {
	t.Parallel()
	fields := []field{{"item list name", load.several}}
	did := func(l load) string {
		out := ""
		for _, i := range l.picks {
			out += l.words[i] + ";"
		}
		return out
	}
	press := func(of string) func(p *person.Person, l load) {
		return func(p *person.Person, l load) {
			for _, i := range l.picks {
				p.Click("drawing", fmt.Sprintf("%s:nth-of-type(%d)", of, i+1))
			}
			p.Click("button", "Send")
		}
	}
	page := &small{silent: true}
	s := newShowing(t, page)
	for _, c := range []task{
		{"lines with signs", "Mark words and send them", func(l load) string { // all are drawn anew at each press
			return asked("Mark "+l.several()+".", `<ul id=l style="list-style:none"></ul><button id=b>Send</button><script>`+
				`const all = `+js(l.words)+`, on = new Set(); const draw = () => { l.innerHTML = all.map((w, i) => "<li style='cursor:pointer'>`+
				`<span>" + (on.has(i) ? "●" : "○") + "</span> <span>" + w + "</span></li>").join(""); `+
				`for (const [i, r] of [...l.children].entries()) r.onclick = () => { on.has(i) ? on.delete(i) : on.add(i); draw() } }; draw(); `+
				`b.onclick = () => tell(all.filter((w, i) => on.has(i)).map(w => w + ";").join(""))</script>`)
		}, press("#l > li"), fields, did},
		{"rows in a colour", "Mark names and send them", func(l load) string {
			return asked("Mark "+l.several()+".", `<table><thead><tr><th>Name<th>Size</tr></thead><tbody id=l>`+
				each(l.words, `<tr style="cursor:pointer"><td>%w<td>%i kg</tr>`)+`</tbody></table><button id=b>Send</button><script>`+
				`for (const r of l.rows) r.onclick = () => r.style.background = r.style.background ? "" : "gold"; b.onclick = () => `+
				`tell([...l.rows].filter(r => r.style.background).map(r => r.cells[0].textContent + ";").join(""))</script>`)
		}, press("#l > tr"), fields, did},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.tried(t, s, page); got.result != "right" || got.proposed != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
	s.t = t
}
