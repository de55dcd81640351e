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
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
)

// shelf is a site of tiles, of which a listener around them all knows which one is meant.
type shelf struct {
	mu        sync.Mutex
	page, lie string
	names     []string
}

func (h *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		at := slices.Index(h.names, r.FormValue("was"))
		if at < 0 || h.lie == "keeps nothing" {
			return
		}
		if h.lie == "takes another" {
			at = (at + 1) % len(h.names)
		}
		if h.names[at] = r.FormValue("is"); h.names[at] == "" {
			h.names = slices.Delete(h.names, at, at+1)
		}
	default:
		all, _ := json.Marshal(h.names)
		fmt.Fprint(w, `<!doctype html><html lang=en><meta charset=utf-8><title>Shelf</title><style>#all{display:flex;flex-wrap:wrap}`+
			`#all>*{width:130px;margin:6px}.chosen{background:#cdf}</style><body><script>let data = `+string(all)+`, chosen = "";
const tell = (was, is) => fetch("/", {method: "POST", body: new URLSearchParams({was, is})});
const picture = "<svg width=60 height=40><path d='M2 38l20-30 12 18 9-12 15 24z'/></svg>";
const one = (html, said, name) => { const t = document.createElement("template"); t.innerHTML = html; const el = t.content.firstChild;
	el.querySelector(said).textContent = name; el.dataset.name = name; return el };</script>`+h.page)
	}
}

func (h *shelf) reset(page, lie string, names ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.page, h.lie, h.names = page, lie, slices.Clone(names)
}

func (h *shelf) has() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.names, ", ")
}

// albumsWithCaptions are chosen by a press, and archived by a button above them.
const albumsWithCaptions = `<h1>Albums</h1><p><button id=archive disabled>Archive</button> <button id=share disabled>Share</button></p>
<div id=all></div><p>Kept for a year.</p><script>
const draw = () => { all.innerHTML = ""; archive.disabled = share.disabled = !chosen; for (const name of data) {
	const el = one("<figure><div>" + picture + "</div><figcaption><b></b></figcaption></figure>", "b", name);
	el.classList.toggle("chosen", name === chosen); all.append(el) } };
all.onclick = (ev) => { const el = ev.target.closest("figure"), name = el && el.dataset.name;
	if (name && name !== chosen) { chosen = name; draw() } };
archive.onclick = async () => { const was = chosen; data = data.filter((x) => x !== was); chosen = ""; draw(); await tell(was, "") };
draw()</script>`

// goods open beside the tiles, where they are given another name.
const goods = `<h1>Goods</h1><div id=all></div><aside id=side></aside><script>
const draw = () => { all.innerHTML = ""; for (const name of data)
	all.append(one("<div class=tile><img alt='' width=60 height=40 src='data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>'>" +
		"<span></span></div>", "span", name)) };
all.onclick = (ev) => { const el = ev.target.closest(".tile"), was = el && el.dataset.name; if (!was) return;
	side.innerHTML = "<form aria-label='Good'><p><label>New name <input name=n></label></p><button>Keep</button></form>";
	side.firstChild.onsubmit = async (e) => { e.preventDefault(); const is = e.target.n.value; data[data.indexOf(was)] = is;
		side.innerHTML = ""; draw(); await tell(was, is) } };
draw()</script>`

// Of a tile that holds only a picture and a name, the name that is pressed is the tile's: a run presses another one's.
func TestTilesPressedOnTheirText(t *testing.T) {
	t.Parallel()
	before := []string{"Alps", "Harbour", "Old town", "Garden"}
	for _, c := range []struct {
		name, goal, page, said string
		then                   func(p *person.Person, name string)
		after                  string
		lies                   []string
	}{
		{"captions", "Archive an album", albumsWithCaptions, "#all b",
			func(p *person.Person, _ string) { p.Click("button", "Archive") }, "Garden, Harbour, Alps", []string{"keeps nothing", "takes another"}},
		{"goods", "Give a good another name", goods, "#all span", func(p *person.Person, name string) {
			p.Enter("New name", "New "+strings.ToLower(name))
			p.Click("button", "Keep")
		}, "Garden, Harbour, Sundry, Alps", []string{"keeps nothing", "takes another"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := &shelf{}
			s := newShowing(t, site)
			s.in.Goal = c.goal
			for _, name := range []string{"Harbour", "Garden"} {
				site.reset(c.page, "", before...)
				var last time.Time
				s.show(func(p *person.Person) {
					p.Open("/")
					p.Press(person.Sight{Script: `(name, said) => { const b = [...document.querySelectorAll(said)].find((x) => x.textContent === name);
						const r = b.getBoundingClientRect();
						return {ready: true, count: 1, x: r.left, y: r.top, w: r.width, h: r.height} }`, Words: []string{name, c.said}})
					c.then(p, name)
					last = p.Pressed
				}, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(last) })
				})
			}
			out := s.compiled()
			for _, st := range out.Graph.Steps {
				t.Logf("step %q on %+v", st.Title, st.Target)
			}
			values := map[string]string{}
			for _, p := range out.Graph.Params {
				shown := s.in.Values[p.LinkID]
				t.Logf("param %s of %q, %s, shown %q", p.Name, p.Label, p.Role, shown)
				switch {
				case p.Role == workflow.RoleConstant || p.Derived != "":
				case strings.HasPrefix(shown, "New "):
					values[p.Name] = "Sundry"
				default:
					values[p.Name] = "Old town"
				}
			}
			if want := map[string]int{"captions": 1, "goods": 2}[c.name]; len(values) != want {
				t.Fatalf("inputs: %v", values)
			}
			for _, lie := range append([]string{""}, c.lies...) {
				site.reset(c.page, lie, "Garden", "Harbour", "Old town", "Alps") // in another order
				res := s.rehearsed(out, values)
				t.Logf("%q: %s %s, %s", lie, res.Overall, res.Reason, site.has())
				switch {
				case lie == "" && (res.Overall == rehearse.Failed || site.has() != c.after):
					t.Errorf("%s %s: %s", res.Overall, res.Reason, site.has())
				case lie != "" && res.Overall == rehearse.Passed:
					t.Errorf("it passed on a site that %s", lie)
				}
			}
			site.reset(c.page, "", "Garden", "Harbour", "Lakes", "Alps") // what is asked for is gone
			if res := s.rehearsed(out, values); res.Overall == rehearse.Passed || site.has() != "Garden, Harbour, Lakes, Alps" {
				t.Errorf("without it: %s, %s", res.Overall, site.has())
			}
		})
	}
}
