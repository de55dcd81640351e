package ledger

import (
	"math/rand/v2"
	"testing"
)

func fill(*rand.Rand) Tables {
	return Tables{"things": {{"id": "A-1", "name": "one", "size": "3"}, {"id": "A-2", "name": "two", "size": "4"}}}
}

// Whatever a page claims, the log holds what was done.
func TestFaults(t *testing.T) {
	set := Effect{Verb: "set", Table: "things", ID: "A-1", Fields: map[string]string{"name": "uno", "size": "9"}}
	for fault, want := range map[Fault]string{
		None: `set things A-1 name="uno" size="9"`, Claim: "", WrongRow: `set things A-2 name="uno" size="9"`,
		WrongValue: `set things A-1 name="unv" size="9"`, Partial: `set things A-1 size="9"`, Broken: "", Invalid: "",
	} {
		l := New(1, fill)
		l.Fail(fault)
		_, err := l.Apply(t.Context(), set)
		if (err != nil) != (fault == Broken || fault == Invalid) {
			t.Errorf("%s: %v", fault, err)
		}
		got := ""
		if log := l.Effects(); len(log) > 0 {
			got = log[0].String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", fault, got, want)
		}
		if ok := Same([]Effect{set}, l.Effects()); ok != (fault == None) {
			t.Errorf("%s: counted as success: %v", fault, ok)
		}
	}
}

func TestIDsFollow(t *testing.T) {
	l := New(1, fill)
	for _, want := range []string{"A-3", "A-4"} {
		r, err := l.Apply(t.Context(), Effect{Verb: "add", Table: "things", Fields: map[string]string{"name": "x"}})
		if err != nil || r["id"] != want {
			t.Errorf("%v, %v", r, err)
		}
	}
}
