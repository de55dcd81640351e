package redact

import (
	"strings"
	"testing"
)

// TestClasses: every declared class is found in its example, and its example can be distinguished from the others'.
func TestClasses(t *testing.T) {
	if len(Classes) < 50 {
		t.Errorf("%d classes", len(Classes))
	}
	seen := map[string]string{}
	for _, c := range Classes {
		_, rest, ok := strings.Cut(c.Example, "«")
		secret, _, ok2 := strings.Cut(rest, "»")
		if !ok || !ok2 || len(secret) < 8 {
			t.Errorf("%s: no secret of eight bytes is marked", c.Name)
			continue
		}
		if other := seen[secret]; other != "" {
			t.Errorf("%s and %s have the same example", c.Name, other)
		}
		seen[secret] = c.Name
		text := strings.NewReplacer("«", "", "»", "").Replace(c.Example)
		if out := shared().Text(text); strings.Contains(out, secret) {
			t.Errorf("%s: %q -> %q", c.Name, text, out)
		}
	}
}
