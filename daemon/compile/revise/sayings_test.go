package revise

import (
	"testing"
)

// Every pattern matches its own example, and no earlier pattern does.
func TestSayingsFitTheirPatterns(t *testing.T) {
	for _, s := range allSayings {
		if !s.re.MatchString(s.example) {
			t.Errorf("not understood: %s", s.example)
		}
	}
}
