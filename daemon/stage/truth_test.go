package stage

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
)

// truthCases are the kinds of pages with the times at which they show a deed, with a message and without.
func truthCases(kinds []kind) (out []*workshop) {
	for _, k := range kinds {
		draws := []string{""}
		if k.script {
			draws = []string{"before", "after", "again"}
		}
		for _, when := range draws {
			for _, mute := range []bool{false, true} {
				out = append(out, &workshop{kind: k, draws: when, mute: mute})
			}
		}
	}
	return out
}

func (d *workshop) called() string {
	out := d.kind.name
	if d.draws != "" {
		out += ", shown " + d.draws
	}
	if d.mute {
		out += ", mute"
	}
	return out
}

// valued gives every input of a draft the run's value.
func (d *workshop) valued(out compile.Output) map[string]string {
	values := map[string]string{}
	for _, in := range out.Interpretation.Inputs {
		values[in.Name] = d.kind.values[""]
		for part, v := range d.kind.values {
			if part != "" && strings.Contains(in.Name, part) {
				values[in.Name] = v
			}
		}
	}
	return values
}

// A run on an honest site is never reported as failed, and one on a site that only claims success is never reported as
// passed: on every kind of page, whenever it shows the effect. TRUTH=all runs the whole table, TRUTH=text the rows of
// that name, otherwise a part of it; LIES=others,besides tells only these.
func TestNothingUndoneIsReportedDone(t *testing.T) {
	t.Parallel()
	tellLies(t, kinds, `^(a form that only thanks|one page with fetch, shown before|a dialog, shown before|`+
		`a star in a row, shown after), mute$`)
}

// The same of pages that only the way to the deed makes special; unless TRUTH is given, only the lies that each is open to are told.
func TestNoShapeOfPageHidesALie(t *testing.T) {
	t.Parallel()
	tellLies(t, shapes, `^(a deed confirmed on its own page|a form that asks first|a page that is rewritten|`+
		`a thing told by its parts|a thing opened beside its list, shown before|a list drawn all the time, shown again), mute$`)
}

func tellLies(t *testing.T, kinds []kind, some string) {
	which := cmp.Or(os.Getenv("TRUTH"), some)
	brief := os.Getenv("TRUTH") == ""
	type count struct{ runs, passed, partial, failed, undone int }
	sum := map[lie]*count{}
	for _, d := range truthCases(kinds) {
		if which != "all" && !regexp.MustCompile(which).MatchString(d.called()) {
			continue
		}
		t.Run(d.called(), func(t *testing.T) {
			sample(t, d.called())
			s := newShowing(t, d)
			s.in.Goal = d.kind.goal
			d.reset(honest)
			s.show(func(p *person.Person) { d.kind.show(p, d) }, func(seen []adaptertest.Seen) bool {
				return slices.ContainsFunc(seen, d.kind.ends)
			})
			if d.kind.twice != nil {
				d.reset(honest)
				s.show(func(p *person.Person) { d.kind.twice(p, d) }, func(seen []adaptertest.Seen) bool {
					return slices.ContainsFunc(seen, d.kind.ends)
				})
			}
			out := s.compiled()
			values := d.valued(out)
			if len(values) == 0 {
				t.Error("it has no input")
			}
			for _, l := range append([]lie{honest}, lies...) {
				told := d.kind.open
				if told == nil {
					told = []lie{forgets, echoes, elsewhere, another, fleeting, besides}
				}
				if brief && l != honest && !slices.Contains(told, l) {
					continue
				}
				if some := os.Getenv("LIES"); some != "" && l != honest && !slices.Contains(strings.Split(some, ","), string(l)) {
					continue
				}
				d.reset(l)
				s.later = l == fleeting
				res := s.rehearsed(out, values)
				did := d.kind.did(d.ledger())
				c := sum[l]
				if c == nil {
					c = &count{}
					sum[l] = c
				}
				c.runs++
				switch res.Overall {
				case rehearse.Passed:
					c.passed++
				case rehearse.Partial:
					c.partial++
				default:
					c.failed++
				}
				if !did {
					c.undone++
				}
				t.Logf("RESULT %-45s %-10s %-8s did=%v %s", d.called(), l, res.Overall, did, res.Reason)
				switch {
				case l == honest && did && res.Overall == rehearse.Failed:
					t.Errorf("done but called failed: %s", res.Reason)
				case l == honest && d.kind.shows && res.Overall != rehearse.Passed:
					t.Errorf("done and shown, and not called passed: %s", res.Reason)
				case !did && res.Overall == rehearse.Passed:
					t.Errorf("%s: called passed without the deed", l)
				}
			}
		})
	}
	for _, l := range append([]lie{honest}, lies...) {
		if c := sum[l]; c != nil {
			t.Logf("%-10s %+v", l, *c)
		}
	}
}

// ends reports whether an observation is the last of what is shown.
func (k kind) ends(o adaptertest.Seen) bool {
	if k.last == "Enter" {
		return o.Verb == capture.Press && o.Keys == "Enter" && o.After != nil
	}
	return o.Verb == capture.Click && o.After != nil && (o.Target.Name == k.last || k.last == "" && o.Target.Role == "generic")
}
