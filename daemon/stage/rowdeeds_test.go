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

// parish is a list of pages as server-rendered programs show it: each row has several deeds, whose names hold the row's, one of them
// opens an editor in the row's place.
type parish struct {
	mu      sync.Mutex
	titles  []string
	forgets bool
}

func (s *parish) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := 0
	_, _ = fmt.Sscan(r.FormValue("id"), &id)
	switch r.URL.Path {
	case "/trash", "/rename":
		if !s.forgets && s.titles[id] != "" {
			s.titles[id] = r.FormValue("title")
		}
		http.Redirect(w, r, "/pages?done=1", http.StatusSeeOther)
	case "/edit":
		fmt.Fprintf(w,
			`<!doctype html><title>Edit page</title><h1>Edit page</h1><form method=post action=/rename><input type=hidden name=id value=%d>
<label>Title <input name=title value="%s"></label> <button>Update</button></form>`, id, s.titles[id])
	case "/pages":
		fmt.Fprint(w, `<!doctype html><title>Pages</title><h1>Pages</h1>`)
		if r.FormValue("done") != "" {
			fmt.Fprint(w, `<div class=notice><p>The page was changed.</p></div>`)
		}
		if sought := r.FormValue("s"); sought != "" {
			fmt.Fprintf(w, `<p>Search results for: “%s”</p>`, html.EscapeString(sought))
		}
		fmt.Fprint(w, `<form><label>Search pages <input type=search name=s></label> <button>Search</button></form>
<table><thead><tr><td>Box<th>Title<th>Author</tr></thead><tbody>`)
		for i, t := range s.titles {
			if t != "" && strings.Contains(t, r.FormValue("s")) {
				fmt.Fprintf(w, `<tr id=row%[1]d><th scope=row><label>Select %[2]s <input type=checkbox></label><td><strong>`+
					`<a href="/edit?id=%[1]d" aria-label="“%[2]s” (Edit)">%[2]s</a></strong>
<div><a href="/edit?id=%[1]d" aria-label="Edit “%[2]s”">Edit</a> | <button type=button aria-label="Quick edit “%[2]s” inline" `+
					`onclick="quick(%[1]d)">Quick edit</button> |
<a href="/trash?id=%[1]d" aria-label="Move “%[2]s” to the Trash">Trash</a> | <a href="/view?id=%[1]d" aria-label="View “%[2]s”">View</a>`+
					`</div><td><a href="/pages?author=1">ada</a></tr>`, i, t)
			}
		}
		fmt.Fprint(w, `</tbody></table><script>function quick(n) {
const row = document.getElementById("row" + n), at = document.createElement("tr");
at.innerHTML = '<td colspan=3><form method=post action=/rename><fieldset><legend>Quick edit</legend>`+
			`<input type=hidden name=id value=' + n + '><label>Title <input name=title></label> <button>Update</button></fieldset></form>';
at.querySelector("[name=title]").value = row.querySelector("strong a").textContent;
row.style.display = "none"; row.after(at);
}</script>`)
	default:
		http.NotFound(w, r)
	}
}

func (s *parish) has() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.titles, "|")
}

func (s *parish) reset(forgets bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.titles, s.forgets = []string{"Harvest supper", "Bell ringers", "Kitchen rota", "Choir practice"}, forgets
}

// An action whose name contains its row's name is found in another row, in a searched list or not; a row that an
// editor replaces is still there. On a site that stores nothing none of it passes.
func TestActionsThatNameTheirRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		show   func(p *person.Person)
		last   string
		values map[string]string
		want   string
	}{
		"a link": {func(p *person.Person) {
			p.Open("/pages")
			p.Click("link", "Move “Kitchen rota” to the Trash")
			p.See("The page was changed.")
		}, "Move “Kitchen rota” to the Trash", map[string]string{"page": "Bell ringers"}, "Harvest supper||Kitchen rota|Choir practice"},
		"search and open": {func(p *person.Person) {
			p.Open("/pages")
			p.Enter("Search pages", "Kitchen")
			p.Click("button", "Search")
			p.See("Search results for: “Kitchen”") // else the link of the page that is being left may be pressed
			p.Click("link", "“Kitchen rota” (Edit)")
			p.Enter("Title", "Kitchen plan")
			p.Click("button", "Update")
			p.See("The page was changed.")
		}, "Update", map[string]string{"page": "Bell ringers", "search": "Bell", "search_pages": "Bell", "title": "Bell tower"},
			"Harvest supper|Bell tower|Kitchen rota|Choir practice"},
		"an editor in the row's place": {func(p *person.Person) {
			p.Open("/pages")
			p.Click("button", "Quick edit “Kitchen rota” inline")
			p.Enter("Title", "Kitchen plan")
			p.Click("button", "Update")
			p.See("The page was changed.")
		}, "Update", map[string]string{"page": "Bell ringers", "title": "Bell tower"}, "Harvest supper|Bell tower|Kitchen rota|Choir practice"},
	} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			app := &parish{}
			app.reset(false)
			s := newShowing(t, app)
			s.in.Goal = "Change a page"
			s.show(c.show, func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
					return o.Verb == capture.Click && o.Target.Name == c.last && o.After != nil && len(o.After.Alerts) > 0
				})
			})
			out := s.compiled()
			values := map[string]string{}
			for _, in := range out.Interpretation.Inputs {
				if values[in.Name] = c.values[in.Name]; values[in.Name] == "" {
					t.Errorf("not expected: %s", in.Name)
				}
			}
			for _, forgets := range []bool{false, true} {
				app.reset(forgets)
				res := s.rehearsed(out, values)
				if forgets {
					if res.Overall == rehearse.Passed {
						t.Errorf("it passed on a site that keeps nothing")
					}
				} else if res.Overall != rehearse.Passed || app.has() != c.want {
					t.Errorf("%s %s: %s", res.Overall, res.Reason, app.has())
				}
			}
		})
	}
}
