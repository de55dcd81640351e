package stage

import (
	"fmt"
	"html"
	"net/http"
	"sync/atomic"
	"testing"

	"showhow/bench/corpus/person"
)

// drawings counts how often the pages below were asked for, in demonstrations and in runs.
var drawings atomic.Int32

// amounts are pages of which a button says a number that is another one each time.
var amounts = map[string]seeming{
	"a price": {goal: "Order a tree", last: "Order for", values: map[string]string{"": "Willow"}, look: "tree", want: "Willow",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("tree", r.FormValue("v"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			head(w, "Trees", map[bool]string{true: "The tree was ordered."}[r.FormValue("done") != ""])
			fmt.Fprintf(w, `<form method=post action=/><label>Tree <input name=v></label> <button>Order for $%d.50</button></form><ul>`,
				104+7*drawings.Add(1))
			if l.kept["tree"] != "" {
				fmt.Fprintf(w, `<li>%s`, html.EscapeString(l.kept["tree"]))
			}
			fmt.Fprint(w, `</ul>`)
		}, show: ordersFor("Sequoia"), twice: ordersFor("Hazel")},
	"a count": {goal: "Send a note", last: "Send to", values: map[string]string{"": "Call the mill"}, look: "note", want: "Call the mill",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("note", r.FormValue("v"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			head(w, "Notes", "")
			fmt.Fprintf(w, `<form method=post action=/><label>Note <input name=v></label> <button>Send to %d readers</button>`+
				`<button type=button>Discard 1 note</button></form><p>Last note: %s</p>`, 12+3*drawings.Add(1), html.EscapeString(l.kept["note"]))
		}, show: sendsTo("Bring the saw"), twice: sendsTo("Come at noon")},
}

func ordersFor(tree string) func(p *person.Person) {
	return func(p *person.Person) {
		p.Open("/")
		p.Enter("Tree", tree)
		p.Click("drawing", "form button")
		p.See("The tree was ordered.")
	}
}

func sendsTo(note string) func(p *person.Person) {
	return func(p *person.Person) {
		p.Open("/")
		p.Enter("Note", note)
		p.Click("drawing", "form button")
		p.See("Last note: " + note)
	}
}

// A number in a button's name that is another one each time says nothing of which button is meant.
func TestNumbersInNames(t *testing.T) {
	t.Parallel()
	seem(t, "a price", "a count")
}
