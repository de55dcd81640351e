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
	"showhow/internal/clock"
)

// A demonstration that ends in the middle of a form is repeated as it was shown, and does not pass: nothing came of it.
func TestAFormThatIsNotSentHasNoEffect(t *testing.T) {
	t.Parallel()
	s := newShowing(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Settings</title><h1>Settings</h1><form method=post><label>Sender name <input name=n value=Office>`+
			`</label> <label>Town <input name=o></label> <button>Save</button></form>`)
	}))
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Enter("Sender name", "Harbour Tools")
		p.Enter("Town", "Kyiv")
		p.Click("label", "Sender name") // which ends the writing
	}, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.Verb == capture.Type && o.Target.Label == "Town" })
	})
	res := s.rehearsed(s.compiled(), map[string]string{"sender_name": "Northern Print", "town": "Lviv"})
	if res.Overall != rehearse.Failed {
		t.Errorf("%s %s", res.Overall, res.Reason)
	}
}

// It does not pass either where a choice is what comes last.
func TestAChoiceThatIsNotSentHasNoEffect(t *testing.T) {
	t.Parallel()
	s := newShowing(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w,
			`<!doctype html><title>Settings</title><h1>Settings</h1><form method=post><label>Sender name <input name=n value=Office></label>
<label>Tone <select name=o><option>Plain<option>Warm<option>Short</select></label> <button>Save</button></form>`)
	}))
	s.show(func(p *person.Person) {
		p.Open("/")
		p.Enter("Sender name", "Harbour Tools")
		p.Choose("Tone", "Warm")
	}, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.Verb == capture.Select })
	})
	res := s.rehearsed(s.compiled(), map[string]string{"sender_name": "Northern Print", "tone": "Short"})
	if res.Overall != rehearse.Failed {
		t.Errorf("%s %s", res.Overall, res.Reason)
	}
}

// What a page's script sends for a step may be held back although nothing about the control says what it is for. The page shows its note
// as if it were kept; the run ends there and says which flag would let it leave.
func TestAScriptsDeedThatIsHeldBackEndsTheRun(t *testing.T) {
	var mu sync.Mutex
	var notes []string
	deed := "/messages"
	s := newShowing(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodPost {
			if r.URL.Path == deed {
				notes = append(notes, r.FormValue("note"))
			}
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Notes</title><h1>Notes</h1><label>Note <input id=n></label> <button id=b>Keep note</button>
<ul><li>Notes`)
		for _, n := range notes {
			fmt.Fprintf(w, "<li>%s", n)
		}
		fmt.Fprintf(w, `</ul><p role=status id=s></p><script>document.getElementById("b").onclick = () => {
const e = document.createElement("li"), n = document.getElementById("n");
fetch(%q, {method: "POST", headers: {"Content-Type": "application/x-www-form-urlencoded"}, body: "note=" + encodeURIComponent(n.value)});
e.textContent = n.value; document.querySelector("ul").append(e); document.getElementById("s").textContent = "The note is kept";
};</script>`, deed)
	}))
	for _, held := range []bool{true, false} {
		if deed = "/notes"; held {
			deed = "/messages"
		}
		s.again(t)
		s.show(func(p *person.Person) {
			p.Open("/")
			p.Enter("Note", "Paint the door")
			p.Click("button", "Keep note")
			p.See("The note is kept")
		}, func(seen []adaptertest.Seen) bool {
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool {
				return o.Verb == capture.Click && o.After != nil && len(o.After.Alerts) > 0
			})
		})
		out := s.compiled()
		mu.Lock()
		notes = nil
		mu.Unlock()
		res := s.runner.Perform(t.Context(), rehearse.Request{Draft: out, Policy: &rehearse.TestPolicy{Mode: rehearse.ControlledLiveTest},
			Parameters: map[string]string{"note": "Oil the gate"}, AllowHosts: []string{s.host()},
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		ended := slices.ContainsFunc(res.Steps, func(o rehearse.ValidationStepResult) bool { return o.Code == rehearse.CodePolicyViolation })
		if ended != held || (res.Overall == rehearse.Passed) == held || len(notes) != map[bool]int{true: 0, false: 1}[held] {
			t.Errorf("held back %v: %s %s, kept %q: %+v", held, res.Overall, res.Reason, notes, res.Steps)
		}
	}
}
