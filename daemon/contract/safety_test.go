package contract

import (
	"regexp"
	"testing"
)

// A secret is found where a reader sees it: at the beginning of a line, after a tab, and between quotation marks.
func TestSecretsAfterAnEscape(t *testing.T) {
	s, h := served(t)
	word := regexp.MustCompile(`\bQK[0-9]{6}\b`)
	s.o.Find = func(text string) (secrets, _ []string) {
		if word.MatchString(text) {
			secrets = []string{"key"}
		}
		return secrets, nil
	}
	for _, text := range []string{"Use QK123456.", "Use this:\nQK123456\n", "Use:\tQK123456", "Use \"QK123456\"."} {
		h.text = text
		if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); r.OK || r.BlockClass != blockContent {
			t.Errorf("%q: %s", text, raw)
		}
	}
	h.text = "Use this:\nXQK123456\n"
	if r, raw := asks(t, s, person, toolMain, `{"from_kind":"file","from_id":"sort"}`); !r.OK {
		t.Errorf("%s", raw)
	}
}
