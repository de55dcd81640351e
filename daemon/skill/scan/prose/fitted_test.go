package prose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/internal/lang"
)

// fitted is how many phrases of three words and more are found in one malicious bundle of the sets and in nothing else. Such a phrase may
// have been taken from the bundle, so its finding proves nothing. The number may fall, never rise.
const fitted = 89

// TestNoMorePhrasesFitOneBundle counts the phrases of internal/lang/data/asks that are found in exactly one bundle, a malicious one.
func TestNoMorePhrasesFitOneBundle(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*/*/*.txtar")
	if err != nil || len(paths) < 400 {
		t.Fatal(len(paths), err)
	}
	bundles := map[string][][]string{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sentences(strings.ReplaceAll(string(data), "\n-- ", "\n\n-- "), 1) {
			bundles[p] = append(bundles[p], Stems(s.Text))
		}
	}
	in := func(words []string) (found []string) {
		for p, said := range bundles {
			if holds(said, words) {
				found = append(found, p)
			}
		}
		return found
	}
	n := 0
	check := func(phrase string) {
		words := strings.Fields(phrase)
		for i := range words {
			words[i] = form(words[i])
		}
		if len(words) < 3 {
			return
		}
		if found := in(words); len(found) == 1 && strings.Contains(found[0], ".evil.") {
			n++
			t.Logf("%q fits %s alone", phrase, filepath.Base(found[0]))
		}
	}
	lang.Asks(func(_ string, phrases []string) {
		for _, p := range phrases {
			check(p)
		}
	})
	if n != fitted {
		t.Errorf("%d phrases fit one malicious bundle alone, and it is written that %d do", n, fitted)
	}
}

// holds: one of the sentences has the words, one after the other.
func holds(said [][]string, words []string) bool {
	for _, ws := range said {
		for i := range ws {
			if ws[i] == words[0] && matchWords(ws[i+1:], words[1:]) >= 0 {
				return true
			}
		}
	}
	return false
}
