package lang

import (
	"slices"
	"testing"
)

func TestRelated(t *testing.T) {
	for a, b := range map[string]string{"remove": "delete", "rain": "weather", "invoice": "bill", "telephone": "phone", "song": "tune"} {
		x, y := EnglishStem(a), EnglishStem(b)
		if !slices.Contains(Related(x), y) || !slices.Contains(Related(y), x) {
			t.Errorf("%s and %s are strangers: %v, %v", a, b, Related(x), Related(y))
		}
	}
	for _, stem := range []string{"xylophon", "invoic", "weather"} {
		if slices.Contains(Related(stem), stem) || slices.Contains(Related(stem), "") {
			t.Errorf("%s: %v", stem, Related(stem))
		}
	}
	if len(Related("xylophon")) > 0 {
		t.Error("a word of no group has related ones")
	}
}
