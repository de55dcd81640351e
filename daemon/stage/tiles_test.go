package stage

import (
	"encoding/json"
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
	"showhow/daemon/workflow"
)

// albums are pictures with a name, which is edited where it stands.
type albums struct {
	mu    sync.Mutex
	draws string
	lie   string
	names []string
}

func (a *albums) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		at := slices.Index(a.names, r.FormValue("was"))
		if at < 0 || a.lie == "keeps nothing" {
			return
		}
		if a.lie == "takes another" {
			at = (at + 1) % len(a.names)
		}
		a.names[at] = r.FormValue("is")
	default:
		all, _ := json.Marshal(a.names)
		fmt.Fprint(w, `<!doctype html><html lang=en><meta charset=utf-8><title>Albums</title><style>#all{display:flex}.album{width:130px;`+
			`padding:8px;cursor:default}.chosen{background:#cdf}</style><body><h1>Albums</h1><p><button id=ren disabled>Rename</button> `+
			`<button id=share disabled>Share</button></p><div id=all></div><p>Four albums.</p><script>
const data = `+string(all)+`; let chosen = -1;
const edit = (place) => { const i = document.createElement("input"), was = data[chosen]; i.value = was; place(i); i.focus(); i.select();
	i.onkeydown = async (ev) => { if (ev.key !== "Enter") return; data[chosen] = i.value; chosen = -1; const is = i.value; draw();
		await fetch("/", {method: "POST", body: new URLSearchParams({was, is})}) } };
const live = (el, n) => { el.onclick = () => { if (chosen !== n) { chosen = n; draw() } }; el.classList.toggle("chosen", chosen === n) };
const draw = () => { all.innerHTML = ""; ren.disabled = share.disabled = chosen < 0; data.forEach((name, n) => one(name, n)) };
`+a.draws+`
draw();</script>`)
	}
}

func (a *albums) reset(draws, lie string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.draws, a.lie, a.names = draws, lie, []string{"Alps", "Harbour", "Old town", "Garden"}
}

func (a *albums) has() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.names, ", ")
}

const (
	albumsOfBoxes = `const one = (name, n) => { const el = document.createElement("div"); el.className = "album"; el.innerHTML =
	"<svg width=40 height=30><path d='M2 28l12-20 8 12 6-8 10 16z'/></svg><span></span>"; el.lastChild.textContent = name; live(el, n);
	all.append(el) };
ren.onclick = () => edit((i) => document.querySelector(".chosen span").replaceWith(i));`
	albumsOfFigures = `const one = (name, n) => { const el = document.createElement("figure"); el.className = "album"; el.innerHTML =
	"<div><svg width=40 height=30><path d='M2 28l12-20 8 12 6-8 10 16z'/></svg></div><figcaption><b></b></figcaption>";
	el.querySelector("b").textContent = name; live(el, n); all.append(el) };
ren.onclick = () => edit((i) => { const c = document.querySelector(".chosen figcaption"); c.innerHTML = ""; c.append(i) });`
)

// A field that takes the place of a thing's only text is not named after the thing beside it.
func TestRenamedWhereItStands(t *testing.T) {
	t.Parallel()
	for name, draws := range map[string]string{"boxes": albumsOfBoxes, "figures": albumsOfFigures} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			site := &albums{}
			s := newShowing(t, site)
			s.in.Goal = "Rename an album"
			site.reset(draws, "")
			var last time.Time
			s.show(func(p *person.Person) {
				p.Open("/")
				p.Press(person.Sight{Script: `(a) => { const b = [...document.querySelectorAll(".album")].find((x) => x.textContent === a);
					const r = b.querySelector("svg").getBoundingClientRect();
					return {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`, Words: []string{"Harbour", "-"}})
				p.Click("button", "Rename")
				p.EnterAt("Ferries\r")
				p.See("Ferries")
				last = p.Pressed
			}, func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
					return o.Keys == "Enter" && o.After != nil && !o.OccurredAt.Before(last)
				}) &&
					slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.Verb == capture.Type })
			})
			if got := site.has(); got != "Alps, Ferries, Old town, Garden" {
				t.Fatalf("shown: %s", got)
			}
			out := s.compiled()
			values := map[string]string{}
			for _, p := range out.Graph.Params {
				t.Logf("param %s of %q, %s, shown %q", p.Name, p.Label, p.Role, s.in.Values[p.LinkID])
				if p.Role != workflow.RoleConstant && p.Derived == "" {
					values[p.Name] = map[string]string{"Harbour": "Garden", "Ferries": "Roses"}[s.in.Values[p.LinkID]]
				}
				if slices.ContainsFunc([]string{"Alps", "Old town"}, func(n string) bool { return strings.Contains(p.Label, n) }) {
					t.Errorf("%s is named after another album: %q", p.Name, p.Label)
				}
			}
			for _, st := range out.Graph.Steps {
				t.Logf("step %q on %+v", st.Title, st.Target)
			}
			if len(values) != 2 {
				t.Fatalf("inputs: %v", values)
			}
			for _, lie := range []string{"", "keeps nothing", "takes another"} {
				site.reset(draws, lie)
				res := s.rehearsed(out, values)
				t.Logf("%q: %s %s, %s", lie, res.Overall, res.Reason, site.has())
				switch {
				case lie == "" && (res.Overall == rehearse.Failed || site.has() != "Alps, Harbour, Old town, Roses"):
					t.Errorf("%s %s: %s", res.Overall, res.Reason, site.has())
				case lie != "" && res.Overall == rehearse.Passed:
					t.Errorf("it passed on a site that %s", lie)
				}
			}
		})
	}
}
