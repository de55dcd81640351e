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
