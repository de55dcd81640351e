package lang

import "testing"

func TestVerbForms(t *testing.T) {
	for word, want := range map[string]bool{"summarizer": true, "summarizing": true, "summarized": true, "summarizes": true,
		"summarizor": false, "summary": false} {
		if VerbForm(word, "summarize") != want {
			t.Errorf("%s: %v", word, !want)
		}
	}
	for word, want := range map[string]string{"organise": "organize", "organisers": "organizers", "finalising": "finalizing", "visit": "visit",
		"list": "list"} {
		if got := American(word); got != want {
			t.Errorf("%s: %s, not %s", word, got, want)
		}
	}
}
