package corpus

import (
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/compile/revise"
)

// Rewording a text keeps the work the same, on every draft of the corpus; an edit of the work is noticed.
func TestOtherWordsAreTheSameWork(t *testing.T) {
	for _, f := range All() {
		if f.Held {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			tr, err := ReadTrace(filepath.Join(TraceDir, f.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			before := compiled(t, tr)
			said := map[string]string{}
			for _, x := range revise.Wording(before) {
				said[x.ID] = strings.TrimSuffix(x.Text, ".") + " indeed"
			}
			edits := revise.WordingEdits(before, nil, said)
			after := revised(t, tr, before, edits)
			if other := revise.OtherWork(before, after); len(other) > 0 {
				t.Errorf("other: %v", other)
			}
			for _, x := range revise.Wording(after) {
				if want, ok := said[x.ID]; ok && x.Text != want {
					t.Errorf("%s: %q, want %q", x.ID, x.Text, want)
				}
			}
			last := before.Interpretation.Checkpoints[len(before.Interpretation.Checkpoints)-1].CheckpointID
			changes := map[string]map[string]any{"checkpoint": {"remove_checkpoints": []any{last}},
				"step": {"drop_steps": []any{before.Graph.Steps[0].StepID}}}
			if in := before.Interpretation.Inputs; len(in) > 0 {
				changes["name"] = map[string]any{"rename_inputs": map[string]any{in[0].Name: "quite_another"}}
				changes["constant"] = map[string]any{"constants": map[string]any{in[0].Name: "forever"}}
			}
			for what, edits := range changes {
				if len(revise.OtherWork(before, revised(t, tr, before, edits))) == 0 {
					t.Errorf("another %s is not noticed", what)
				}
			}
		})
	}
}
