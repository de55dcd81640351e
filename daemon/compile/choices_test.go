package compile

import (
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// What the names of several boxes have in common is the page's word for choosing; of one alone only a known word is.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		names         []string
		before, after string
	}{
		{[]string{"Select A-1042", "Select A-1043", "Select B-7"}, "Select ", ""},
		{[]string{"Row 4 of orders", "Row 17 of orders"}, "Row ", " of orders"},
		{[]string{"Select A-1042", "Select A-1042", ""}, "Select ", ""},
		{[]string{"A-1042 north"}, "", ""},
		{[]string{"Ada Winther", "Ada Marsh"}, "", ""}, // a name is nobody's word for choosing
		{[]string{"Ada", "Boris"}, "", ""},
		{nil, "", ""},
	} {
		if before, after := around(c.names, func(w string) bool { return set("Select Row of orders")[w] }); before != c.before || after != c.after {
			t.Errorf("%q: %q, %q", c.names, before, after)
		}
	}
}

// A box that chooses a row is no option of a form.
func TestTicksItem(t *testing.T) {
	row := func(name string) *capture.Landmark { return &capture.Landmark{Role: "row", Name: name} }
	for _, c := range []struct {
		target capture.Target
		want   bool
	}{
		{capture.Target{Role: "checkbox", Name: "[[choice 12 v_a]]", Landmark: row("[[id 5 v_b]]")}, true},
		{capture.Target{Role: "checkbox", Landmark: row("A-1042")}, true},
		{capture.Target{Role: "checkbox", Name: "Select row", Landmark: row("A-1042")}, true},
		{capture.Target{Role: "checkbox", Name: "Paid", Landmark: row("A-1042")}, false},
		{capture.Target{Role: "checkbox", Name: "Send letters by post", Landmark: &capture.Landmark{Role: "form", Name: "Member"}}, false},
		{capture.Target{Role: "radio", Name: "[[choice 4 v_a]]", Landmark: row("[[id 5 v_b]]")}, false},
	} {
		a := act{verb: capture.Check, target: &c.target, surface: workflow.OnBrowser}
		if a.ticksItem() != c.want || a.ticks() == c.want && c.target.Role == "checkbox" {
			t.Errorf("%+v: %v", c.target, a.ticksItem())
		}
	}
}

// An option's own comma separates nothing, and how a label is written does not matter.
func TestSplitChoices(t *testing.T) {
	options := []string{"Celery", "Nuts", "Nuts, roasted", "Soya"}
	for text, want := range map[string]string{
		"Celery, Soya": "Celery|Soya", "nuts, roasted, SOYA": "Nuts, roasted|Soya", "Nuts; Soya\nNuts": "Nuts|Soya", "Nuts,roasted": "Nuts|roasted", " , ": "", "": "", "Celery,": "Celery",
	} {
		if got := strings.Join(workflow.SplitChoices(text, options), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A box of a named group is one of several; any other box is asked for alone.
func TestBox(t *testing.T) {
	group := func(name string) *capture.Landmark { return &capture.Landmark{Role: "group", Name: name} }
	ab := []string{"A", "B"}
	for _, c := range []struct {
		target capture.Target
		want   string
	}{
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: group("Contains")}, "B"},
		{capture.Target{Role: "checkbox", Label: "b ", Options: ab, Landmark: group("Contains")}, "B"},
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: group("")}, ""},
		{capture.Target{Role: "checkbox", Name: "B", Options: ab, Landmark: &capture.Landmark{Role: "form", Name: "Dish"}}, ""},
		{capture.Target{Role: "checkbox", Name: "B", Landmark: group("Contains")}, ""},
		{capture.Target{Role: "checkbox", Name: "[[choice 4 v_a]]", Options: []string{"[[choice 4 v_a]]", "B"}, Landmark: group("Contains")}, ""},
		{capture.Target{Role: "radio", Name: "B", Options: ab, Landmark: group("Contains")}, ""},
	} {
		if got := (&act{verb: capture.Check, target: &c.target}).box(); got != c.want {
			t.Errorf("%+v: %q", c.target, got)
		}
	}
}

// A short argument is known where it stands, and nowhere else.
func TestBrief(t *testing.T) {
	c := &column{}
	s := &study{brief: map[*column][]briefWord{c: {{"-n", "5", ref("p1")}}}}
	for line, want := range map[string]string{
		"shuf -n 5 station-5.csv":  "shuf -n " + ref("p1") + " station-5.csv",
		"head -n=5 a":              "head -n=" + ref("p1") + " a",
		"head -n 5 a; tail -n 5 a": "head -n 5 a; tail -n 5 a",
		"cut -f 5 a":               "cut -f 5 a",
	} {
		if got := s.withBrief(c, line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
