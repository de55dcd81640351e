package stage

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
)

// A query value of the first page's address is not kept when it is somebody's words. A run begins without it if the
// page is the same, and nowhere if it differs.
func TestWhereAnUnknownAddressLeads(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]rehearse.Overall{"/rooms": rehearse.Passed, "/hall": rehearse.Partial} {
		kept := make(chan string, 9)
		s := newShowing(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				kept <- r.FormValue("note")
				fmt.Fprintf(w, `<!doctype html><title>Kept</title><h1>Kept</h1><p role=status>The note was kept</p><ul><li>One<li>%s</ul>`,
					r.FormValue("note"))
				return
			}
			heading := "Rooms"
			if r.URL.Path == "/hall" && r.FormValue("title") == "" {
				heading = "All halls"
			}
			fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>%[1]s</h1><form method=post action=/kept><label>Note <input name=note></label>`+
				` <button>Keep note</button></form>`, heading)
		}))
		s.show(func(p *person.Person) {
			p.Open(address + "?title=The+main+hall&view=wide")
			p.Enter("Note", "Crane repaired")
			p.Click("button", "Keep note")
			p.See("The note was kept")
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
				return o.Verb == capture.Click && o.After != nil && len(o.After.Alerts) > 0
			})
		})
		<-kept
		res := s.rehearsed(s.compiled(), map[string]string{"note": "Lamp cleaned"})
		if done := len(kept) > 0; want == rehearse.Partial && (res.Overall != want || done) || want == rehearse.Passed && !done {
			t.Errorf("%s: %s %s, done: %v", address, res.Overall, res.Reason, done)
		}
	}
}
