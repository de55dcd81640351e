package redact

import (
	"strings"
	"testing"

	"showhow/capture/secret"
)

// TestRuleExamples runs every own rule alone over its examples.
func TestRuleExamples(t *testing.T) {
	rules := ownRules()
	seen := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if seen[r.name] {
			t.Errorf("%s: declared twice", r.name)
		}
		seen[r.name] = true
		if len(r.hits) == 0 || len(r.misses) == 0 {
			t.Errorf("%s: needs true and false positives", r.name)
		}
		for _, hit := range r.hits {
			text := strings.NewReplacer("«", "", "»", "").Replace(hit)
			if got, want := alone(r, text), marked(hit, r.kind); got != want {
				t.Errorf("%s:\n text %q\n got  %q\n want %q", r.name, text, got, want)
			}
		}
		for _, miss := range r.misses {
			if got := alone(r, miss); got != miss {
				t.Errorf("%s: changed %q to %q", r.name, miss, got)
			}
		}
	}
}

func alone(r *compiled, text string) string {
	return render(text, merge(newRuleSet([]compiled{*r}, nil).scan(text)))
}

// marked replaces each «secret» by its token.
func marked(s string, k secret.Kind) string {
	for {
		a, rest, ok := strings.Cut(s, "«")
		if !ok {
			return s
		}
		_, b, _ := strings.Cut(rest, "»")
		s = a + secret.Token(k) + b
	}
}
