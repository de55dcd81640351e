//go:build unix

package find

import (
	"fmt"
	"testing"

	"showhow/capture"
)

// components draws things whose controls are all in shadow roots, several of them in one root: in things that are components
// themselves, and in rows of a table.
const components = `<!doctype html><h1>Stock</h1><div id=things></div>
<table><thead><tr><th>Shelf<th>Depth<th></thead><tbody id=rows></tbody></table>
<script>
const drawn = (html) => class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = html(this) } };
const style = '<style>.name{font-weight:bold}</style>';
customElements.define('stock-line', drawn((e) => style + '<div class=line>' +
	'<strong class=name>' + e.dataset.name + '</strong> <span>8.50</span> ' +
	'<button aria-label=Less>-</button> <output>3</output> <button aria-label=More>+</button> <button>Drop</button></div>'));
customElements.define('row-deeds', drawn(() => style + '<button>Edit</button> <button>Clear</button>'));
window.draw = (names) => {
	things.innerHTML = names.map((n) => '<stock-line data-name="' + n + '"></stock-line>').join('');
	rows.innerHTML = names.map((n, i) => '<tr><td>' + n + '<td>' + i + '<td><row-deeds></row-deeds>').join('');
};
draw(['Ash', 'Beech', 'Cedar']);
</script>`

// What a component draws belongs to the thing that the component is, or stands in, however many controls it draws.
func TestComponentsWithSeveralControls(t *testing.T) {
	r := newRig(t)
	r.open(components)
	wants := map[string]Want{}
	for of, role := range map[string]string{"stock-line:nth-of-type(2) >>> button:nth-of-type(3)": "listitem",
		"tr:nth-child(2) row-deeds >>> button:nth-of-type(2)": "row"} {
		w := Want{Target: r.shown(of), Verb: capture.Click}
		if l := w.Target.Landmark; l == nil || l.Role != role || l.Name != "Beech" {
			t.Errorf("%s stands in %+v", of, l)
		}
		wants[of] = w
	}
	r.eval(r.frames(1)[0], "draw(['Yew', 'Cedar', 'Ash', 'Beech'])")
	number := capture.Target{Role: "spinbutton", Tag: "button", Landmark: &capture.Landmark{Role: "listitem", Name: "Cedar"}}
	r.finds(Want{Target: number, Verb: capture.Type}, "document.querySelectorAll('stock-line')[1].shadowRoot.querySelector('output')")
	for _, w := range wants {
		if w.Target.Landmark.Role == "row" {
			r.finds(w, "document.querySelectorAll('row-deeds')[3].shadowRoot.querySelectorAll('button')[1]")
		} else {
			r.finds(w, "document.querySelectorAll('stock-line')[3].shadowRoot.querySelectorAll('button')[2]")
		}
		w.Target.Landmark = &capture.Landmark{Role: w.Target.Landmark.Role, Name: "Fir"} // which is not there
		r.refuses(w, Missing)
	}
}

// The entry of a menu that is drawn over the page is not the word that the page itself shows, as a list's head, for one.
func TestEntriesOfLayers(t *testing.T) {
	const board = `<!doctype html><title>Board</title><style>.lists{display:flex;gap:9px}.list{width:150px}.tile{position:relative}
		.more{position:absolute;right:0;top:0}.pop{position:absolute;left:90px;top:30px;background:#fff}
		.pop div,.tile,.more{cursor:pointer}</style>
		<div class=lists id=lists></div><script>
		window.draw = (open) => {
			document.querySelectorAll('.pop').forEach((p) => p.remove());
			lists.innerHTML = ['Soon', 'Now', 'Done'].map((l) => '<div class=list>' +
				'<div class=head style="cursor:pointer">' + l + '</div>' +
				'<div class=tile>Tile of ' + l + '<span class=more>...</span></div></div>').join('');
			if (open) document.body.insertAdjacentHTML('beforeend', '<div class=pop><div>Soon</div><div>Now</div><div>Done</div></div>');
		}; draw(true)</script>`
	r := newRig(t)
	r.open(board)
	entry := Want{Target: r.shown(".pop div:nth-of-type(2)"), Verb: capture.Click}
	head := Want{Target: r.shown(".list:nth-of-type(2) .head"), Verb: capture.Click}
	if entry.Target.Located("over") == "" || head.Target.Located("over") != "" {
		t.Errorf("told as %+v and %+v", entry.Target.Locators, head.Target.Locators)
	}
	for i := range entry.Target.Locators {
		if l := &entry.Target.Locators[i]; l.By == "css" {
			l.Value = "nowhere"
		}
	}
	r.finds(entry, "document.querySelectorAll('.pop div')[1]")
	for i, name := range []string{"Soon", "Done"} { // another one of them is asked for
		w := entry
		w.Target.Text = name
		r.finds(w, fmt.Sprintf("document.querySelectorAll('.pop div')[%d]", 2*i))
	}
	r.eval(r.frames(1)[0], "draw(false)")
	r.refuses(entry, Missing)
}
