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
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// views is a page of three tabs, each with a form of its own.
func views(said chan<- string) http.HandlerFunc {
	var mu sync.Mutex
	kept := ""
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			said <- r.FormValue("view") + ": " + r.FormValue("note")
			kept = r.FormValue("note")
			http.Redirect(w, r, "/kept", http.StatusSeeOther)
			return
		}
		if r.URL.Path == "/kept" {
			fmt.Fprintf(w, `<title>Notes</title><h1>Notes</h1><p role=status>The note was kept</p><ul><li>One<li>%s</ul>`, kept)
			return
		}
		fmt.Fprint(w, `<title>Notes</title><h1>Notes</h1><ul><li><button role=tab>Week 12</button><li><button role=tab>Week 13</button><li>`+
			`<button role=tab>Week 14</button></ul>
<form method=post><input type=hidden name=view value="Week 12"><label>Note <input name=note></label> <button>Keep note</button></form>`+
			`<h2>Week 12</h2>
<script>for (const b of document.querySelectorAll("[role=tab]")) b.onclick = () => { document.querySelector("h2").textContent = `+
			`document.querySelector("[name=view]").value = b.textContent; };</script>`)
	}
}

// A tab is the view in which the work is done; it is asked for only where the demonstrations chose different ones.
func TestTabsAreViews(t *testing.T) {
	t.Parallel()
	said := make(chan string, 9)
	s := newShowing(t, views(said))
	show := func(tab, note string) {
		s.show(func(p *person.Person) {
			p.Open("/")
			p.Click("button", tab)
			p.Enter("Note", note)
			p.Click("button", "Keep note")
			p.See("The note was kept")
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
				return o.Verb == capture.Click && o.Target.Name == "Keep note" && o.After != nil && len(o.After.Alerts) > 0
			})
		})
		if got := <-said; got != tab+": "+note {
			t.Fatalf("shown %q", got)
		}
	}
	check := func(inputs []string, values map[string]string, want string) {
		t.Helper()
		out := s.compiled()
		var got []string
		for _, in := range out.Interpretation.Inputs {
			got = append(got, in.Name)
		}
		if !slices.Equal(got, inputs) {
			t.Errorf("inputs %q, want %q", got, inputs)
		}
		if len(inputs) == 1 && !strings.Contains(string(out.Bundle.File("SKILL.md").Data), `chose "Week 13"`) {
			t.Errorf("%s", out.Bundle.File("SKILL.md").Data)
		}
		if res := s.rehearsed(out, values); res.Overall != rehearse.Passed {
			t.Errorf("%s %s", res.Overall, res.Reason)
		}
		select {
		case got := <-said:
			if got != want {
				t.Errorf("done: %q, want %q", got, want)
			}
		default:
			t.Error("nothing was done")
		}
	}
	show("Week 13", "Crane repaired")
	check([]string{"note"}, map[string]string{"note": "Lamp cleaned"}, "Week 13: Lamp cleaned")
	show("Week 14", "Rope bought")
	check([]string{"tab", "note"}, map[string]string{"tab": "Week 12", "note": "Bell rung"}, "Week 12: Bell rung")
}
