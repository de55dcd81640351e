package health_test

import (
	"slices"
	"testing"
	"time"

	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// looks is a state after a good look that saw names beside a button, and five looks that miss it and see now.
func looks(before, now []health.Control) health.State {
	at := clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	beside := func(all []health.Control) []health.Beside {
		return []health.Beside{{Step: "s1", Role: "button", Name: "Edit", Controls: all}}
	}
	s := health.State{}.Fold(health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1"}, At: at,
		Beside: beside(before)})
	for range health.QuarantineAt {
		s = s.Fold(health.Outcome{Source: health.Canary, Result: health.Failed, Step: "s1", Code: health.MissingCode, At: at,
			Beside: beside(now)})
	}
	return s
}

func button(name string) health.Control {
	return health.Control{Role: "button", Name: name, There: true}
}

// A control that is missing while something new stands in its place may be called otherwise: looks alone withdraw the ability only
// where nothing is new.
func TestSomethingNewInItsPlaceDegradesAndIsProposed(t *testing.T) {
	elsewhere, other, kin, otherKin := button("Help"), button("Delete"), button("Archive"), button("Overview")
	elsewhere.There, other.Other, kin.Role, otherKin.Role, otherKin.Other = false, true, "link", "link", true
	old := []health.Control{button("Reorder"), button("Print 3")}
	for _, c := range []struct {
		name  string
		now   []health.Control
		want  health.Status
		guess string
	}{
		{"nothing new", old, health.Quarantined, ""},
		{"nothing at all", nil, health.Quarantined, ""},
		{"a count changed", []health.Control{button("Reorder"), button("Print 4")}, health.Quarantined, ""},
		{"a new button", append(slices.Clone(old), button("Correct")), health.Degraded, "Correct"},
		{"two new buttons", append(slices.Clone(old), button("Correct"), button("Change")), health.Degraded, ""},
		{"new elsewhere", append(slices.Clone(old), elsewhere), health.Quarantined, ""},
		{"all words are others", []health.Control{elsewhere}, health.Degraded, "Help"},
		{"it says something else", append(slices.Clone(old), other), health.Degraded, ""},
		{"a new link", append(slices.Clone(old), kin), health.Degraded, ""},
		{"a new link says something else", append(slices.Clone(old), otherKin), health.Quarantined, ""},
		{"all is called otherwise, and is of another kind", []health.Control{otherKin}, health.Degraded, ""},
	} {
		s := looks(old, c.now)
		guess := ""
		if len(s.Renamed) == 1 && s.Renamed[0].Guess {
			guess = s.Renamed[0].Name
		}
		if said := `the button "Edit" is missing, and the button "` + guess + `" is new there`; guess != "" &&
			!slices.Equal(s.Renamed[0].Changes, []string{said}) {
			t.Errorf("%s: %q", c.name, s.Renamed[0].Changes)
		}
		if s.Status != c.want || guess != c.guess {
			t.Errorf("%s: %s, proposed %q; want %s, %q", c.name, s.Status, guess, c.want, c.guess)
		}
	}
}

// Reports withdraw it all the same, a good look ends the guess, and no name is kept of what only stood beside it.
func TestAGuessIsNoLastWord(t *testing.T) {
	old := []health.Control{button("Reorder")}
	s := looks(old, append(slices.Clone(old), button("Correct")))
	for i := range health.QuarantineAt {
		s = s.Fold(health.Outcome{Source: health.Report, Result: health.Failed, Step: "s1", Code: "checkpoint_failed",
			By: []string{"scout", "helper"}[i%2], At: *s.Latest})
	}
	if s.Status != health.Quarantined {
		t.Error("two reporters agree", s.Status)
	}
	s = looks(old, append(slices.Clone(old), button("Correct")))
	s = s.Fold(health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1"}, At: *s.Latest})
	if s.Status != health.Healthy || len(s.Renamed) > 0 {
		t.Errorf("%+v", s)
	}
	if len(s.Beside) != 1 || len(s.Beside[0].Prints) != 1 {
		t.Errorf("%+v", s.Beside)
	}
}
