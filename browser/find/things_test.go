//go:build unix

package find

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
)

// thing is one of several things of a page: what it is called, what is said of it, and what can be done to it.
type thing struct{ name, says, deeds string }

// hold is what can be done to a thing.
const hold = `<button>Hold</button> <button>Look</button>`

// drawings are the ways in which pages show things side by side, each as a whole page of them.
var drawings = map[string]func(all []thing) string{
	"sections with headings": each("", `<section><h2>%s</h2><p>%s</p><div>%s</div></section>`, ""),
	"sections with a header": each("<main>",
		`<section class=part><header><h3>%s</h3><span>kept here</span></header><div><p>%s</p><p>%s</p></div></section>`, "</main>"),
	"fieldsets":          each("<form>", `<fieldset><legend>%s</legend><p>%s</p><p>%s</p></fieldset>`, "</form>"),
	"folds":              each("", `<details open><summary>%s</summary><p>%s</p><p>%s</p></details>`, ""),
	"regions":            eachNumbered(`<div role=region aria-labelledby=h%[1]d><div id=h%[1]d>%[2]s</div><p>%[3]s</p><p>%[4]s</p></div>`),
	"cards":              each("<div>", `<div class=card><b>%s</b><i>%s</i><span>%s</span></div>`, "</div>"),
	"cards with footers": each("<div>", `<div class="c box"><div><b>%s</b></div><div>%s</div><div class=foot>%s</div></div>`, "</div>"),
	"boxes":              each("<div>", `<div><div>%s</div><div>%s</div><div>%s</div></div>`, "</div>"),
	"terms":              each("<dl>", `<dt>%s</dt><dd><p>%s</p><p>%s</p></dd>`, "</dl>"),
	"boxed terms":        each("<dl>", `<div><dt>%s</dt><dd>%s</dd><dd>%s</dd></div>`, "</dl>"),
	"captions":           each("", `<table><caption>%s</caption><tr><td>Note<td>%s</tr><tr><td colspan=2>%s</tr></table>`, ""),
	"headings in a row":  each("<div>", `<h3>%s</h3><p>%s</p><p>%s</p>`, "</div>"),
	"articles":           each("", `<article><h4>%s</h4><p>%s</p><footer>%s</footer></article>`, ""),
	"entries":            each("<ul>", `<li><b>%s</b> <i>%s</i> %s</li>`, "</ul>"),
	"rows":               each("<table>", `<tr><td>%s<td>%s<td>%s</tr>`, "</table>"),
	"lines": each("<div>",
		`<div class=line><div class=cell>%s</div><div class=cell>%s</div><div class=cell>%s</div></div>`, "</div>"),
	"rows of parts": func(all []thing) (out string) {
		for i, part := range [][]thing{all[:len(all)/2], all[len(all)/2:]} {
			rows := each("", `<tr><td>%s<td>%s<td>%s</tr>`, "")(part)
			out += fmt.Sprintf(`<section><h2>Floor %d</h2><table>%s<tr><td>Hall<td>Bare<td>%s</table></section>`, i+1, rows, hold)
		}
		return out
	},
	"parts of parts": func(all []thing) (out string) {
		for i, part := range [][]thing{all[:len(all)/2], all[len(all)/2:]} {
			out += fmt.Sprintf(`<section class=floor><h2>Floor %d</h2><p>Some words on it.</p>`, i+1)
			out += each("", `<div class=room><h3>%s</h3><p>%s</p><div>%s</div></div>`, "")(part) + `</section>`
		}
		return out
	},
}

func each(before, one, after string) func(all []thing) string {
	return func(all []thing) string {
		out := before
		for _, o := range all {
			out += fmt.Sprintf(one, o.name, o.says, o.deeds)
		}
		return out + after
	}
}

func eachNumbered(one string) func(all []thing) string {
	return func(all []thing) (out string) {
		for i, o := range all {
			out += fmt.Sprintf(one, i, o.name, o.says, o.deeds)
		}
		return out
	}
}

// What is asked for by the name of its thing is never done to another thing, whatever that one says.
func TestAnotherThingIsNotMeant(t *testing.T) {
	lookUpThings(t, newRig(t), drawings, func(string) bool { return true })
}

// lookUpThings looks up a control of one of several things, in pages that change what the others are and say.
func lookUpThings(t *testing.T, r *rig, drawings map[string]func(all []thing) string, told func(drawn string) bool) {
	plainly := []thing{{"Ledgers", "Full", hold}, {"Maps", "Half full", hold}, {"Recipes", "Empty", hold}, {"Scores", "Full", hold}}
	with := func(change func(all []thing) []thing) []thing { return change(slices.Clone(plainly)) }
	cases := map[string]struct {
		all   []thing
		there bool
	}{
		"each has it": {plainly, true},
		"another one mentions it": {with(func(all []thing) []thing {
			all[0].says = "Kept beside Maps"
			return all
		}), true},
		"the only one without": {with(func(all []thing) []thing {
			all[1].deeds = ""
			return all
		}), false},
		"one other has it": {with(func(all []thing) []thing {
			all[0].deeds, all[1].deeds, all[3].deeds = "", "", ""
			return all
		}), false},
		"without, and another one mentions it": {with(func(all []thing) []thing {
			all[1].deeds, all[2].says = "", "Kept beside Maps"
			return all
		}), false},
		"without, and another one leads to it": {with(func(all []thing) []thing {
			all[1].deeds, all[2].says = "", `beside <a href="/maps">Maps</a>`
			return all
		}), false},
		"gone, and another one mentions it": {with(func(all []thing) []thing {
			all[2].says = "Kept beside Maps"
			return slices.Delete(all, 1, 2)
		}), false},
		"twice": {with(func(all []thing) []thing {
			all[2].name = "Maps"
			return all
		}), false},
	}
	page := func(draw func(all []thing) string, all []thing) string {
		return `<!doctype html><title>Harbour</title><h1>Harbour</h1>` + strings.ReplaceAll(draw(all), "<td></tr>", "<td>-</tr>")
	}
	right, refused, wrong, shown := 0, 0, 0, 0
	for drawn, draw := range drawings {
		r.open(page(draw, plainly))
		holds := "Array.from(document.querySelectorAll('button')).filter((b) => b.textContent === 'Hold')"
		r.eval(r.frames(1)[0], holds+"[1].id = 'it'")
		if l := r.shown("#it").Landmark; l != nil && capture.IsRow(l.Role) && l.Name == "Maps" {
			shown++
		} else if told(drawn) {
			t.Errorf("%s: it is recorded in %+v", drawn, l)
		} else {
			t.Logf("%s: it is recorded in %+v", drawn, l)
		}
	}
	for drawn, draw := range drawings {
		for name, c := range cases {
			r.open(page(draw, c.all))
			w := Want{Verb: capture.Click,
				Target: capture.Target{Role: "button", Tag: "button", Name: "Hold", Landmark: &capture.Landmark{Role: "listitem", Name: "Maps"}}}
			f, err := Find(t.Context(), r.frames(1), w)
			if err != nil {
				refused++
				if c.there && told(drawn) {
					t.Errorf("%s, %s: %v", drawn, name, err)
				} else if c.there {
					t.Logf("%s, %s: %v", drawn, name, err)
				}
				continue
			}
			s := r.frames(1)[0]
			nth := -1 // among the things that have it
			for i, n := 0, r.node(f.Session, f.ObjectID); i < strings.Count(fmt.Sprint(c.all), "Hold"); i++ {
				at := fmt.Sprintf("Array.from(document.querySelectorAll('button')).filter((b) => b.textContent === 'Hold')[%d]", i)
				if r.node(s, r.eval(s, at).ObjectID) == n {
					nth = i
				}
			}
			if c.there && nth == 1 {
				right++
				continue
			}
			wrong++
			t.Errorf("%s, %s: the %d. one was taken", drawn, name, nth+1)
		}
	}
	t.Logf("of %d: %d right, %d refused, %d wrong; %d of %d recorded as the thing's", len(drawings)*len(cases), right, refused, wrong, shown,
		len(drawings))
}
