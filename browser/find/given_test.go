//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// given is a want whose name a run has filled in.
func (r *rig) given(selector, name string) Want {
	w := Want{Target: r.shown(selector), Verb: capture.Click}
	w.Target.Name, w.Target.Given = name, true
	for i, l := range w.Target.Locators {
		if l.By == "role" {
			w.Target.Locators[i].Value = name
		}
	}
	return w
}

func (r *rig) missing(w Want) {
	r.t.Helper()
	if f, err := Find(r.t.Context(), r.frames(1), w); err == nil {
		r.t.Errorf("%q: found %s %q", w.Target.Name, f.Role, f.Name)
	}
}

// What an input names is not repaired to something that is called otherwise, however alike that is.
func TestAnInputsNameIsAnIdentity(t *testing.T) {
	r := newRig(t)
	for kind, entry := range map[string]string{
		"links to nowhere":     `<a href="#" id=x%[1]d>%[2]s</a>`,
		"links of a script":    `<a href="javascript:void 0" id=x%[1]d>%[2]s</a>`,
		"links to one address": `<a href="/all" id=x%[1]d>%[2]s</a>`,
		"buttons":              `<button id=x%[1]d title=Open>%[2]s</button>`,
	} {
		t.Run(kind, func(t *testing.T) {
			r.t = t
			draw := func(names ...string) {
				out := ""
				for i, n := range names {
					out += fmt.Sprintf(entry, i, n) + " "
				}
				r.open("<!doctype html><title>m</title><h1>Minutes</h1><p>" + out)
			}
			draw("Marlin")
			w := r.given("#x0", "Gannet")
			draw("Petrel")
			r.missing(w)
			draw("Petrel", "Gannet")
			r.finds(w, "document.getElementById('x1')")
		})
	}
}

// An entry of a list that says an input's value among other words is meant, if no other one does.
func TestAnEntryThatSaysTheValue(t *testing.T) {
	r := newRig(t)
	draw := func(names ...string) {
		out := ""
		for i, n := range names {
			out += fmt.Sprintf(`<li role=option id=x%d>%s <small>team %d</small></li>`, i, n, i)
		}
		r.open("<!doctype html><title>a</title><h1>Ticket</h1><input role=combobox><ul role=listbox>" + out + "</ul>")
	}
	draw("Marlin")
	w := r.given("#x0", "Ann Lee")
	for _, c := range []struct {
		found string
		names []string
	}{{"x1", []string{"Bo", "Ann Lee"}}, {"x0", []string{"Dr. Ann Lee"}}, {"", []string{"Ann Lee", "Ann Lee Kahn"}},
		{"", []string{"Ann Leeson"}}, {"", []string{"Bo", "Cy"}}} {
		if draw(c.names...); c.found == "" {
			r.missing(w)
		} else {
			r.finds(w, "document.getElementById('"+c.found+"')")
		}
	}
}

// Of the controls that every cell of a row has, the one in the recorded column is meant, wherever that column stands.
func TestControlsOfEachCell(t *testing.T) {
	r := newRig(t)
	draw := func(columns ...string) {
		head, cells := "<th>Hour</th>", ""
		for _, c := range columns {
			head += "<th>" + c + "</th>"
			cells += `<td><button data-c="` + c + `">free</button></td>`
		}
		rows := strings.ReplaceAll(`<tr id=HOUR><th scope=row>HOUR</th>`+cells+"</tr>", "HOUR", "h9") +
			strings.ReplaceAll(`<tr id=HOUR><th scope=row>HOUR</th>`+cells+"</tr>", "HOUR", "h10")
		r.open("<!doctype html><title>s</title><h1>Slots</h1><table><thead><tr>" + head + "</tr></thead><tbody>" + rows + "</tbody></table>")
	}
	draw("Mon", "Tue", "Wed")
	w := Want{Target: r.shown("#h10 [data-c=Tue]"), Verb: capture.Click}
	if w.Target.Placeholder != "Tue" {
		t.Fatalf("its column is %q", w.Target.Placeholder)
	}
	draw("Sun", "Tue", "Wed", "Mon")
	r.finds(w, `document.querySelector("#h10 [data-c=Tue]")`)
	draw("Sun", "Wed", "Mon")
	r.missing(w)
}

// Wordless things side by side are called by their place or their colour, radio buttons of one name by their place; icons are not.
func TestWordlessThingsBesideEachOther(t *testing.T) {
	r := newRig(t)
	star := `<span style="cursor:pointer;display:inline-block;width:20px;height:20px"><svg viewBox="0 0 9 9"><path d="%s"/></svg></span>`
	stars := strings.Repeat(fmt.Sprintf(star, "M1 1h7v7z"), 5)
	icons := fmt.Sprintf(star, "M1 1h7v7z") + fmt.Sprintf(star, "M2 1h7v7z") + fmt.Sprintf(star, "M3 1h7v7z")
	swatch := func(colours ...string) (out string) {
		for _, c := range colours {
			out += `<i style="cursor:pointer;display:inline-block;width:20px;height:20px;background:` + c + `"></i>`
		}
		return out
	}
	radios := `<fieldset style="direction:rtl"><legend>Rate</legend>` + strings.Repeat(`<label><input type=radio name=r>★</label>`, 4) +
		`</fieldset>`
	for _, c := range []struct{ page, selector, called string }{
		{stars, "span:nth-of-type(4)", "4"}, {icons, "span:nth-of-type(2)", ""},
		{strings.Join(strings.SplitAfter(stars, "</span>"), "Ann"), "span:nth-of-type(2)", ""},
		{swatch("red", "green", "#00f"), "i:nth-of-type(3)", "blue"},
		{swatch("#c00", "#d00"), "i:nth-of-type(1)", ""}, {radios, "label:nth-of-type(1) input", "4"},
	} {
		r.open("<!doctype html><title>w</title><h1>Wordless</h1><div>" + c.page + "</div>")
		if got := r.shown(c.selector); got.Name+got.Text+got.Label != c.called {
			t.Errorf("%s of %s: %q", c.selector, c.page, got.Name+got.Text+got.Label)
		}
	}
	r.open("<!doctype html><title>w</title><h1>Wordless</h1><div>" + stars + "</div>")
	w := Want{Target: r.shown("span:nth-of-type(4)"), Verb: capture.Click}
	w.Target.Text, w.Target.Given, w.Target.Locators = "2", true, nil
	r.finds(w, `document.querySelectorAll("span")[1]`)
}
