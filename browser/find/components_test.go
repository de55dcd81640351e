//go:build unix

package find

import (
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

// What a component holds are things also if it draws them without anything around them, as items that are dragged, or behind many parts.
func TestThingsDirectlyInARoot(t *testing.T) {
	r := newRig(t)
	r.open(`<!doctype html><h1>Wood</h1><wood-shelf></wood-shelf><script>
		const drawn = (html) => class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = html(this) } };
		customElements.define('wood-menu', drawn(() => '<div role=menu><button role=menuitem>Cut</button>' +
			'<button role=menuitem>Beech</button></div>'));
		customElements.define('wood-deeds', drawn(() => '<button>Edit</button> <button>Clear</button>'));
		customElements.define('wood-shelf', drawn(() => ['Ash', 'Beech', 'Cedar'].map((n, i) => '<div class=line><b class=name>' + n + '</b> ' +
			'<i></i>'.repeat(i ? 0 : 420) + (i === 2 ? '<wood-menu></wood-menu>' : '') + '<wood-deeds></wood-deeds></div>').join('') +
			['Oak', 'Yew'].map((n) => '<p draggable=true><b>' + n + '</b> <wood-deeds></wood-deeds></p>').join('')));
		</script>`)
	for of, name := range map[string]string{".line:nth-of-type(1)": "Ash", ".line:nth-of-type(2)": "Beech", ".line:nth-of-type(3)": "Cedar",
		"p:nth-of-type(2)": "Yew"} {
		of = "wood-shelf >>> " + of + " wood-deeds >>> button:nth-of-type(2)"
		w := Want{Target: r.shown(of), Verb: capture.Click}
		if l := w.Target.Landmark; l == nil || l.Role != "listitem" || l.Name != name {
			t.Errorf("the control of %s stands in %+v", name, l)
			continue
		}
		r.finds(w, "("+quote(of)+").split(' >>> ').reduce((at, part) => (at.shadowRoot || at).querySelector(part), document)")
	}
}
