//go:build unix

package find

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
)

// Plus and minus set the number between them, whatever price stands beside it; the buttons of a pager do not, whatever they look like.
func TestNumbersThatAreSet(t *testing.T) {
	r := newRig(t)
	line := func(name, less, number, more string) string {
		return "<div class=line><strong>" + name + "</strong> <span>8.50</span> <button>" + less + "</button> " + number + " <button>" + more +
			"</button> <button>Drop</button></div>"
	}
	for name, c := range map[string]struct {
		html, is, said string // the number that is set, if one is, and what its name has besides
	}{
		"a line with a price":         {line("Ash", "-", "<output>3</output>", "+") + line("Yew", "-", "<output>4</output>", "+"), "output", ""},
		"arrows, and a price":         {line("Ash", "▼", "<span class=n>3</span>", "▲") + line("Yew", "▼", "<span>4</span>", "▲"), ".n", ""},
		"a total behind plus":         {"<p>Seats <button>-</button> <b>2</b> <button>+</button> of <span>10</span></p>", "b", "of"},
		"a pager":                     {"<p>Seats <button>‹</button> <b>2</b> <button>›</button> of <span>10</span></p>", "", ""},
		"a pager, its total a text":   {"<p>Seats <button>‹</button> <b>2</b> <button>›</button> von 10</p>", "", ""},
		"a pager, its total outside":  {"<p>Seats <span><button>▲</button> <b>2</b> <button>▼</button></span> / 10</p>", "", ""},
		"a pager, its total in front": {"<p>Seats <button>‹</button> <span><b>2</b> of 10</span> <button>›</button></p>", "", ""},
		"a pager that says so": {"<p>Seats <button aria-label='Previous page'>‹</button> <b>2</b> " +
			"<button aria-label='Next page'>›</button></p>", "", ""},
		"a pager in German":   {"<p>Seats <button aria-label='Zurück'>‹</button> <b>2</b> <button aria-label='Weiter'>›</button></p>", "", ""},
		"a pager of links":    {"<p>Seats <a href='?p=1' rel=prev>«</a> <b>2</b> <a href='?p=3' rel=next>»</a></p>", "", ""},
		"arrows with nothing": {"<p>Seats <button>‹</button> <b>2</b> <button>›</button></p>", "b", ""},
	} {
		r.open("<!doctype html><h1>Numbers</h1>" + c.html)
		w := Want{Target: capture.Target{Role: "spinbutton", Tag: "button"}, Verb: capture.Type}
		if strings.Contains(c.html, "strong") {
			w.Target.Landmark = &capture.Landmark{Role: "listitem", Name: "Ash"}
		} else {
			w.Target.Name = strings.TrimSpace("Seats " + c.said)
		}
		_, err := Find(t.Context(), r.frames(1), w)
		n, _ := err.(*NotFound)
		seen := n == nil || slices.ContainsFunc(n.Seen, func(s string) bool { return strings.Contains(s, "spinbutton") })
		switch {
		case c.is == "" && seen, c.is != "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.is != "":
			r.finds(w, "document.querySelector('"+c.is+"')")
		}
	}
}
