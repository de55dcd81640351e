package stage

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
)

// basket keeps how many of each thing somebody wants; its lines have buttons for one more and one less, and a price.
type basket struct {
	mu    sync.Mutex
	draws string
	lie   string
	many  map[string]int
}

var wares = []string{"Blue mug", "Tea towel", "Bread board", "Egg cup"}

func (b *basket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		of, n := r.FormValue("of"), 0
		_, _ = fmt.Sscan(r.FormValue("n"), &n)
		switch b.lie {
		case "":
			b.many[of] = n
		case "takes another":
			b.many[wares[(slices.Index(wares, of)+1)%len(wares)]] = n
		}
	default:
		fmt.Fprint(w, `<!doctype html><title>Basket</title><h1>Basket</h1><div id=all></div><script>
const go = async (el, of, by) => { const o = el.querySelector(".n"), n = Math.max(0, +o.textContent + by); o.textContent = n;
	await fetch("/", {method: "POST", body: new URLSearchParams({of, n})}) };
const live = (el, of) => { el.querySelector(".less").onclick = () => go(el, of, -1);
	el.querySelector(".more").onclick = () => go(el, of, 1) };
`)
		for i, of := range wares {
			fmt.Fprintf(w, "draw(%q, %q, %d);\n", of, fmt.Sprintf("%d.%d0", 3+i*7, i+2), b.many[of])
		}
		fmt.Fprint(w, b.draws+`</script>`)
	}
}

func (b *basket) reset(draws, lie string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.draws, b.lie, b.many = draws, lie, map[string]int{"Blue mug": 1, "Tea towel": 2, "Bread board": 1, "Egg cup": 4}
}

func (b *basket) has() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprint(b.many)
}

const (
	lineOfBox = `function draw(of, price, n) { const el = document.createElement("div"); el.className = "line";
	el.innerHTML = "<strong>" + of + "</strong> <span>" + price + "</span> <button class=less aria-label=Less>-</button> <b class=n>" + n +
		"</b> <button class=more aria-label=More>+</button>"; all.append(el); live(el, of) }`
	lineOfTable = `function draw(of, price, n) { if (!all.querySelector("table")) all.innerHTML =
	"<table><thead><tr><th>Ware<th>Price<th>How many</tr></thead><tbody></tbody></table>"; const el = all.querySelector("tbody").insertRow();
	el.innerHTML = "<td>" + of + "<td>" + price + "<td><button class=less>-</button> <span class=n>" + n +
		"</span> <button class=more>+</button>";
	live(el, of) }`
	lineOfRoot = `function draw(of, price, n) { const el = document.createElement("basket-line"); const r = el.attachShadow({mode: "open"});
	r.innerHTML = "<div><strong>" + of + "</strong> <span>" + price + "</span> <button class=less aria-label=Less>-</button> " +
		"<output class=n>" + n + "</output> <button class=more aria-label=More>+</button></div>"; all.append(el); live(r, of) }`
)

// How many of which thing: the number is one input, and the thing another one.
func TestHowManyOfWhich(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ draws, more string }{
		"boxes": {lineOfBox, `[...document.querySelectorAll(".line")].find(r => r.textContent.includes(a)).querySelector(".more")`},
		"table": {lineOfTable, `[...document.querySelectorAll("tr")].find(r => r.textContent.includes(a)).querySelector(".more")`},
		"components": {lineOfRoot,
			`[...document.querySelectorAll("basket-line")].map(x => x.shadowRoot).find(r => r.textContent.includes(a)).querySelector(".more")`},
	} {
		t.Run(name, func(t *testing.T) {
			sample(t, name)
			app := &basket{}
			s := newShowing(t, app)
			s.in.Goal = "Change how many of a ware are in the basket"
			app.reset(c.draws, "")
			s.show(func(p *person.Person) {
				p.Open("/")
				plus := person.Sight{Script: `(a, b) => { const e = ` + c.more + `, r = e.getBoundingClientRect();
					return {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`, Words: []string{"Tea towel", "-"}}
				p.Press(plus)
				p.Press(plus)
			}, func(seen []adaptertest.Seen) bool {
				n := 0
				for _, o := range seen {
					if o.After != nil && (o.Verb == capture.Click || o.Verb == capture.Type) {
						n++
					}
				}
				return n > 1
			})
			out := s.compiled()
			values := map[string]string{}
			for _, p := range out.Graph.Params {
				t.Logf("param %s of %q, %s of %s", p.Name, p.Label, p.Kind, p.Role)
				if p.Role != workflow.RoleConstant && p.Derived == "" {
					values[p.Name] = map[bool]string{true: "5", false: "Bread board"}[p.Kind == capture.KindNumber]
				}
			}
			for _, st := range out.Graph.Steps {
				if st.Target != nil {
					t.Logf("step %q, %d times, on %s %q in %+v", st.Title, st.Times, st.Target.Role, st.Target.Name, st.Target.Landmark)
				}
			}
			if len(values) != 2 {
				t.Errorf("inputs: %v", values)
			}
			for _, lie := range []string{"", "keeps nothing", "takes another"} {
				app.reset(c.draws, lie)
				res := s.rehearsed(out, values)
				want := fmt.Sprint(map[string]int{"Blue mug": 1, "Tea towel": 2, "Bread board": 5, "Egg cup": 4})
				if lie == "" && (app.has() != want || res.Overall == rehearse.Failed) {
					t.Errorf("%s %s: %s", res.Overall, res.Reason, app.has())
				}
				if lie != "" && res.Overall == rehearse.Passed {
					t.Errorf("it passed on a site that %s", lie)
				}
			}
		})
	}
}
