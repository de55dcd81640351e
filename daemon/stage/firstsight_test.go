package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
)

// small is a page with a small task, as a program of its own serves it: the names of things are other ones at every load, what is done is
// told to the site, and shown when the page is opened again.
type small struct {
	mu     sync.Mutex
	words  []string
	done   []string
	draw   func(words []string, done []string) string
	silent bool // what was done is counted, and not shown
}

// keeps is how a page shows what was done, unless it keeps that to itself.
var keeps = map[bool]string{false: `kept.textContent += " " + what + ";";`}

func (s *small) shown() string {
	if s.silent {
		return ""
	}
	return strings.Join(s.done, "; ")
}

func (s *small) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/":
		fmt.Fprintf(w, `<!doctype html><title>Task</title><style>[hidden]{display:none}</style><body>
<p id=kept>%s</p><p>Done so far: <span id=count>%d</span></p><script>
async function tell(what) {
	await fetch("/did", {method: "POST", body: JSON.stringify(what)});
	%s
	count.textContent = 1 + +count.textContent
}
</script>%s`, s.shown(), len(s.done), keeps[s.silent], s.draw(s.words, s.done))
	case "/did":
		var what string
		_ = json.NewDecoder(r.Body).Decode(&what)
		s.done = append(s.done, what)
	default:
		http.NotFound(w, r)
	}
}

func (s *small) turn(words ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words, s.done = words, nil
}

func (s *small) did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.done, "; ")
}

func each(words []string, form string) string {
	var out strings.Builder
	for i, w := range words {
		out.WriteString(strings.NewReplacer("%w", w, "%i", fmt.Sprint(i)).Replace(form))
	}
	return out.String()
}

// Two demonstrations that chose different siblings taught one input, and a third run uses it, on a page whose words
// all differ.
func TestFirstSight(t *testing.T) {
	t.Parallel()
	loads := [][]string{{"Belo", "Quarn", "Tivsa", "Mopel", "Drenk"}, {"Fask", "Ulmet", "Belo", "Rhoan", "Sprid"},
		{"Gawin", "Tozzle", "Hirp", "Quarn", "Ombre"}}
	picks := []string{"Quarn", "Rhoan", "Hirp"}
	for _, c := range []struct {
		name, goal string
		draw       func(words, done []string) string
		show       func(p *person.Person, pick string)
		last       func(o adaptertest.Seen) bool
		did        string
	}{
		{"radio", "Choose a name and submit", func(words, done []string) string {
			return `<h1>Choose</h1><form id=f>` + each(words, `<label><input type=radio name=c value="%w">%w</label> `) +
				`<button>Submit</button></form><script>f.onsubmit = (e) => { e.preventDefault(); tell("chose " + f.elements.c.value) }</script>`
		}, func(p *person.Person, pick string) {
			p.Click("label", pick)
			p.Click("button", "Submit")
			p.See("chose " + pick)
		}, named("Submit"), "chose Hirp"},
		{"boxes", "Tick a word and submit", func(words, done []string) string {
			return `<h1>Tick</h1><form id=f>` + each(words, `<div><input type=checkbox id=ch%i><label for=ch%i>%w</label></div>`) +
				`<button>Submit</button></form><script>f.onsubmit = (e) => { e.preventDefault(); tell("ticked " + [...f.querySelectorAll(":checked")]` +
				`.map(x => x.nextSibling.textContent)) }</script>`
		}, func(p *person.Person, pick string) {
			p.Click("label", pick)
			p.Click("button", "Submit")
			p.See("ticked " + pick)
		}, named("Submit"), "ticked Hirp"},
		{"buttons", "Press the button of a name", func(words, done []string) string {
			return `<h1>Press</h1><div>` + each(words, `<button onclick="tell('pressed %w')">%w</button> `) + `</div>`
		}, func(p *person.Person, pick string) {
			p.Click("button", pick)
			p.See("pressed " + pick)
		}, clicked, "pressed Hirp"},
		{"links", "Follow the link of a name", func(words, done []string) string {
			return `<h1>Follow</h1><p>Lorem ` +
				each(words, `<a href="#" onclick="event.preventDefault(); tell('followed %w')">%w</a> dolor sit `) + `</p>`
		}, func(p *person.Person, pick string) {
			p.Click("link", pick)
			p.See("followed " + pick)
		}, clicked, "followed Hirp"},
		{"a drawn list", "Choose a country and save", func(words, done []string) string {
			return `<h1>Form</h1><div class=field><span>Country</span>` +
				`<div id=s style="cursor:pointer;border:1px solid">Choose...</div><ul id=o hidden>` +
				each(words, `<li style="cursor:pointer">%w</li>`) + `</ul></div><button id=b>Save</button><script>
s.onclick = () => o.hidden = !o.hidden;
for (const li of o.children) li.onclick = () => { s.textContent = li.textContent; o.hidden = true }; b.onclick = () => tell("saved " + ` +
				`s.textContent)</script>`
		}, func(p *person.Person, pick string) {
			p.Click("drawing", "#s")
			p.Click("words", pick)
			p.Click("button", "Save")
			p.See("saved " + pick)
		}, named("Save"), "saved Hirp"},
		{"a field beside its name", "Write a note and save", func(words, done []string) string {
			return `<h1>Form</h1><div class=row><div class=l>Note</div><div class=r><input id=n></div></div>` +
				`<div class=row><div class=l>Colour</div><div class=r><input></div></div><button id=b>Save</button>` +
				`<script>b.onclick = () => tell("noted " + n.value)</script>`
		}, func(p *person.Person, pick string) {
			p.Click("drawing", "#n")
			p.EnterAt(pick)
			p.Click("button", "Save")
			p.See("noted " + pick)
		}, named("Save"), "noted Hirp"},
		{"tabs of boxes", "Open the part of a name and use it", func(words, done []string) string {
			return `<h1>Parts</h1><div class=tabs>` +
				each(words, `<span class=tab style="cursor:pointer" onclick="show('%w')">%w</span> `) + `</div><div id=body></div>` +
				`<script>function show(w) { body.innerHTML = "<h2>" + w + "</h2>` +
				`<button onclick=\"tell('used " + w + "')\">Use</button>" }</script>`
		}, func(p *person.Person, pick string) {
			p.Click("words", pick)
			p.Click("button", "Use")
			p.See("used " + pick)
		}, named("Use"), "used Hirp"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample(t, c.name)
			page := &small{draw: c.draw}
			s := newShowing(t, page)
			s.in.Goal = c.goal
			for i := range 2 {
				page.turn(loads[i]...)
				s.show(func(p *person.Person) {
					p.Open("/")
					c.show(p, picks[i])
				}, func(seen []adaptertest.Seen) bool { return slices.ContainsFunc(seen, c.last) })
			}
			out := s.compiled()
			values := map[string]string{}
			for _, in := range out.Interpretation.Inputs {
				values[in.Name] = picks[2]
			}
			page.turn(loads[2]...)
			if res := s.rehearsed(out, values); page.did() != c.did || len(values) == 0 {
				t.Errorf("%s: inputs %v; did %q, not %q", res.Overall, values, page.did(), c.did)
				for _, st := range out.Graph.Steps {
					t.Logf("%s: %+v", st.Title, st.Target)
				}
			}
		})
	}
}

func named(name string) func(o adaptertest.Seen) bool {
	return func(o adaptertest.Seen) bool {
		return o.Verb == capture.Click && o.Target.Name == name && o.After != nil
	}
}

func clicked(o adaptertest.Seen) bool { return o.Verb == capture.Click && o.After != nil }
