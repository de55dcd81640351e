package cases

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"showhow/bench/corpus/ledger"
)

// The same seed gives the same case; other seeds give others that differ in more than words.
func TestDraw(t *testing.T) {
	seen, kinds := map[string]bool{}, map[Kind]bool{}
	for seed := range uint64(1500) {
		lib := Libraries[seed%uint64(len(Libraries))]
		c := Draw(seed, lib, nil)
		if again := Draw(seed, lib, nil); !reflect.DeepEqual(c, again) {
			t.Fatalf("%s is drawn in two ways", c)
		}
		seen[c.Fingerprint()], kinds[c.Spec.Kind] = true, true
	}
	if len(seen) < 1000 || len(kinds) != len(Kinds) {
		t.Errorf("1500 seeds gave %d cases of %d kinds", len(seen), len(kinds))
	}
}

// Every load has a task that is not done yet, with values other than the demonstrations', and its expectation is
// within its own data.
func TestLoads(t *testing.T) {
	for seed := range uint64(400) {
		c := Draw(seed, Libraries[0], nil)
		var values []Values
		for n := range 4 {
			l := c.Load(n)
			if again := c.Load(n); !reflect.DeepEqual(l.Values, again.Values) || !reflect.DeepEqual(l.Spec, again.Spec) {
				t.Fatalf("%s, load %d is drawn in two ways", c, n)
			}
			e := l.Expected()[0]
			if e.Verb != "add" {
				row := slices.IndexFunc(l.Tables()[e.Table], func(r ledger.Row) bool { return r["id"] == e.ID })
				if row < 0 {
					t.Fatalf("%s, load %d: no record %s", c, n, e.ID)
				}
				if done := len(e.Fields) > 0 && maps.Equal(e.Fields, only(l.Tables()[e.Table][row], e.Fields)); done {
					t.Errorf("%s, load %d: already so: %v", c, n, e)
				}
			}
			values = append(values, l.Values)
		}
		for _, truth := range c.Truths() {
			if values[0][truth.Key] == "" {
				t.Errorf("%s has no value for %s", c, truth.Key)
			}
		}
		if maps.Equal(values[0], values[1]) || maps.Equal(values[2], values[1]) {
			t.Errorf("%s is done twice in the same way: %v", c, values)
		}
	}
}

func only(r ledger.Row, fields map[string]string) map[string]string {
	out := map[string]string{}
	for k := range fields {
		out[k] = r[k]
	}
	return out
}
