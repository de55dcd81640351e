package workflow

import (
	"strings"
	"testing"
)

// An option's own comma separates nothing, and how a label is written does not matter.
func TestSplitChoices(t *testing.T) {
	options := []string{"Celery", "Nuts", "Nuts, roasted", "Soya"}
	for text, want := range map[string]string{
		"Celery, Soya": "Celery|Soya", "nuts, roasted, SOYA": "Nuts, roasted|Soya", "Nuts; Soya\nNuts": "Nuts|Soya",
		"Nuts,roasted": "Nuts|roasted", " , ": "", "": "", "Celery,": "Celery",
	} {
		if got := strings.Join(SplitChoices(text, options), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
