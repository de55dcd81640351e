//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// numberedRows are rows that begin with a number of the program's own, beside an icon that copies it; each is pressed as a whole.
var numberedRows = map[string]struct{ row, around string }{
	"a table": {`<tr tabindex=0 style="cursor:pointer"><td><div><i tabindex=-1 role=button aria-label="Copy it">&#9776;</i>` +
		`<span>b0a7NR</span></div></td><td><span title="NAME">NAME</span></td><td>FLEET</td></tr>`, "<table><tbody>%s</table>"},
	"a grid": {`<div role=row tabindex=0 style="cursor:pointer"><div role=gridcell><button aria-label="Copy it"><svg width=9 height=9></svg>` +
		`</button> b0a7NR</div><div role=gridcell>NAME</div><div role=gridcell>FLEET</div></div>`,
		"<div role=grid><div role=rowgroup>%s</div></div>"},
	"a table of links": {`<tr onclick="1"><td><a href="#copy" title="Copy it"><svg width=9 height=9></svg></a> <b>b0a7NR</b></td>` +
		`<td>FLEET</td><td><em>NAME</em></td></tr>`, "<table>%s</table>"},
}

// What an icon in a cell is called is no part of the row's name. A row is found as well by the cell of a column in which each row says
// something else: people call it so. What several rows say there, or only some, calls none.
func TestRowsByAnotherCell(t *testing.T) {
	r := newRig(t)
	for kind, c := range numberedRows {
		draw := func(numbers []string, names ...string) {
			rows := ""
			for i, n := range names {
				rows += strings.NewReplacer("b0a7NR", numbers[i], "NAME", n, "FLEET", []string{"Bay", "Sea"}[i%2]).Replace(c.row)
			}
			r.open("<!doctype html><title>Boats</title><h1>Boats</h1>" + fmt.Sprintf(c.around, rows))
		}
		const row = `[tabindex="0"],tr`
		t.Run(kind, func(t *testing.T) {
			r.t = t
			numbers := []string{"b0a7100", "b0a7101", "b0a7102", "b0a7103"}
			draw(numbers, "Marlin", "Petrel", "Gannet", "Osprey")
			w := Want{Target: r.shown(row), Verb: capture.Click}
			if w.Target.Role != "row" || w.Target.Name != "Marlin" {
				t.Errorf("shown as %s %q", w.Target.Role, w.Target.Name)
			}
			asked := func(name string) Want {
				w := w
				w.Target.Name, w.Target.Locators = name, []capture.Locator{{By: "role", Role: "row", Value: name}}
				return w
			}
			none := func(name string) {
				t.Helper()
				if f, err := Find(t.Context(), r.frames(1), asked(name)); err == nil {
					t.Errorf("%s: found %s %q", name, f.Role, f.Name)
				}
			}
			third := fmt.Sprintf("document.querySelectorAll('%s')[2]", row)
			r.finds(asked("Gannet"), third)
			r.finds(asked("b0a7102"), third)
			for _, name := range []string{"Heron", "Bay", "Copy it", "b0a7"} {
				none(name)
			}
			draw([]string{"b0a7100", "b0a7102", "b0a7101", "b0a7102"}, "Marlin", "Gannet", "Petrel", "Gannet")
			none("Gannet")
			none("b0a7102")
			draw([]string{"", "", "b0a7102", ""}, "Marlin", "Petrel", "Old Gannet", "Osprey")
			none("Gannet")
			none("b0a7102")
		})
	}
}

// Of two buttons of one name in one place, the one is meant that says in its title what the shown one said there.
func TestNamesakesByTheirTitles(t *testing.T) {
	r := newRig(t)
	for kind, html := range map[string]string{
		"fields": `<label>When <div role=button tabindex=0>Create</div></label><p><button title="Save and close">Create</button></p>`,
		"bars": `<div><button>Create</button><button>Look</button></div><div><button>Look</button>` +
			`<span><button title="Save and close">Create</button></span></div>`,
		"pictures": `<a href="#new"><img alt="" width=9 height=9> Create</a> <button>Create</button> ` +
			`<button title="Save and close">Create</button>`,
	} {
		t.Run(kind, func(t *testing.T) {
			r.t = t
			r.open("<!doctype html><title>Kinds</title><h2>New kind</h2>" + html)
			w := Want{Target: uncountedNow(r.shown("[title]")), Verb: capture.Click}
			r.finds(w, "document.querySelector('[title]')")
			r.open("<!doctype html><title>Kinds</title><h2>New kind</h2>" + html + html)
			r.refuses(w, Ambiguous)
			r.open("<!doctype html><title>Kinds</title><h2>New kind</h2>" + strings.ReplaceAll(html, `title="Save and close"`, "") +
				"<button>Create</button>")
			r.refuses(w, Ambiguous)
		})
	}
}
