package stage

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/rehearse"
)

// sheets are machines, each with a form whose lines are numbered and called by their first cells.
type sheets struct {
	mu   sync.Mutex
	kept map[string][]string
}

var (
	machines = []string{"Planer", "Lathe", "Shaper", "Grinder"}
	lines    = []string{"Oil grade", "Belt", "Remark"}
)

// lineOf looks for the field of a line.
const lineOf = `function lineOf(called) {
  const line = [...document.querySelectorAll("tr")].find((r) => r.cells[0].textContent === called);
  const e = line && line.querySelector("textarea");
  if (!e) return { ready: true, count: 0 };
  const r = e.getBoundingClientRect();
  return { ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height, height: innerHeight, value: e.value,
    focused: document.activeElement === e, shows: "" };
}`

func (s *sheets) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = map[string][]string{}
	for _, m := range machines {
		s.kept[m] = []string{"plain", "leather", "runs well"}
	}
}

func (s *sheets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of, err := strconv.Atoi(r.FormValue("of"))
	if err != nil || of < 0 || of >= len(machines) || r.URL.Path != "/sheet" {
		fmt.Fprint(w, `<!doctype html><title>Machines</title><h1>Workshop</h1><table>`)
		for i, m := range machines {
			k := s.kept[m]
			fmt.Fprintf(w, `<tr><td><a href="/sheet?of=%d">Change</a><td>%s<td>%s<td>%s<td>%s</tr>`, i, m, k[0], k[1], k[2])
		}
		fmt.Fprint(w, `</table>`)
		return
	}
	m := machines[of]
	if r.Method == http.MethodPost {
		s.kept[m] = nil
		for i := range lines {
			s.kept[m] = append(s.kept[m], r.FormValue(fmt.Sprint("f", i)))
		}
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	fmt.Fprintf(w, `<!doctype html><title>Machines</title><h1>Workshop</h1><form method=post action="/sheet?of=%d"><table>`+
		`<tr><td>Line<td>Kind<td>Way<td>Content</tr>`, of)
	for i, l := range lines {
		fmt.Fprintf(w, `<tr><td>%s<td>text<td><select name=w%d><option>keep<option>upper case</select><td>`+
			`<textarea name=f%d id=line_%d>%s</textarea></tr>`, l, i, i, i, s.kept[m][i])
	}
	fmt.Fprint(w, `</table><button>Keep</button></form>`)
}

// The lines of a form that are called the same in every demonstration, with other machines, name its fields; the recorder took their words
// for somebody's data, as the rows of any table.
func TestLinesOfAForm(t *testing.T) {
	t.Parallel()
	app := &sheets{}
	s := newShowing(t, app)
	s.in.Goal = "Give a machine another belt"
	for _, v := range [][2]string{{"Lathe", "woven"}, {"Shaper", "rubber"}} {
		app.reset()
		s.show(func(p *person.Person) {
			p.Open("/")
			p.ClickIn(v[0], "link", "Change")
			p.Write(person.Sight{Script: lineOf, Words: []string{"Belt"}}, v[1])
			p.Click("button", "Keep")
			p.See("Grinder")
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.Target != nil && o.Target.Name == "Keep" && o.After != nil })
		})
	}
	out := s.compiled()
	values := map[string]string{}
	for _, in := range out.Interpretation.Inputs {
		values[in.Name] = map[bool]string{true: "hemp", false: "Grinder"}[in.Name == "belt"]
	}
	app.reset()
	want := maps.Clone(app.kept)
	want["Grinder"] = []string{"plain", "hemp", "runs well"}
	res := s.rehearsed(out, values)
	if res.Overall != rehearse.Passed || !maps.EqualFunc(app.kept, want, slices.Equal) || values["belt"] == "" {
		t.Errorf("%s %s: %v; inputs %v", res.Overall, res.Reason, app.kept, values)
	}
}
