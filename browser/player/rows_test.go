package player

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A row includes the meaning of its images and the selected choices of its fields.
func TestRowsSayTheirPictures(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>courses</title><table><thead><tr><th>Course<th>Open<th>State<th>Kind</thead>
<tr><td>Deep water<td><img src="data:," alt=Yes><td><svg role=img aria-label=Late></svg><td><select><option>Swim<option selected>` +
		`Climb</select></tr></table>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	rows, err := p.Rows(ctxOf(t))
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	hold(t, "the row", rows[0].Text, "Deep water Yes Late Climb")
}

// What panels stand in is told by them, whatever is operated there before or behind them.
func TestRowsOfPanelsInPanels(t *testing.T) {
	room := func(name string) string {
		return `<div class=room><h3>` + name + `</h3><p>Dry.</p><p><button>Hold</button></p></div>`
	}
	floor := func(name, rooms string) string {
		return `<section class=floor><h2>` + name + `</h2><button>Count</button>` + rooms + `<p><button>Sweep</button></p></section>`
	}
	s := serve(t, map[string]any{"/": `<!doctype html><title>house</title><main>` + floor("Floor 1", room("Hall")+room("Attic")) +
		floor("Floor 2", room("Pantry")+room("Loft")) + `</main>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	rows, err := p.Rows(ctxOf(t))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, 0, len(rows))
	for _, row := range rows {
		got = append(got, row.Text)
	}
	hold(t, "the rows", strings.Join(got, "; "), "Hall Dry. Hold; Attic Dry. Hold; Pantry Dry. Hold; Loft Dry. Hold")
}

// Panels that are not shown take no place among the rows.
func TestRowsOfShownPanels(t *testing.T) {
	var html strings.Builder
	for i := range 9 {
		html.WriteString(`<div>`)
		for k := range 58 {
			hidden := map[bool]string{true: " hidden"}[k > 1]
			fmt.Fprintf(&html, `<section%s><h2>Room %d.%d</h2><p><button>Hold</button></p></section>`, hidden, i, k)
		}
		html.WriteString(`</div>`)
	}
	s := serve(t, map[string]any{"/": `<!doctype html><title>house</title>` + html.String()})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	rows, err := p.Rows(ctxOf(t))
	if err != nil {
		t.Fatal(err)
	}
	hold(t, "how many", len(rows), 18)
}

// A field that is called like a word of the page's own takes no rows away.
func TestRowsBesideAFieldCalledMatches(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>house</title><form><input name=matches><dl><dt>Hall<dd><p>` +
		`<button>Hold</button></p><dt>Loft<dd><p><button>Hold</button></p></dl></form><ul><li>Keys</ul>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	rows, err := p.Rows(ctxOf(t))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(rows, func(row Row) bool { return row.Text == "Keys" }) {
		t.Error(rows)
	}
}
