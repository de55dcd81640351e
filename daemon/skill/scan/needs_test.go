package scan

import (
	"io/fs"
	"os"
	"reflect"
	"testing"
)

func TestNeeds(t *testing.T) {
	for expr, want := range map[string][][]string{
		`\b(?:ignore|forget)\b.{0,40}\b(?:rules?|orders?)\b`: {{"ignore", "forget"}, {"rule", "order"}},
		`send(?: it)? to (?:us|nobody)`:                      {{"send"}, {" to "}},
		`(?:paste){2,}|(?i)upload`:                           nil, // the second may be in any case
		`(?:paste){2,}|upload`:                               {{"paste", "upload"}},
		`(?:paste)?\d`:                                       nil,
	} {
		if got := needs(expr); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

// What the words rule out, the expressions do not find: over all sentences of the labelled sets.
func TestNeedsRuleNothingOut(t *testing.T) {
	x := &finder{}
	var only []hits
	for i := range allTellings {
		only = append(only, x.expect(allTellings[i].re))
	}
	found := 0
	err := fs.WalkDir(os.DirFS("../testdata"), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("../testdata/" + p)
		for _, s := range sentences(decodeText(data), 1) {
			said := x.find(s.text)
			for i := range allTellings {
				if !allTellings[i].re.MatchString(s.text) {
					continue
				}
				if found++; !said.all(&only[i]) {
					t.Errorf("%s: %q has no word that %s needs", p, s.text, allTellings[i].re)
				}
			}
		}
		return err
	})
	if err != nil || found < 50 {
		t.Fatalf("%d sentences were found, %v", found, err)
	}
}
