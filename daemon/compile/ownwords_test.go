package compile

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/workflow"
)

func readRecorded(t *testing.T, name string) (w recorded) {
	t.Helper()
	data, err := os.ReadFile("testdata/recorded/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// The second demonstration adds the tag "new" on the page "A new dish" at /dishes/new, which is unrelated. Adding a tag
// is part of filling in the form and does not send it.
func TestWordOfPage(t *testing.T) {
	w := readRecorded(t, "word-of-page")
	second := w.input(2)
	second.Traces = second.Traces[1:]
	for name, in := range map[string]Input{"one": w.input(1), "the one with the word": second, "two": w.input(2)} {
		t.Run(name, func(t *testing.T) {
			out := compiled(t, in)
			for _, msg := range unsound(in, out) {
				t.Error(msg)
			}
			var effects []string
			for _, s := range out.Graph.Steps {
				if s.Optional {
					t.Errorf("%s is optional", s.Title)
				}
				if s.Effect {
					effects = append(effects, s.Title)
				}
				for _, text := range []string{s.Page.URL, s.Title} {
					if strings.Contains(text, "/dishes/") && !strings.HasSuffix(text, "/dishes/new") || strings.Contains(text, "{*}") ||
						strings.Contains(text, "...") {
						t.Errorf("%s: %s", s.StepID, text)
					}
				}
				if s.Target != nil && s.Target.Role == "link" && s.Target.Name != "New dish" {
					t.Errorf("the link is %q", s.Target.Name)
				}
			}
			if !slices.Equal(effects, []string{`Choose "Create dish"`}) {
				t.Errorf("effects: %q", effects)
			}
		})
	}
}

// A cell that a double click turns into a field is found by its row and column; the text that it showed before is not an
// input.
func TestCellEdit(t *testing.T) {
	w := readRecorded(t, "cell-edit")
	out := compiled(t, w.input(1))
	var names []string
	for _, in := range out.Interpretation.Inputs {
		names = append(names, in.Name)
	}
	if !slices.Equal(names, []string{"patient", "room"}) {
		t.Errorf("inputs: %q", names)
	}
	i := slices.IndexFunc(out.Graph.Steps, func(s workflow.Step) bool { return s.Verb == capture.DoubleClick })
	if i < 0 {
		t.Fatal("nothing is double clicked")
	}
	cell := out.Graph.Steps[i].Target
	if cell.Name != "" || cell.Placeholder != "Room" || cell.Landmark == nil || cell.Landmark.Name != "{patient}" {
		t.Errorf("cell: %+v in %+v", cell, cell.Landmark)
	}
}

// The control that opens the chooser of a hidden file field is not a step of its own, and its label is not an input.
func TestHiddenFile(t *testing.T) {
	w := readRecorded(t, "hidden-file")
	for n := 1; n <= 2; n++ {
		out := compiled(t, w.input(n))
		var names []string
		for _, in := range out.Interpretation.Inputs {
			names = append(names, in.Name)
		}
		if !slices.Equal(names, []string{"patient", "file"}) {
			t.Errorf("%d: inputs: %q", n, names)
		}
	}
}
