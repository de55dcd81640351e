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

// A demonstration that ends in the middle of a form is repeated as it was shown, and does not pass: nothing came of it.
func TestAFormThatIsNotSentHasNoEffect(t *testing.T) {
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
