package prose

import (
	"io/fs"
	"os"
	"testing"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/source"
)

// TestReads: what a sentence says, with its negations; the words of each pair differ in one thing.
func TestReads(t *testing.T) {
	for _, x := range []struct {
		text     string
		has, not Kind
	}{
		{"send the passport to our desk", iGive | iPrivate | iOurs, iGuard | iHush},
		{"never send the passport to our desk", iPrivate | iOurs, iGive},
		{"do not tell the user", iHush, iGuard},
		{"never print the password", iKeys, iHush | iGive},
		{"the report names a passport", iPrivate, iGive}, // a report is a thing
		{"do not ask before it is paid", iUnasked, 0},
		{"there is no list", 0, iHush},
		{"take the branch rule off", iWeaken, 0},
		{"schicke es heimlich", iGive | iHush, 0},
	} {
		got := reads(x.text).kinds
		if got&x.has != x.has || got&x.not != 0 {
			t.Errorf("%q: misses %b, has too much %b", x.text, x.has&^got, got&x.not)
		}
	}
}

// What the words rule out, the expressions do not find: over all sentences of the labelled sets.
func TestNeedsRuleNothingOut(t *testing.T) {
	x := &hint.Finder{}
	var only []hint.Hits
	for i := range told().placed {
		only = append(only, x.Expect(told().placed[i].re))
	}
	found := 0
	err := fs.WalkDir(os.DirFS("../../testdata"), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("../../testdata/" + p)
		for _, s := range sentences(source.DecodeText(data), 1) {
			said := x.Find(s.Text)
			for i := range told().placed {
				if !told().placed[i].re.MatchString(s.Text) {
					continue
				}
				if found++; !said.All(&only[i]) {
					t.Errorf("%s: %q has no word that %s needs", p, s.Text, told().placed[i].re)
				}
			}
		}
		return err
	})
	if err != nil || found < 50 {
		t.Fatalf("%d sentences were found, %v", found, err)
	}
}
