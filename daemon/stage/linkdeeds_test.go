package stage

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// mill keeps machines whose deeds are links: the server does what the address says, and answers with the page that the link stood on.
type mill struct {
	mu     sync.Mutex
	began  time.Time
	state  map[string]string // and since when
	lie    func(m *mill, name, to string)
	draw   func(m *mill, w http.ResponseWriter, message string)
	silent bool // the address is what it was, too
}

func (m *mill) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name, to := r.FormValue("name"), r.FormValue("do")
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case to != "":
		if m.lie != nil {
			m.lie(m, name, to)
		} else {
			m.state[name] = to
		}
		at := "/?message=" + name + "+is+to+" + to
		if m.silent {
			at = "/"
		}
		http.Redirect(w, r, at, http.StatusSeeOther)
	default:
		m.draw(m, w, r.FormValue("message"))
	}
}

func (m *mill) reset(lie func(m *mill, name, to string), state map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.began, m.lie, m.state = time.Now(), lie, state
}

func (m *mill) has() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return fmt.Sprint(m.state)
}

// millRows shows machines with their state before their names, and a time that runs in each row of one that runs.
func millRows(m *mill, w http.ResponseWriter, message string) {
	fmt.Fprintf(w, `<!doctype html><title>Machines</title><div id=head>Machines</div><div class=said>%s</div>`+
		`<table><thead><tr><th>State<th>What it does<th>Name<th>Deeds</tr></thead><tbody>`, message)
	says := map[string]string{"run": "Start", "halt": "Stop", "again": "Restart"}
	for i, name := range []string{"crane", "ferry", "lathe", "press", "winch"} {
		state, does, deeds := "STOPPED", "Not started", []string{"run"}
		if m.state[name] == "run" {
			state, deeds = "RUNNING", []string{"halt", "again"}
			does = fmt.Sprintf("pid %d, uptime 0:00:%02d", 300+i, int(time.Since(m.began).Seconds())%60)
		}
		fmt.Fprintf(w, `<tr><td><span class=s>%s</span><td>%s<td><a href="/tail?of=%s">%[3]s</a><td><ul>`, strings.ToLower(state), does, name)
		for _, d := range deeds {
			fmt.Fprintf(w, `<li><a href="index.html?name=%s&amp;do=%s">%s</a>`, name, d, says[d])
		}
		fmt.Fprintf(w, `<li><a href="/tail?of=%s" target=_blank>Tail</a></ul></tr>`, name)
	}
	fmt.Fprint(w, `</tbody></table>`)
}

// shelfCards shows books as entries of a list; what a link does is seen in the entry's own words, and nothing announces it.
func shelfCards(m *mill, w http.ResponseWriter, _ string) {
	fmt.Fprint(w, `<!doctype html><title>Shelf</title><h1>Shelf</h1><ul class=books>`)
	for _, name := range []string{"Kestrel", "Plover", "Linnet", "Dunlin"} {
		on, deed := "on the shelf", `<a href="/turn?name=%[1]s&amp;do=lent">Lend</a>`
		if m.state[name] == "lent" {
			on, deed = "lent", `<a href="/turn?name=%[1]s&amp;do=shelf">Take back</a>`
		}
		fmt.Fprintf(w, `<li><b>%[1]s</b> <i>%[2]s</i> `+deed+` <a href="/about/%[1]s">About</a>`, name, on)
	}
	fmt.Fprint(w, `</ul>`)
}

// A link whose following is answered with its own page did something in its row, whether the page says so or not; that passes where the row
// shows it, and never where the site only went on.
func TestDeedsByLinksOfTheirOwnPage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draw   func(m *mill, w http.ResponseWriter, message string)
		goal   string
		link   string
		state  map[string]string
		picks  []string
		passes bool
		silent bool
	}{
		"stop": {millRows, "Stop a machine", "Stop",
			map[string]string{"crane": "run", "lathe": "run", "winch": "run"}, []string{"crane", "lathe", "winch"}, true, false},
		"stop in silence": {millRows, "Stop a machine", "Stop",
			map[string]string{"crane": "run", "lathe": "run", "winch": "run"}, []string{"crane", "lathe", "winch"}, true, true},
		"start": {millRows, "Start a machine", "Start", map[string]string{"lathe": "run"}, []string{"crane", "ferry", "winch"}, true, false},
		"lend":  {shelfCards, "Lend a book", "Lend", map[string]string{"Dunlin": "shelf"}, []string{"Plover", "Linnet", "Kestrel"}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			app := &mill{draw: c.draw, silent: c.silent}
			s := newShowing(t, app)
			s.in.Goal = c.goal
			fresh := func() map[string]string {
				out := map[string]string{}
				for k, v := range c.state {
					out[k] = v
				}
				return out
			}
			for _, pick := range c.picks[:2] {
				app.reset(nil, fresh())
				s.show(func(p *person.Person) {
					p.Open("/")
					p.ClickIn(pick, "link", c.link)
					switch {
					case c.silent:
						p.See("stopped Not started " + pick)
					case c.link == "Lend":
						p.See("Take back")
					default:
						p.See(pick + " is to")
					}
				}, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
						return o.Verb == capture.Click && o.Target.Name == c.link && o.After != nil
					})
				})
			}
			out := s.compiled()
			if !out.Lint.Passed {
				t.Errorf("the lint says: %+v", out.Lint.Findings)
			}
			if len(out.Interpretation.Inputs) != 1 {
				t.Fatalf("inputs: %+v", out.Interpretation.Inputs)
			}
			values := map[string]string{out.Interpretation.Inputs[0].Name: c.picks[2]}
			for _, st := range out.Graph.Steps {
				t.Logf("%s %q effect %v", st.StepID, st.Title, st.Effect)
			}
			app.reset(nil, fresh())
			was := app.has()
			res := s.rehearsed(out, values)
			if app.has() == was || (res.Overall == rehearse.Passed) != c.passes {
				t.Errorf("%s %s: %s", res.Overall, res.Reason, app.has())
			}
			for what, lie := range map[string]func(m *mill, name, to string){
				"keeps nothing": func(*mill, string, string) {},
				"takes another": func(m *mill, name, to string) {
					for _, k := range c.picks {
						if k != name {
							m.state[k] = to
							return
						}
					}
				},
			} {
				app.reset(lie, fresh())
				if res := s.rehearsed(out, values); res.Overall == rehearse.Passed {
					t.Errorf("it passed on a site that %s", what)
				}
			}
		})
	}
}
