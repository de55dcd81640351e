package stage

import (
	"fmt"
	"html"
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

// liar is a site that keeps what it is told, or only says so.
type liar struct {
	mu    sync.Mutex
	lies  bool
	kept  map[string]string
	asked string // what the site itself tells to enter, or where its links lead
	page  func(l *liar, w http.ResponseWriter, r *http.Request)
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	l.page(l, w, r)
}

func (l *liar) keep(name, value string) {
	if !l.lies {
		l.kept[name] = value
	}
}

func (l *liar) reset(lies bool, asked string, kept map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lies, l.asked, l.kept = lies, asked, kept
}

func (l *liar) has(name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept[name]
}

var (
	// instructs tells what to enter, before and after: that it can be read proves nothing.
	instructs = func(l *liar, w http.ResponseWriter, r *http.Request) {
		said := ""
		if r.Method == http.MethodPost {
			l.keep("name", r.FormValue("name"))
			http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
			return
		}
		if r.FormValue("done") != "" {
			said = `<p role=status>Thank you, it is saved.</p>`
		}
		kept := ""
		if l.kept["name"] != "" {
			kept = `<p>Registered so far: ` + html.EscapeString(l.kept["name"]) + `</p>`
		}
		fmt.Fprintf(w, `<!doctype html><title>Task</title><h1>Registration</h1>%s<p>Please enter %s below, within %d minutes.</p>`+
			`<form method=post><label>Full name <input name=name></label> <button>Register</button></form>%s`, said,
			html.EscapeString(l.asked), 10+len(l.kept), kept)
	}
	// links changes something by following a link whose text is the state itself.
	links = func(l *liar, w http.ResponseWriter, r *http.Request) {
		if r.FormValue("active") != "" {
			l.keep(r.FormValue("id"), map[string]string{"0": "NO", "1": "YES"}[r.FormValue("active")])
			http.Redirect(w, r, "/?done=1", http.StatusSeeOther)
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Aliases</title><h1>Aliases</h1>`)
		if r.FormValue("done") != "" {
			fmt.Fprint(w, `<ul class=flash><li role=status>The alias was updated.</li></ul>`)
		}
		fmt.Fprint(w, `<table><thead><tr><th>Address<th>Active<th></tr></thead><tbody>`)
		for _, id := range []string{"sales", "press", "help", "jobs"} {
			to := map[string]string{"YES": "0", "NO": "1"}[l.kept[id]]
			fmt.Fprintf(w, `<tr><td>%[1]s@example.org<td><a href="%[4]s?id=%[1]s&amp;active=%[2]s&amp;token=t%[1]s">%[3]s</a>`+
				`<td><a href="/show?id=%[1]s">Details</a></tr>`, id, to, l.kept[id], l.asked)
		}
		fmt.Fprint(w, `</tbody></table>`)
	}
	// hears has one listener for a whole list, and its entries are nothing but boxes.
	hears = func(l *liar, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			l.keep("picked", r.FormValue("name"))
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Things</title><h1>Things</h1><ul id=list style="cursor:pointer">`)
		for _, n := range []string{"Oak", "Pine", "Larch", "Birch", "Willow"} {
			on := ""
			if l.kept["picked"] == n {
				on = " (chosen)"
			}
			fmt.Fprintf(w, `<li class=item><div class=name>%s</div>%s`, n, on)
		}
		fmt.Fprint(w, `</ul><p id=p role=status></p><script>list.addEventListener("click", async (e) => {
const item = e.target.closest(".item"); if (!item) return; const n = item.querySelector(".name").textContent;
await fetch("/", {method: "POST", body: new URLSearchParams({name: n})});
p.textContent = "Chosen: " + n; item.append(" (chosen)") })</script>`)
	}
)

// A run that a person would call done passes; one on a site that says so and keeps nothing never does.
func TestLies(t *testing.T) {
	t.Parallel()
	yes := func() map[string]string {
		return map[string]string{"sales": "YES", "press": "YES", "help": "YES", "jobs": "YES"}
	}
	none := func() map[string]string { return map[string]string{} }
	for name, c := range map[string]struct {
		page        func(l *liar, w http.ResponseWriter, r *http.Request)
		goal        string
		kept        func() map[string]string
		show        func(p *person.Person)
		last        string // what is operated at the end
		asked, next string // what the site asks for while it is shown, and in the run
		value       string // of every input in the run
		look, want  string // what is kept then, by name
	}{
		"an instruction": {instructs, "Register somebody", none, func(p *person.Person) {
			p.Open("/")
			p.Enter("Full name", "Grace Hopper")
			p.Click("button", "Register")
			p.See("Thank you, it is saved.")
		}, "Register", "Grace Hopper", "Ada Lovelace", "Ada Lovelace", "name", "Ada Lovelace"},
		"a deed by a link": {links, "Switch off an alias", yes, func(p *person.Person) {
			p.Open("/")
			p.ClickIn("press@example.org", "link", "YES")
			p.See("The alias was updated.")
		}, "YES", "/edit.php", "/edit.php", "help@example.org", "help", "NO"},
		"a deed by a link to the page itself": {links, "Switch off an alias", yes, func(p *person.Person) {
			p.Open("/")
			p.ClickIn("press@example.org", "link", "YES")
			p.See("The alias was updated.")
		}, "YES", "/", "/", "help@example.org", "help", "NO"},
		"a list that listens": {hears, "Choose a thing", none, func(p *person.Person) {
			p.Open("/")
			p.Click("card", "Pine")
			p.See("Chosen: Pine")
		}, "Pine", "", "", "Larch", "picked", "Larch"},
	} {
		t.Run(name, func(t *testing.T) {
			l := &liar{page: c.page}
			s := newShowing(t, l)
			s.in.Goal = c.goal
			l.reset(false, c.asked, c.kept())
			s.show(c.show, func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
					return o.Verb == capture.Click && o.Target.Name == c.last && o.After != nil && len(o.After.Alerts) > 0
				})
			})
			out := s.compiled()
			values := map[string]string{}
			for _, in := range out.Interpretation.Inputs {
				values[in.Name] = c.value
			}
			if len(values) == 0 {
				t.Error("it has no input")
			}
			for _, lies := range []bool{false, true} {
				l.reset(lies, c.next, c.kept())
				res := s.rehearsed(out, values)
				if did := strings.Contains(l.has(c.look), c.want); did == lies {
					t.Errorf("lies %v: %s %s; kept %q", lies, res.Overall, res.Reason, l.has(c.look))
				}
				if lies == (res.Overall == rehearse.Passed) {
					t.Errorf("lies %v: %s %s", lies, res.Overall, res.Reason)
				}
				if t.Failed() {
					for _, one := range res.Steps {
						t.Log(one.Result, one.Label, one.Code, one.Details)
					}
					for _, one := range out.Graph.Steps {
						t.Logf("%+v %+v", one.Title, one.Target)
					}
				}
			}
		})
	}
}
