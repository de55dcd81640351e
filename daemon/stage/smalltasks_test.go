package stage

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/bench/corpus/person"
	"showhow/daemon/compile"
	"showhow/daemon/workflow"
)

// load is what a small task asks for at one load: other words each time, and other ones of them to be taken.
type load struct {
	words []string
	pick  int
	picks []int
	n     int
	date  string
	time  string
}

func (l load) word() string { return l.words[l.pick] }

func (l load) several() string {
	var out []string
	for _, i := range l.picks {
		out = append(out, l.words[i])
	}
	return strings.Join(out, ", ")
}

// loads are the two that are shown and the one that is done by what was learnt.
var loads = [3]load{
	{[]string{"Belo", "Quarn", "Tivsa", "Mopel", "Drenk"}, 1, []int{1, 3}, 7, "2026-03-14", "09:45"},
	{[]string{"Fask", "Ulmet", "Belo", "Rhoan", "Sprid"}, 3, []int{0, 2, 3}, 3, "2026-05-09", "16:20"},
	{[]string{"Gawin", "Tozzle", "Hirp", "Quarn", "Ombre"}, 2, []int{1, 4}, 9, "2026-02-21", "11:05"},
}

// field is an input that a task has: the words of which its name should have one, and its value at a load.
type field struct {
	names string
	value func(load) string
}

func word(l load) string   { return l.word() }
func number(l load) string { return fmt.Sprint(l.n) }

// task is a small task on a page of its own.
type task struct {
	name, goal string
	draw       func(l load) string
	show       func(p *person.Person, l load)
	fields     []field
	did        func(l load) string
}

// outcome is how a task went: right, partial, refused or wrong by what the site was told, and how many of its inputs were right.
type outcome struct {
	result                  string
	right, proposed, expect int
}

// tried has a task shown on two loads and done on the third one.
func (c task) tried(t *testing.T, s *showing, page *small) (got outcome) {
	t.Helper()
	var now load
	page.draw = func([]string, []string) string { return c.draw(now) }
	s.again(t)
	s.in.Goal = c.goal
	for _, l := range loads[:2] {
		now = l
		page.turn(l.words...)
		var last time.Time
		s.show(func(p *person.Person) {
			p.Open("/")
			c.show(p, l)
			last = p.Pressed
			p.See("Done so far: 1")
		}, func(seen []adaptertest.Seen) bool {
			begun := last.Add(-10 * time.Millisecond) // the page's clock is another one
			return slices.ContainsFunc(seen, func(o adaptertest.Seen) bool { return o.After != nil && !o.OccurredAt.Before(begun) })
		})
		if page.did() != c.did(l) {
			t.Fatalf("the person did %q, not %q", page.did(), c.did(l))
		}
	}
	out := s.compiled()
	values := c.values(out, &got)
	now = loads[2]
	page.turn(now.words...)
	res := s.rehearsed(out, values)
	switch did := page.did(); {
	case did == c.did(now):
		got.result = "right"
	case did == "":
		got.result = "refused"
	case res.Overall == "passed":
		got.result = "wrong"
	default:
		got.result = "partial"
	}
	t.Logf("%s %s: %s; inputs %v; did %q of %q", got.result, c.name, res.Overall, values, page.did(), c.did(now))
	for _, st := range out.Graph.Steps {
		where := ""
		if st.Target != nil {
			where = fmt.Sprintf("%s %q hint %q in %+v", st.Target.Role, st.Target.Name, st.Target.Placeholder, st.Target.Landmark)
		}
		t.Logf("  step %s: %s %s; value %q, %d times", st.Title, st.Verb, where, st.Value, st.Times)
	}
	for _, in := range out.Graph.Params {
		t.Logf("  param %s %s read %+v", in.Name, in.Role, in.Read)
	}
	for _, q := range out.Questions {
		t.Logf("  asks %s", q.Prompt)
	}
	return got
}

// values gives the draft's inputs what the third load asks for, and counts those that are right in name.
func (c task) values(out compile.Output, got *outcome) map[string]string {
	values := map[string]string{}
	ins := slices.DeleteFunc(slices.Clone(out.Graph.Params), func(p workflow.Param) bool {
		return p.Role != workflow.RoleInput || p.Derived != "" || p.Read != nil
	})
	got.proposed, got.expect = len(ins), len(c.fields)
	taken := map[int]bool{}
	for i, in := range ins {
		fits := slices.IndexFunc(c.fields, func(f field) bool {
			return slices.ContainsFunc(strings.Fields(f.names), func(n string) bool { return slices.Contains(strings.Split(in.Name, "_"), n) })
		})
		if fits >= 0 && !taken[fits] {
			got.right++
		} else if len(ins) == len(c.fields) {
			fits = i
		}
		if fits >= 0 {
			taken[fits] = true
			values[in.Name] = c.fields[fits].value(loads[2])
		}
	}
	return values
}

// notYet are the tasks that are not understood: they may be refused, never done wrongly.
var notYet = []string{"keypad", "keypad into a field", "hearts",
	"profiles without a heading", "a flight", "a terminal", "a form in another order",
	"a colour of a text", "shapes of a drawing"}

// quick are those that are tried each time, one for each mechanism; SMALLTASKS=all tries all, SMALLTASKS=NAME,... some.
var quick = "several boxes,enter what is said,tabs,mail: star,menu: bin,drawn field," +
	"stepper,slider by hand,two handles,icons in a bar,date picker,copy,password twice,pages of results," +
	"rating with radios,swatches,folds,pager,slots under days,a matrix of boxes,cards with a stepper,tree of boxes,tree,bulk action," +
	"mail: forward,a menu in a menu,an editor of lines"

// Small tasks on pages whose words change at every load are learned from two demonstrations, judged by the site's own
// record. The pages store nothing and show no result.
func TestSmallTasks(t *testing.T) {
	t.Parallel()
	asked := cmp.Or(os.Getenv("SMALLTASKS"), quick)
	page := &small{silent: true}
	s := newShowing(t, page)
	var tally []string
	for _, c := range slices.Concat(smallTasks(), widgetTasks(), flowTasks(), formTasks(), coveredTasks()) {
		if asked != "all" && !slices.Contains(strings.Split(asked, ","), c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			sample(t, c.name)
			got := c.tried(t, s, page)
			if got.result != "right" && (got.result != "refused" || !slices.Contains(notYet, c.name)) {
				t.Errorf("%s", got.result)
			}
			tally = append(tally, fmt.Sprintf("%-24s %-8s inputs %d/%d/%d", c.name, got.result, got.right, got.proposed, got.expect))
		})
	}
	s.t = t
	t.Log("inputs are right/proposed/expected\n" + strings.Join(tally, "\n"))
}
