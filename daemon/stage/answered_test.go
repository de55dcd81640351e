package stage

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
)

// berth is a page with a form whose answer stands at an address that opens nothing: which berth is meant is in the form.
type berth struct {
	mu    sync.Mutex
	due   map[string]string
	quiet bool // it keeps nothing
}

func (b *berth) reset(quiet bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due, b.quiet = map[string]string{}, quiet
}

func (b *berth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	names := map[string]string{"1": "Anchor", "2": "Bollard", "3": "Capstan", "4": "Davit"}
	name, due := names[r.FormValue("id")], r.FormValue("due")
	switch {
	case r.URL.Path == "/":
		fmt.Fprint(w, `<!doctype html><title>Berths</title><h1>Berths</h1><table><tr><th>Berth<th>State</tr>`)
		for _, id := range []string{"1", "2", "3", "4"} {
			fmt.Fprintf(w, `<tr><td><a href="/dates?id=%s">%s</a><td>free</tr>`, id, names[id])
		}
		fmt.Fprint(w, `</table>`)
	case name == "":
		http.Error(w, "No berth", http.StatusBadRequest)
	default:
		told := ""
		if r.Method == http.MethodPost {
			told = "<ul><li>Due is " + due + " now</ul>"
			if !b.quiet {
				b.due[name] = due
			}
		}
		fmt.Fprintf(w, `<!doctype html><title>Dates of %s</title><h1>Dates of %[1]s</h1>%s<p>Due: %s<form method=post action=/dates>`+
			`<input type=hidden name=id value=%s><label>Due <input name=due></label> <button>Save</button></form>`,
			name, told, b.due[name], r.FormValue("id"))
	}
}

// The answer to a form may not be opened by its address, which says nothing of what was done: the page with the form is looked at instead.
func TestTheAnswerToAFormIsNoPageOfItsOwn(t *testing.T) {
	t.Parallel()
	site := &berth{}
	s := newShowing(t, site)
	s.in.Goal = "Set the due date of a berth"
	for _, d := range [][2]string{{"Bollard", "3 May"}, {"Capstan", "9 June"}} {
		site.reset(false)
		s.show(func(p *person.Person) {
			p.Open("/")
			p.Click("link", d[0])
			p.Enter("Due", d[1])
			p.Click("button", "Save")
			p.See("Due is " + d[1])
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
				return o.Target != nil && o.Target.Name == "Save" && o.After != nil
			})
		})
	}
	out := s.compiled()
	values := map[string]string{}
	for _, in := range out.Interpretation.Inputs {
		values[in.Name] = "Davit"
		if strings.HasPrefix(in.Name, "due") {
			values[in.Name] = "30 July"
		}
	}
	for _, quiet := range []bool{false, true} {
		site.reset(quiet)
		res := s.rehearsed(out, values)
		if site.due["Davit"] != map[bool]string{false: "30 July"}[quiet] {
			t.Fatalf("kept %v with %v", site.due, values)
		}
		if !quiet && res.Overall != "passed" || quiet && res.Overall == "passed" {
			t.Errorf("on a site that keeps nothing %v: %s", quiet, res.Overall)
		}
	}
}
