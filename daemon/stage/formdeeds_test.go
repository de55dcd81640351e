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

// larder keeps things whose deeds are small forms in their rows: each is sent by POST, and answered with the page that it stood on.
type larder struct {
	mu    sync.Mutex
	state map[string]int
	lie   func(l *larder, name, to string)
	draw  func(l *larder, name string) string
	frame [2]string // what stands around all rows
}

var larderNames = []string{"Barley", "Honey", "Pickles", "Saffron", "Walnuts"}

func (l *larder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		if l.lie != nil {
			l.lie(l, r.FormValue("name"), r.FormValue("to"))
		} else {
			l.does(r.FormValue("name"), r.FormValue("to"))
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
	default:
		fmt.Fprint(w, `<!doctype html><title>Larder</title><h1>Larder</h1>`+l.frame[0])
		for _, name := range larderNames {
			fmt.Fprint(w, l.draw(l, name))
		}
		fmt.Fprint(w, l.frame[1])
	}
}

func (l *larder) does(name, to string) {
	switch to {
	case "more":
		l.state[name]++
	case "less":
		l.state[name]--
	case "off":
		l.state[name] = 0
	case "on":
		l.state[name] = 1
	}
}

func (l *larder) reset(lie func(l *larder, name, to string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lie, l.state = lie, map[string]int{}
	for i, name := range larderNames {
		l.state[name] = 1 + i%2
	}
}

func (l *larder) has() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprint(l.state)
}

// asking is a form in a row.
func asking(name, to, button string) string {
	return fmt.Sprintf(`<form method=post action="/do"><input type=hidden name=name value="%s">`+
		`<input type=hidden name=to value="%s">%s</form>`, name, to, button)
}

// larderTable shows its state in a cell of its own.
func larderTable(l *larder, name string) string {
	says := map[bool]string{true: "in use", false: "put away"}[l.state[name] > 0]
	return fmt.Sprintf(`<tr><td>%s<td>%s<td>%s</tr>`, name, says, asking(name, "off", `<button>Archive</button>`))
}

// larderCards have a button whose own word changes.
func larderCards(l *larder, name string) string {
	says, to, word := "serving", "off", "Disable"
	if l.state[name] == 0 {
		says, to, word = "idle", "on", "Enable"
	}
	return fmt.Sprintf(`<div class=card><h3>%s</h3><p>%s</p>%s</div>`, name, says, asking(name, to, `<button type=submit>`+word+`</button>`))
}

// larderCounts have a number between two buttons that are called by a sign.
func larderCounts(l *larder, name string) string {
	return fmt.Sprintf(`<li><span>%s</span>%s<b>%d</b>%s</li>`, name, asking(name, "less", `<button>-</button>`), l.state[name],
		asking(name, "more", `<button>+</button>`))
}

// larderIcons have a drawing for a button, and a title.
func larderIcons(l *larder, name string) string {
	says := map[bool]string{true: "on the shelf", false: "out"}[l.state[name] > 0]
	return fmt.Sprintf(`<tr><td>%s<td>%s<td>%s</tr>`, name, says, asking(name, "off",
		`<button title="Take out"><svg width=16 height=16><path d="M2 8h12"/></svg></button>`))
}

// pressIn presses the first button of a text behind what says a name itself.
func pressIn(p *person.Person, name, button string) {
	p.Press(person.Sight{Script: `function see(name, button) {
const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() === name);
const head = [...document.body.querySelectorAll("*")].find(own);
const after = (b) => head && head.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
const at = [...document.querySelectorAll("button")].find((b) => (b.textContent || b.title) === button && after(b));
const r = at && at.getBoundingClientRect();
return r ? {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height, height: innerHeight} : {ready: true, count: 0}; }`,
		Words: []string{name, button}})
}

// The button of a form in a row that asks nothing does something to its row, whatever the page says of it: a run passes where the row
// shows it, and never where the site only went on.
func TestDeedsByFormsOfTheirOwnPage(t *testing.T) {
	t.Parallel()
	table := [2]string{`<table><thead><tr><th>Name<th>State<th>Deeds</tr></thead><tbody>`, `</tbody></table>`}
	for name, c := range map[string]struct {
		draw         func(l *larder, name string) string
		frame        [2]string
		goal, button string
		to           string
	}{
		"a table": {larderTable, table, "Archive a thing", "Archive", "off"},
		"cards":   {larderCards, [2]string{"<div>", "</div>"}, "Disable a thing", "Disable", "off"},
		"counts":  {larderCounts, [2]string{"<ul>", "</ul>"}, "Add one more of a thing", "+", "more"},
		"icons":   {larderIcons, table, "Take out a thing", "Take out", "off"},
	} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			app := &larder{draw: c.draw, frame: c.frame}
			s := newShowing(t, app)
			s.in.Goal = c.goal
			for _, pick := range []string{"Honey", "Walnuts"} {
				app.reset(nil)
				was := app.has()
				s.show(func(p *person.Person) {
					p.Open("/")
					pressIn(p, pick, c.button)
				}, func(seen []adaptertest.Seen) bool {
					return app.has() != was && slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
						return o.Verb == capture.Click && o.After != nil
					})
				})
			}
			out := s.compiled()
			if !out.Lint.Passed {
				t.Errorf("the lint says: %+v", out.Lint.Findings)
			}
			for _, st := range out.Graph.Steps {
				t.Logf("%s %q effect %v %+v", st.StepID, st.Title, st.Effect, st.Target)
			}
			if len(out.Interpretation.Inputs) != 1 {
				t.Fatalf("inputs: %+v", out.Interpretation.Inputs)
			}
			const pick = "Pickles"
			values := map[string]string{out.Interpretation.Inputs[0].Name: pick}
			app.reset(nil)
			app.does(pick, c.to)
			want := app.has()
			app.reset(nil)
			if res := s.rehearsed(out, values); app.has() != want || res.Overall != rehearse.Passed {
				t.Errorf("%s %s: %s", res.Overall, res.Reason, app.has())
			}
			for what, lie := range map[string]func(l *larder, name, to string){
				"keeps nothing": func(*larder, string, string) {},
				"takes another": func(l *larder, name, to string) {
					l.does(larderNames[(slices.Index(larderNames, name)+1)%len(larderNames)], to)
				},
			} {
				app.reset(lie)
				if res := s.rehearsed(out, values); res.Overall == rehearse.Passed {
					t.Errorf("it passed on a site that %s: %s", what, strings.TrimSpace(app.has()))
				}
			}
		})
	}
}
