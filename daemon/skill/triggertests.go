package skill

import "encoding/json"

// TriggerTestFile is where a skill keeps example sentences (baseline 1.1P).
const TriggerTestFile = "tests/triggers.json"

// TriggerTests is the file's content: what must and what must not call the skill, for the real matcher. Generated
// lists those phrases that no person has said or confirmed.
type TriggerTests struct {
	SchemaVersion int      `json:"schema_version"`
	Skill         string   `json:"skill"`
	Positives     []string `json:"positives"`
	Paraphrases   []string `json:"paraphrases"`
	Negatives     []string `json:"negatives"`
	Generated     []string `json:"generated"`
}

// TriggerTestsOf returns the examples of a skill; ok is false without readable ones.
func TriggerTestsOf(b Bundle) (t TriggerTests, ok bool) {
	f := b.File(TriggerTestFile)
	if f == nil || json.Unmarshal(f.Data, &t) != nil {
		return TriggerTests{}, false
	}
	return t, true
}
