package lang

import (
	"regexp"
	"strings"
	"testing"
)

// Every pattern compiles, and is looked for with words that its matches have.
func TestWordingsAreWhole(t *testing.T) {
	names := Wordings()
	if len(names) < 60 {
		t.Fatalf("%d wordings", len(names))
	}
	for _, name := range names {
		w := WordingOf(name)
		if w.Says == "" {
			t.Errorf("%s says nothing", name)
		}
		for _, expr := range []string{w.Says, w.Unless, w.Excuse, w.Only, w.Raised} {
			if _, err := regexp.Compile(expr); err != nil || strings.HasPrefix(expr, "@") && WordingOf(expr[1:]) == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, h := range append(w.Hints, w.Also...) {
			if h == "" || h != strings.ToLower(h) {
				t.Errorf("%s: hint %q", name, h)
			}
		}
	}
}

// The other languages have no kind that English lacks, and no kind has a word twice in one language.
func TestAskedKinds(t *testing.T) {
	english := map[string]bool{}
	for _, kv := range entries(readAsked("en")) {
		english[kv[0]] = true
	}
	if len(english) < 40 {
		t.Fatalf("%d kinds", len(english))
	}
	for _, code := range askedIn {
		for _, kv := range entries(readAsked(code)) {
			if !english[kv[0]] {
				t.Errorf("%s has %q, English has not", code, kv[0])
			}
			seen := map[string]bool{}
			for _, p := range list(kv[1]) {
				if seen[p] {
					t.Errorf("%s, %s: %q twice", code, kv[0], p)
				}
				seen[p] = true
			}
		}
	}
}

func TestForgetWordings(t *testing.T) {
	before := WordingOf("negated").Says
	Forget()
	if wordings.all != nil {
		t.Error("wordings stay in memory")
	}
	if WordingOf("negated").Says != before {
		t.Error("another pattern after Forget")
	}
}
