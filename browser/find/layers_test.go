//go:build unix

package find

import (
	"strings"
	"testing"

	"showhow/capture"
)

// covering are boxes that open over a page and cover the window, and nothing in their markup says so.
var covering = map[string]string{
	"a box in a veil": `<div class="layer" style="position:fixed;inset:0;background:#0008"><div style="width:300px;margin:60px auto;` +
		`background:#fff"><div><h4>HEAD</h4></div><label>Title <input></label><div><button type=button>Save</button></div></div></div>`,
	"a veil beside a panel": `<div class="layer" style="position:fixed;top:0;left:0;width:100vw;height:100vh">` +
		`<div style="position:absolute;inset:0;background:#0008"></div><section style="position:absolute;right:0;top:0;bottom:0;width:400px">` +
		`<header><h3>HEAD</h3></header><form><label>Title <input></label></form><footer><button type=button>Save</button></footer>` +
		`</section></div>`,
	"a whole page": `<main class="layer" style="position:fixed;left:0;right:0;top:0;bottom:0;background:#fff"><h2>HEAD</h2>` +
		`<p><label>Title <input></label></p><button>Save</button></main>`,
}

// uncountedNow is a target as a recorder tells it that had no time to count its like.
func uncountedNow(t capture.Target) capture.Target {
	for i := range t.Locators {
		if t.Locators[i].Matches = 0; t.Locators[i].By == "css" {
			t.Locators[i].Value = "nowhere"
		}
	}
	return t
}

// What opened over a page and covers it is a place as a dialog is: what stands there is not looked for under it, nor in another one.
func TestLayers(t *testing.T) {
	r := newRig(t)
	under := `<!doctype html><title>Desk</title><style>body{margin:0}</style><h2>Orders</h2><p>All of them.</p>` +
		`<button type=button id=own>Save</button><div style="height:700px">Kept here.</div>`
	for name, layer := range covering {
		t.Run(name, func(t *testing.T) {
			r.t = t
			settings, other := strings.Replace(layer, "HEAD", "Settings", 1), strings.Replace(layer, "HEAD", "Signatures", 1)
			r.open(under + settings)
			w := Want{Target: uncountedNow(r.shown(".layer button")), Verb: capture.Click}
			if l := w.Target.Landmark; l == nil || l.Role != "dialog" || l.Name != "Settings" {
				t.Errorf("it stands in %+v", l)
			}
			own := Want{Target: uncountedNow(r.shown("#own")), Verb: capture.Click}
			if l := own.Target.Landmark; l == nil || l.Role != "heading" || l.Name != "Orders" {
				t.Errorf("what is under it stands in %+v", l)
			}
			r.finds(w, "document.querySelector('.layer button')")
			r.open(settings + under) // wherever the layer is in the page
			r.finds(w, "document.querySelector('.layer button')")
			r.open(under)
			r.refuses(w, Missing)
			r.finds(own, "document.querySelector('#own')")
			r.open(under + other)
			r.refuses(w, Missing)
		})
	}
	t.Run("no layer", func(t *testing.T) {
		r.t = t
		for _, page := range []string{
			`<div style="position:fixed;inset:0;overflow:auto"><h2>Orders</h2><button>Save</button></div>`, // all there is
			`<h2>Orders</h2><div style="position:fixed;left:0;right:0;bottom:0;height:60px"><h3>Tools</h3><button>Save</button></div>` +
				`<p style="height:900px">Kept here.</p>`,
		} {
			r.open(`<!doctype html><title>Desk</title>` + page)
			if l := r.shown("button").Landmark; l == nil || l.Role != "heading" {
				t.Errorf("%s: it stands in %+v", page, l)
			}
		}
	})
}
