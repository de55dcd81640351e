//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// engines is a list whose rows begin with a state, which several share, and a count that goes on.
const engines = `<!doctype html><title>Engines</title><h1>Engines</h1>
<table><thead><tr><th>State<th>Since<th>Name<th>Deed</tr></thead><tbody>
<tr><td>at work<td>nr 4171, 0:00:12<td><a href="/log?of=Anna">Anna</a><td>
<a href="/do?of=Anna&amp;op=halt">Halt</a> <a href="/log">Log</a></tr>
<tr><td>at rest<td>nr 0, never<td><a href="/log?of=Bert">Bert</a><td>
<a href="/do?of=Bert&amp;op=go">Go</a> <a href="/log">Log</a></tr>
<tr><td>at work<td>nr 4175, 0:00:19<td><a href="/log?of=Cora">Cora</a><td>
<a href="/do?of=Cora&amp;op=halt">Halt</a> <a href="/log">Log</a></tr>
</tbody></table>`

func TestARowThatBeginsLikeAnotherIsCalledByItsOwn(t *testing.T) {
	r := newRig(t)
	r.open(engines)
	for i, want := range []string{"Anna", "Bert", "Cora"} {
		w := Want{Target: r.shown(fmt.Sprintf("tbody tr:nth-of-type(%d) td:nth-of-type(4) a", i+1)), Verb: capture.Click}
		if l := w.Target.Landmark; l == nil || l.Role != "row" || l.Name != want {
			t.Errorf("the link of %s stands in %+v", want, l)
		}
		r.finds(w, fmt.Sprintf("document.querySelectorAll('tbody tr')[%d].children[3].querySelector('a')", i))
	}
	// Where nobody knows whose it is, no link is meant.
	w := Want{Target: r.shown("tbody td:nth-of-type(4) a"), Verb: capture.Click}
	w.Target.Landmark.Name, w.Target.Href = "{*}", ""
	r.refuses(w, Ambiguous)
}

func TestABoxInALineBelongsToTheLine(t *testing.T) {
	r := newRig(t)
	r.open(strings.Replace(papers, "LINES", paperLines("Acorn", "Beech", "Cedar"), 1))
	for i, want := range []string{"Acorn", "Beech", "Cedar"} {
		w := Want{Target: r.shown(fmt.Sprintf(".paper:nth-of-type(%d) input", i+2)), Verb: capture.Check}
		if l := w.Target.Landmark; l == nil || l.Role != "listitem" || l.Name != want {
			t.Errorf("the box of %s stands in %+v", want, l)
		}
		r.finds(w, fmt.Sprintf("document.querySelectorAll('.paper input')[%d]", i))
	}
}

// What can be done to a row may be told in a list in one of its cells; it belongs to the row.
func TestAListOfDeedsInARow(t *testing.T) {
	r := newRig(t)
	rows := ""
	for i, n := range []string{"Anna", "Bert", "Cora"} {
		rows += fmt.Sprintf(`<tr><td>%s<td>%s<td><ul><li><a href="/do?of=%[2]s&amp;op=halt">Halt</a><li>`+
			`<a href="/do?of=%[2]s&amp;op=log">Log</a></ul></tr>`, []string{"at work", "at rest"}[i%2], n)
	}
	r.open(`<!doctype html><title>Engines</title><h1>Engines</h1><table><thead><tr><th>State<th>Name<th>Deed</tr></thead><tbody>` + rows +
		`</tbody></table><table><tr><td><ul><li>Dora <button>Halt</button><li>Emil <button>Halt</button></ul></td></tr></table>`)
	for i, want := range []string{"Anna", "Bert", "Cora"} {
		w := Want{Target: r.shown(fmt.Sprintf("tbody tr:nth-of-type(%d) a", i+1)), Verb: capture.Click}
		if l := w.Target.Landmark; l == nil || l.Role != "row" || l.Name != want {
			t.Errorf("the link of %s stands in %+v", want, l)
		}
		w.Target.Href = ""
		r.finds(w, fmt.Sprintf("document.querySelectorAll('tbody tr')[%d].querySelector('a')", i))
	}
}

// papers is a list of boxes, each with the same tick box, below a line of heads that looks a little like them.
const papers = `<!doctype html><title>Papers</title><style>.lines{max-width:40em}</style><h1>Papers</h1><div class=lines>
<div class="head line"><div>
<button role=checkbox title="All or none"><input type=checkbox tabindex=-1><span>&nbsp;</span></button><button>Name</button></div></div>
LINES</div>`

func paperLines(names ...string) (out string) {
	for _, n := range names {
		out += `<div class="paper line"><div class=all><input type=checkbox title="Tick here to move, drop, etc."><i class=icon></i>` +
			`<a class=go href="/papers/` + n + `" target=_blank><span>` + n + `</span></a><div class=right><div>` +
			`<div style="visibility:hidden">Open</div></div><div class=right><span>seconds ago</span><span>20 B</span></div></div></div></div>`
	}
	return out
}

// layers are two layers over a list, one of them open: boxes without a role that cover the window, with a button of the same text
// in each. The second one stands in an entry of a list.
const layers = `<!doctype html><title>Ships</title>
<style>.over{position:fixed;inset:0;background:#0008}.box{margin:5em;background:#fff}</style>
<h1>Ships</h1><div class="part">Harbour <button>Keep</button></div>
<div class="part over" id=one><div class=box>
<h4>Papers of a ship</h4><p>Papers</p><div><button>Keep</button></div></div></div>
<div class="part" hidden><div class=box><h4>Crew of a ship</h4><p>Crew</p><div><button>Keep</button></div></div></div>
<ul><li>Anna <button>Sail</button><div class=over id=two hidden><div class=box><p>Sail now</p><button>Sail</button></div></div>
<li>Bert <button>Sail</button></ul>`

// What stands in a layer over the page belongs to none of the things under it.
func TestALayerOverThePageIsNoRow(t *testing.T) {
	r := newRig(t)
	r.open(layers)
	for _, at := range []string{"#one button", "#two button"} {
		r.eval(r.frames(1)[0], fmt.Sprintf(`document.querySelectorAll('.over').forEach((e) => (e.hidden = '#' + e.id + ' button' !== %q))`, at))
		w := Want{Target: r.shown(at), Verb: capture.Click}
		if l := w.Target.Landmark; l != nil && (l.Role == "listitem" || l.Role == "row") {
			t.Errorf("%s stands in %+v", at, l)
		}
	}
	w := Want{Target: r.shown("li:nth-of-type(2) button"), Verb: capture.Click}
	if l := w.Target.Landmark; l == nil || l.Role != "listitem" || l.Name != "Bert" {
		t.Errorf("an entry's own button stands in %+v", l)
	}
}
