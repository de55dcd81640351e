package revise

import (
	"testing"
)

// Every pattern understands its own example, and no earlier one takes it away.
func TestSayingsFitTheirPatterns(t *testing.T) {
	for _, s := range allSayings {
		if !s.re.MatchString(s.example) {
			t.Errorf("not understood: %s", s.example)
		}
	}
}
