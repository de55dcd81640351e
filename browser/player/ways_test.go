package player

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/internal/await"
)

// Explore looks where a person would: on numbered pages of a list and by a next-page control, in
// folders, sections and tabs; meanwhile nothing that could change anything is sent.
func TestExplore(t *testing.T) {
	const rows = `const names = ['Ash','Birch','Cedar','Elm','Fir','Larch','Maple','Oak','Pine','Rowan','Spruce','Yew'];
let page = 0; const list = document.querySelector('ul'), nav = document.querySelector('#pages');
const draw = () => { list.replaceChildren(...names.slice(page * 4, page * 4 + 4).map((n) => { const e = document.createElement('li');
  e.innerHTML = '<b>' + n + '</b> <button>Keep</button>'; return e; })); turn(); fetch('/told?page=' + page); };`
	s := serve(t, map[string]any{
		"/numbers": `<!doctype html><title>n</title><h1>Trees</h1><ul></ul><div id=pages></div><script>` + rows + `
const turn = () => nav.replaceChildren(...[0, 1, 2].map((i) => { const e = document.createElement('button'); e.textContent = i + 1;
  if (i === page) e.className = 'on'; e.onclick = () => { page = i; draw(); }; return e; }));
draw();</script>`,
		"/next": `<!doctype html><html lang=de><title>n</title><h1>Bäume</h1><ul></ul><div id=pages></div><script>` + rows + `
const turn = () => { nav.innerHTML = '<button>Zurück</button><button>Weiter</button>'; const [b, f] = nav.children;
  b.disabled = page === 0; f.disabled = page === 2; b.onclick = () => { page--; draw(); }; f.onclick = () => { page++; draw(); }; };
draw();</script>`,
		"/folders": `<!doctype html><title>f</title><h1>Trees</h1><ul><li><span class=fold>Hard</span><ul hidden><li>Oak</li></ul></li>
<li><span class=fold>Soft</span><ul hidden><li><span class=fold>Needles</span><ul hidden><li>Yew</li></ul></li></ul></li></ul>
<details><summary>Others</summary><button>Palm</button></details>
<div role=tablist><button role=tab aria-selected=true>One</button>
<button role=tab aria-selected=false id=two>Two</button></div><p id=in></p>

<script>for (const f of document.querySelectorAll('.fold')) f.onclick = () => { f.nextElementSibling.hidden = !f.nextElementSibling.hidden;
  fetch('/opened', { method: 'POST' }); };
two.onclick = () => { two.setAttribute('aria-selected', 'true');
  document.getElementById('in').innerHTML = '<button>Fern</button>'; };</script>`,
	})
	p := stage(t, Options{})
	seen := func(text string) func(context.Context) bool {
		return func(ctx context.Context) bool { return strings.Contains(eval(t, p, "document.body.innerText"), text) }
	}
	for _, c := range []struct{ page, text, where string }{
		{"/numbers", "Yew", "it was on page 3"}, {"/numbers", "Palm", ""}, {"/next", "Yew", "it was 2 pages away"},
		{"/next", "Palm", ""}, {"/folders", "Oak", "it was in a closed section"}, {"/folders", "Yew", "it was in a closed section"},
		{"/folders", "Palm", "it was in a closed section"}, {"/folders", "Fern", "it was behind the tab Two"}, {"/folders", "Cycad", ""},
	} {
		do(t, p, Act{Verb: capture.Navigate, URL: s.URL + c.page})
		where, whole := p.Explore(ctxOf(t), seen(c.text))
		if where != c.where || whole != (c.where == "" && c.page != "/folders") { // whose sections ask for what they are not given
			t.Errorf("%s %s: %q, everywhere %v", c.page, c.text, where, whole)
		}
	}
	for _, r := range s.requests() {
		if strings.HasPrefix(r, "POST") {
			t.Errorf("while looking there went out %s", r)
		}
	}
	// Requests after the exploration are sent as usual.
	eval(t, p, "(fetch('/kept', { method: 'POST' }), 'sent')")
	await.Until(t, "the request is there", func() bool {
		return strings.Contains(strings.Join(s.requests(), "\n"), "POST /kept")
	})
}

// A list that could not load all of its pages was not looked through.
func TestExploreOfWhatDoesNotLoad(t *testing.T) {
	s := serve(t, map[string]any{
		"/": `<!doctype html><title>l</title><h1>Boats</h1><details><summary>Others</summary><ul></ul></details><script>
const ask = JSON.parse(decodeURIComponent(location.search.slice(1)));
document.querySelector('details').ontoggle = () => fetch(ask.url, { method: ask.method }).then((r) => r.text()).then((x) => {
  document.querySelector('ul').innerHTML = '<li>' + x; }, () => {});</script>`,
		"/more": "Curlew",
		"/busy": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "later", http.StatusTooManyRequests) },
	})
	p := stage(t, Options{})
	for ask, want := range map[string]bool{`{"url":"/more","method":"GET"}`: true, `{"url":"/more","method":"POST"}`: false,
		`{"url":"/busy","method":"GET"}`: false, `{"url":"/nowhere","method":"GET"}`: true} {
		do(t, p, Act{Verb: capture.Navigate, URL: s.URL + "/?" + url.PathEscape(ask)})
		if where, whole := p.Explore(ctxOf(t), func(context.Context) bool { return false }); where != "" || whole != want {
			t.Errorf("%s: %q, everywhere %v %q", ask, where, whole, s.requests())
		}
	}
}
