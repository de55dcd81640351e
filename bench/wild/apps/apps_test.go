package apps

import (
	"maps"
	"testing"
)

func TestChanged(t *testing.T) {
	before := Facts{"user a": "one", "user b": "two", "user c": "three"}
	after := Facts{"user a": "one", "user b": "other", "user d": "four"}
	if got, want := Changed(before, after), (Facts{"user b": "other", "user c": "", "user d": "four"}); !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestChosen(t *testing.T) {
	if list, err := Chosen("all"); err != nil || len(list) != len(All()) {
		t.Errorf("%d, %v", len(list), err)
	}
	if list, err := Chosen("fossil"); err != nil || len(list) != 1 {
		t.Errorf("%d, %v", len(list), err)
	}
	if _, err := Chosen("foss"); err == nil {
		t.Error("a name that is none")
	}
}
