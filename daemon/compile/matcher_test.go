package compile

import (
	"encoding/json"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
)

// The phrases of every draft against the matcher of the lookup: the triggers must call the skill, most paraphrases do,
// and the near misses do not (baseline 1.1P: at least three of each).
func TestPhrasesReachTheSkill(t *testing.T) {
	asked, reached := 0, 0
	judge := func(t *testing.T, out Output) {
		if len(out.Graph.Steps) < 2 {
			return
		}
		file := out.Bundle.File("tests/triggers.json")
		var f skill.TriggerTests
		if err := json.Unmarshal(file.Data, &f); err != nil {
			t.Fatal(err)
		}
		if len(f.Positives) < 3 || len(f.Paraphrases) < 3 || len(f.Negatives) < 3 {
			t.Errorf("%d positives, %d paraphrases, %d negatives", len(f.Positives), len(f.Paraphrases), len(f.Negatives))
		}
		me := ability.Phrases{ID: "draft", Title: out.Title, TriggerPhrases: out.TriggerPhrases, NegativeTriggers: out.NegativeTriggers}.Entry()
		calls := func(phrase string) bool {
			return ability.Score(phrase, me, "").Routed()
		}
		for _, p := range f.Positives {
			if !calls(p) {
				t.Errorf("%q does not call %s", p, out.Slug)
			}
		}
		for _, p := range f.Negatives {
			if calls(p) {
				t.Errorf("%q calls %s", p, out.Slug)
			}
		}
		here := 0
		for _, p := range f.Paraphrases {
			if asked++; calls(p) {
				here++
			}
		}
		if reached += here; 2*here < len(f.Paraphrases) {
			t.Errorf("only %d of %d paraphrases reach %s", here, len(f.Paraphrases), out.Slug)
		}
	}
	eachFixture(t, func(t *testing.T, in Input) { judge(t, compiled(t, in)) })
	eachRecorded(t, func(t *testing.T, w recorded) { judge(t, compiled(t, w.input(len(w.Demonstrations)))) })
	if 10*reached < 9*asked {
		t.Errorf("%d of %d paraphrases are understood", reached, asked)
	}
}
