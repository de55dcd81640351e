package stage

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
)

// invoices is an application that shows what it keeps beside labels.
type invoices struct {
	mu                    sync.Mutex
	customer, due, status string
	forgets               string // what it answers as always and does not do
	saved                 int
}

func (s *invoices) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.Method == http.MethodPost:
		s.saved++
		if c := r.FormValue("customer"); c != "" && s.forgets != r.URL.Path {
			s.customer, s.due = c, r.FormValue("due")
		}
		if r.URL.Path == "/pay" && s.forgets != r.URL.Path {
			s.status = "Settled"
		}
		http.Redirect(w, r, "/invoice", http.StatusSeeOther)
	case r.URL.Path == "/":
		fmt.Fprint(w, `<!doctype html><title>Invoice</title><h1>New invoice</h1><form method=post action=/save><label>`+
			`Customer <input name=customer></label> <label>Due <input name=due></label> <button>Save</button></form>`)
	default:
		fmt.Fprintf(w, `<!doctype html><title>Invoice</title><h1>Invoice</h1><dl><dt>Customer<dd>%s<dt>Contact<dd>`+
			`Canaryname Canarysurname</dl><table><tr><th>Due<td>%s<tr><th>Status<td>%s</table>
			<form method=post action=/pay><button>Mark as settled</button>`+
			`</form>`, html.EscapeString(s.customer), html.EscapeString(s.due), s.status)
	}
}

// What a page shows beside its labels proves whether an entry was stored, and whether an action changed anything; a
// page that forgot it does not pass. None of it is kept readable.
func TestDetailsShowTheEffect(t *testing.T) {
	t.Parallel()
	app := &invoices{status: "Canaryopen"}
	s := newShowing(t, app)
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Enter("Customer", "Ada Lovelace")
		p.Enter("Due", "soon enough")
		p.Click("button", "Save")
		p.See("Canaryopen")
		p.Click("button", "Mark as settled")
		p.See("Settled")
	}, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
			return o.Verb == capture.Click && o.Target.Name == "Mark as settled" && o.After != nil && len(o.After.Details) == 4
		})
	})
	records, err := json.Marshal(s.kept.records)
	s.must(err)
	for _, text := range []string{"Ada", "Canary", "Settled", "soon"} {
		if strings.Contains(string(records), text) {
			t.Errorf("%q is kept readable: %s", text, records)
		}
	}
	out := s.compiled()
	var checks []string
	for _, cp := range out.Interpretation.Checkpoints {
		for _, c := range append([]workflow.Check{*cp.Check}, cp.MoreChecks...) {
			if c.Kind == "detail" {
				checks = append(checks, c.Name+"="+c.Expect)
			}
		}
		t.Log(cp.SuccessCondition)
	}
	if !slices.Equal(checks, []string{"Customer={customer}", "Due={due}", "Status="}) || !out.Lint.Passed {
		t.Errorf("checks %q, %+v", checks, out.Lint)
	}
	draft, err := json.Marshal(out)
	s.must(err)
	if strings.Contains(string(draft), "Canary") {
		t.Errorf("the draft tells what stood beside a label")
	}
	for _, c := range []struct {
		forgets string
		want    rehearse.Overall
	}{{"", rehearse.Passed}, {"/save", rehearse.Failed}, {"/pay", rehearse.Failed}} {
		app.mu.Lock()
		app.customer, app.due, app.status, app.forgets, app.saved = "", "", "Open", c.forgets, 0
		app.mu.Unlock()
		res := s.rehearsed(out, map[string]string{"customer": "Grace Hopper", "due": "in a week"})
		if res.Overall != c.want || app.saved == 0 {
			t.Errorf("forgets %q: %s %s", c.forgets, res.Overall, res.Reason)
		}
	}
}
