package stage

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"showhow/bench/corpus/person"
)

// again counts the loads of a page.
func (l *liar) again() (n int) {
	fmt.Sscan(l.kept["n"], &n)
	l.kept["n"] = fmt.Sprint(n + 1)
	return n
}

// drawn are pages of which something is drawn anew at each load, what is entered or acted on among it.
var drawn = map[string]seeming{
	"a list of words": {goal: "Add a tree", last: "Add", values: map[string]string{"": "Willow"}, look: "tree", want: "Willow",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			all := []string{"Alder", "Ash", "Aspen", "Birch", "Cedar", "Elm", "Hazel", "Larch", "Maple", "Oak", "Rowan", "Willow"}
			if r.Method == http.MethodPost {
				l.keep("tree", r.FormValue("v"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			head(w, "Trees", map[bool]string{true: "The tree was added."}[r.FormValue("done") != ""])
			fmt.Fprint(w, `<form method=post action=/><label>Tree <input name=v></label> <button>Add</button></form><ul>`)
			for i, n := 0, l.again(); i < 4; i++ {
				if tree := all[(5*n+i)%len(all)]; tree != l.kept["tree"] {
					fmt.Fprintf(w, `<li>%s`, tree)
				}
			}
			if l.kept["tree"] != "" {
				fmt.Fprintf(w, `<li>%s`, html.EscapeString(l.kept["tree"]))
			}
			fmt.Fprint(w, `</ul>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Tree", "Sequoia")
			p.Click("button", "Add")
			p.See("The tree was added.")
		}},
	"a field": {goal: "Set the favourite tree", last: "Save", values: map[string]string{"": "Larch"}, look: "tree", want: "Larch",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("tree", r.FormValue("v"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			is := []string{"Birch", "Cedar", "Larch"}[l.again()%3]
			if l.kept["tree"] != "" {
				is = l.kept["tree"]
			}
			head(w, "Profile", map[bool]string{true: "Your profile was saved."}[r.FormValue("done") != ""])
			fmt.Fprintf(w, `<form method=post action=/><p><label>Name <input name=n value="Anna Berg"></label></p><p><label>Favourite tree `+
				`<input name=v value="%s"></label></p><button>Save</button></form>`, html.EscapeString(is))
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Favourite tree", "Willow")
			p.Click("button", "Save")
			p.See("Your profile was saved.")
		}},
	"a number": {goal: "Vote for a tree", last: "Vote", values: map[string]string{"": "Birch"}, look: "vote", want: "Birch",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("vote", r.FormValue("m"))
				http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
				return
			}
			head(w, "Trees", map[bool]string{true: "Thank you for your vote."}[r.FormValue("done") != ""])
			fmt.Fprint(w, `<table><thead><tr><th>Tree<th>Looks<th>Yours<th>Deed</tr></thead><tbody>`)
			for _, n := range []string{"Alder", "Birch", "Cedar", "Elm"} {
				looks := 7
				if n == "Birch" {
					looks += 5 * l.again()
				}
				fmt.Fprintf(w, `<tr><td>%[1]s<td>%[2]d<td>%[3]s<td><form method=post action=/><input type=hidden name=m value="%[1]s">`+
					`<button>Vote</button></form></tr>`, n, looks, map[bool]string{true: "yes", false: "no"}[l.kept["vote"] == n])
			}
			fmt.Fprint(w, `</table>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.ClickIn("Cedar", "button", "Vote")
			p.See("Thank you for your vote.")
		}},
	// How many rows it has says nothing of the one that was added: neither that it was, nor that it was not.
	"a number of rows": {goal: "Add a guest", last: "Add", values: map[string]string{"": "Walnut Smith"}, look: "guest", want: "Walnut Smith",
		page: func(l *liar, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				l.keep("guest", r.FormValue("v"))
				http.Redirect(w, r, "/", http.StatusSeeOther)
				return
			}
			head(w, "Guests", "")
			fmt.Fprint(w, `<form method=post action="/"><label>Guest <input name=v></label> <button>Add</button></form>`+
				`<table><thead><tr><th>Guest<th>Seat</tr></thead><tbody>`)
			n := l.again()
			rows := 2 + n%2
			if l.kept["guest"] == "Sequoia Jones" { // the demonstration has one more row than before
				rows = 2
			}
			for i := range rows {
				fmt.Fprintf(w, `<tr><td>%s %s<td>%d</tr>`, []string{"Ana", "Bo", "Cy", "Di", "Ed"}[(n+i)%5], []string{"Jones", "Smith"}[i%2], n)
			}
			if l.kept["guest"] != "" {
				fmt.Fprintf(w, `<tr><td>%s<td>41</tr>`, html.EscapeString(l.kept["guest"]))
			}
			fmt.Fprint(w, `</table>`)
		}, show: func(p *person.Person) {
			p.Open("/")
			p.Enter("Guest", "Sequoia Jones")
			p.Click("button", "Add")
			p.See("Guests")
		}},
}

// What a page shows at one load and not at the next was not kept.
func TestWhatIsDrawnAnew(t *testing.T) {
	t.Parallel()
	seem(t, "a list of words", "a field", "a number", "a number of rows")
}
