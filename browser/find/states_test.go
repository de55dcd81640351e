//go:build unix

package find

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// stateHeads are what heads of two things say: a name and a state that are other ones in each. Nothing but a heading tells which is which.
var stateHeads = map[string]func(i int, state string) string{
	"a badge before": func(i int, state string) string { return fmt.Sprintf(`<span>%s</span> Server %d`, state, i) },
	"a badge behind": func(i int, state string) string { return fmt.Sprintf(`Server %d <small>%s</small>`, i, state) },
	"two badges": func(i int, state string) string {
		return fmt.Sprintf(`<span>%s</span> <span>Server %d</span>`, state, i)
	},
	"put together": func(i int, state string) string {
		return fmt.Sprintf(`<span>%s</span> Server <!-- -->%d`, state, i)
	},
	"a number":     func(i int, state string) string { return fmt.Sprintf(`Server <i>%d</i> <span>%s</span>`, i, state) },
	"a bold state": func(i int, state string) string { return fmt.Sprintf(`<strong>%s</strong> Server %d`, state, i) },
	"a name twice": func(i int, state string) string {
		return fmt.Sprintf(`<i>Server %[2]d</i> <span>%[1]s</span> <u>Server %[2]d</u>`, state, i)
	},
	"a name in two ways": func(i int, state string) string {
		name := map[bool]string{true: "Server 1", false: "<u>Server 2</u>"}[i == 1]
		return fmt.Sprintf(`<span>%s</span> %s`, state, name)
	},
	"a heading": func(i int, state string) string { return fmt.Sprintf(`<span>%s</span> <h4>Server %d</h4>`, state, i) },
}

// A state that tells things apart for as long as it lasts is not what they are called: when two things change their states, neither is
// meant for the other one.
func TestAStateIsNoName(t *testing.T) {
	r := newRig(t)
	boxes := map[string]string{
		"folds":    `<details open><summary>%s</summary><p>Kept dry.</p><p><button>Hold</button></p></details>`,
		"legends":  `<fieldset><legend>%s</legend><p>Kept dry.</p><p><button>Hold</button></p></fieldset>`,
		"openings": `<div class=box><button aria-expanded=true>%s</button><div><p>Kept dry.</p><p><button>Hold</button></p></div></div>`,
		"terms":    `<dt>%s</dt><dd><p>Kept dry.</p><p><button>Hold</button></p></dd>`,
	}
	const it = "Array.from(document.querySelectorAll('button')).filter((b) => b.textContent === 'Hold')[1]"
	for boxed, box := range boxes {
		for said, head := range stateHeads {
			if boxed != "folds" && said != "a badge before" && said != "a heading" {
				continue // it is the same of what is in a head
			}
			page := func(first, second string) {
				all := fmt.Sprintf(box, head(1, first)) + fmt.Sprintf(box, head(2, second))
				if boxed == "terms" {
					all = "<dl>" + all + "</dl>"
				}
				r.open(`<!doctype html><title>Harbour</title><h1>Harbour</h1>` + all)
			}
			page("Running", "Stopped")
			s := r.frames(1)[0]
			r.eval(s, it+".id = 'it'")
			r.eval(s, "document.querySelectorAll('summary,[aria-expanded]').forEach((o, i) => (o.id = 'head' + i))")
			shown := r.shown("#it")
			if l := shown.Landmark; l == nil || !capture.IsRow(l.Role) || !strings.Contains(l.Name, "Server 2") && said != "a number" {
				t.Errorf("%s, %s: it is shown in %+v", boxed, said, l)
			}
			if boxed == "folds" || boxed == "openings" {
				if head := r.shown("#head1"); !strings.Contains(head.Name, "2") {
					t.Errorf("%s, %s: its head is called %q", boxed, said, head.Name)
				}
			}
			asked := Want{Verb: capture.Click,
				Target: capture.Target{Role: "button", Tag: "button", Name: "Hold", Landmark: &capture.Landmark{Role: "listitem", Name: "Server 2"}}}
			for _, states := range [][2]string{{"Running", "Stopped"}, {"Stopped", "Running"}} {
				page(states[0], states[1])
				own := r.node(s, r.eval(s, it).ObjectID)
				f, err := Find(t.Context(), r.frames(1), asked)
				if err != nil || r.node(f.Session, f.ObjectID) != own {
					t.Errorf("%s, %s: Server 2 is not found among %v: %v", boxed, said, states, err)
				}
				f, err = Find(t.Context(), r.frames(1), Want{Verb: capture.Click, Target: shown})
				if err == nil && r.node(f.Session, f.ObjectID) != own {
					t.Errorf("%s, %s: the other one is meant among %v by %+v", boxed, said, states, shown.Landmark)
				} else if err != nil && states[0] == "Running" {
					t.Errorf("%s, %s: it is not found where it was: %v", boxed, said, err)
				}
			}
		}
	}
}

// What one form calls its fields is no reason to be blind for the rest of the page, nor for the things in it.
func TestFieldsCalledLikeThePagesOwnWords(t *testing.T) {
	r := newRig(t)
	for called, all := range map[string]string{
		"matches": `<dl><dt>Ledgers<dd><button>Look</button><dt>Maps<dd><button>Look</button></dl></form><table><tr><td>Ledgers<td>` +
			`<button>Hold</button><tr><td>Maps<td><button id=it>Hold</button></table>`,
		"children": eachNumbered(`<div role=region aria-labelledby=h%[1]d><div id=h%[1]d>%[2]s</div><p>%[3]s</p><p>%[4]s</p></div>`)([]thing{
			{"Ledgers", "Full", hold}, {"Maps", "Half full", `<button id=it>Hold</button>`}, {"Scores", "Empty", hold}}) + "</form>",
	} {
		r.open(`<!doctype html><title>Harbour</title><h1>Harbour</h1><form><input name=` + called + `><div>` + all)
		w := Want{Verb: capture.Click,
			Target: capture.Target{Role: "button", Tag: "button", Name: "Hold", Landmark: &capture.Landmark{Role: "listitem", Name: "Maps"}}}
		r.finds(w, "document.querySelector('#it')")
	}
}
