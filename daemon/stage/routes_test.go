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

// routed is a program in one page that writes a route into its address while it loads, or a while later.
type routed struct {
	mu    sync.Mutex
	names []string
	lies  bool
	start string // how it writes its route
}

func (s *routed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.URL.Path == "/favicon.ico":
		http.NotFound(w, r)
	case r.Method == http.MethodPost:
		if !s.lies {
			s.names = append(s.names, r.FormValue("name"))
		}
	default:
		fmt.Fprintf(w, `<!doctype html><title>Loading</title><h1>Boats</h1><ul id=all>%s</ul><div id=more></div><script>
more.innerHTML = "<label>Boat <input id=name></label> <button>Add</button>";
document.querySelector("button").onclick = async () => {
	await fetch("/", {method: "POST", body: new URLSearchParams({name: document.getElementById("name").value})});
	location.reload();
};
const go = (route) => { document.title = "Boats"; history.replaceState(1, "", route); };
%s</script>`, "<li>"+strings.Join(s.names, "<li>"), s.start)
	}
}

func (s *routed) reset(start string, lies bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names, s.start, s.lies = []string{"Marlin", "Petrel"}, start, lies
}

func (s *routed) kept() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}

// A program may write a route into its address while it loads, at once or only later, and with what it knew then: the page that a person
// opened is the one that was asked for.
func TestPagesThatWriteTheirOwnRoute(t *testing.T) {
	t.Parallel()
	const late = `setTimeout(() => go(%q), 600);`
	for name, starts := range map[string][2]string{
		"at once":             {`go("#/boats");`, `go("#/boats");`},
		"with a session":      {`go("#/boats?from=8f3a9c2e71");`, `go("#/boats?from=e0b1447d9a");`},
		"once late":           {`go("#/boats?list=b71&sort=");`, fmt.Sprintf(late, "#/boats?list=b71&sort=")},
		"late with a session": {fmt.Sprintf(late, "#!/boats?from=8f3a9c2e71"), `go("#!/boats?from=e0b1447d9a");`},
	} {
		t.Run(name, func(t *testing.T) {
			app := &routed{}
			s := newShowing(t, app)
			s.in.Goal = "Add a boat"
			for i, boat := range []string{"Kestrel", "Dunlin"} {
				app.reset(starts[i], false)
				s.show(func(p *person.Person) {
					p.Open("/")
					p.Enter("Boat", boat)
					p.Click("button", "Add")
					p.See(boat)
				}, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
						return o.Verb == capture.Click && o.Target.Name == "Add" && o.After != nil
					})
				})
			}
			out := s.compiled()
			if len(out.Interpretation.Inputs) != 1 || len(out.Graph.Steps) != 3 {
				t.Fatalf("%d steps, inputs: %+v", len(out.Graph.Steps), out.Interpretation.Inputs)
			}
			for i, lies := range []bool{false, true} {
				app.reset(starts[1-i], lies)
				res := s.rehearsed(out, map[string]string{out.Interpretation.Inputs[0].Name: "Whimbrel"})
				if kept := app.kept(); lies == slices.Contains(kept, "Whimbrel") || lies == (res.Overall == rehearse.Passed) {
					t.Errorf("lies %v: %s %s: %v", lies, res.Overall, res.Reason, kept)
				}
			}
		})
	}
}
