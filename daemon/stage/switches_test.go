package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
)

// lamps are switches that act at once.
type lamps struct {
	mu    sync.Mutex
	draws string
	lie   string
	on    map[string]bool
}

var rooms = []string{"Kitchen", "Long hall", "Attic", "Cellar"}

func (l *lamps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		of := r.FormValue("of")
		switch l.lie {
		case "keeps nothing":
			return
		case "takes another":
			of = rooms[(slices.Index(rooms, of)+1)%len(rooms)]
		}
		l.on[of] = r.FormValue("on") == "true"
	default:
		all, _ := json.Marshal(l.on)
		names, _ := json.Marshal(rooms)
		fmt.Fprint(w, `<!doctype html><html lang=en><meta charset=utf-8><title>House</title><style>[role=switch]{width:40px;height:20px;`+
			`border:1px solid;background:#ddd}[aria-checked=true]{background:#3a7}</style><body><h1>House</h1><section aria-labelledby=h>`+
			`<h2 id=h>Lamps</h2><div id=all></div></section><section aria-labelledby=k><h2 id=k>Doors</h2><button>Lock all</button></section><script>
const on = `+string(all)+`;
const live = (b, of) => { const draw = () => b.setAttribute("aria-checked", on[of]); draw(); b.onclick = () => { on[of] = !on[of]; draw();
	fetch("/", {method: "POST", body: new URLSearchParams({of, on: on[of]})}) } };
`+l.draws+`
for (const of of `+string(names)+`) one(of);</script>`)
	}
}

func (l *lamps) reset(draws, lie string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draws, l.lie, l.on = draws, lie, map[string]bool{}
	for _, r := range rooms {
		l.on[r] = r == "Attic"
	}
}

func (l *lamps) has() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := ""
	for _, r := range rooms {
		if l.on[r] {
			out += r + ";"
		}
	}
	return out
}

const (
	lampsOfLines = `const one = (of) => { const el = document.createElement("div"); el.className = "lamp";
	el.innerHTML = "<label>" + of + "</label> <button role=switch></button>"; const b = el.lastChild; b.setAttribute("aria-label", of);
	live(b, of); all.append(el) };`
	lampsOfRoots = `const one = (of) => { const el = document.createElement("lamp-line"), r = el.attachShadow({mode: "open"});
	r.innerHTML = "<style>[role=switch]{width:40px;height:20px}</style><div><span id=s>" + of +
		"</span> <button role=switch aria-labelledby=s></button></div>"; live(r.querySelector("button"), of); all.append(el) };`
)

// Two demonstrations that each turn another one of several switches on: which one is the input.
func TestWhichSwitch(t *testing.T) {
	t.Parallel()
	for name, draws := range map[string]string{"lines": lampsOfLines, "components": lampsOfRoots} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			site := &lamps{}
			s := newShowing(t, site)
			s.in.Goal = "Turn a lamp on"
			for _, of := range []string{"Long hall", "Kitchen"} {
				site.reset(draws, "")
				var last time.Time
				s.show(func(p *person.Person) {
					p.Open("/")
					p.Press(person.Sight{Script: `(a) => { const all = [...document.querySelectorAll("[role=switch]"),
						...[...document.querySelectorAll("lamp-line")].map((x) => x.shadowRoot.querySelector("button"))];
						const b = all.find((x) => x.parentNode.textContent.includes(a)); if (!b) return {ready: true, count: 0};
						const r = b.getBoundingClientRect(); return {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`,
						Words: []string{of, "-"}})
					last = p.Pressed
				}, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(last) })
				})
			}
			out := s.compiled()
			values := map[string]string{}
			for _, p := range out.Graph.Params {
				t.Logf("param %s of %q, %s, %v", p.Name, p.Label, p.Role, p.Options)
				if p.Role != workflow.RoleConstant && p.Derived == "" {
					values[p.Name] = "Cellar"
				}
			}
			for _, st := range out.Graph.Steps {
				t.Logf("step %q on %+v", st.Title, st.Target)
			}
			if len(values) != 1 {
				t.Fatalf("inputs: %v", values)
			}
			for _, lie := range []string{"", "keeps nothing", "takes another"} {
				site.reset(draws, lie)
				res := s.rehearsed(out, values)
				t.Logf("%q: %s %s, %s", lie, res.Overall, res.Reason, site.has())
				switch {
				case lie == "" && (res.Overall == rehearse.Failed || site.has() != "Attic;Cellar;"):
					t.Errorf("%s %s: %s", res.Overall, res.Reason, site.has())
				case lie != "" && res.Overall == rehearse.Passed:
					t.Errorf("it passed on a site that %s", lie)
				}
			}
		})
	}
}
