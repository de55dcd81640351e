package health_test

import (
	"testing"
	"time"

	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// What looks, test runs and reports found under other names is known until Showhow finds it as the ability has it
// (baseline 1.1G: drift corrections are proposals).
func TestR9_1_1G_RenamedControlsAreRemembered(t *testing.T) {
	at := clock.At(time.Date(2026, 4, 1, 9, 0, 0, 0, time.UTC))
	says := func(source health.Source, agent, name string) health.Outcome {
		return health.Outcome{Source: source, Result: health.Passed, At: at, By: agent, Covered: []string{"s1"},
			Renamed: []health.Renamed{{Step: "s1", Name: name, Agent: agent}}}
	}
	now := func(s health.State) (name, agent string) {
		if len(s.Renamed) != 1 {
			t.Fatalf("%+v", s.Renamed)
		}
		return s.Renamed[0].Name, s.Renamed[0].Agent
	}
	s := health.State{}.Fold(says(health.Report, "scout", "Check"))
	if name, agent := now(s); name != "Check" || agent != "scout" {
		t.Error(name, agent)
	}
	s = s.Fold(says(health.Canary, "", "Verify"))
	if name, agent := now(s); name != "Verify" || agent != "" || s.Renamed[0].Source != health.Canary {
		t.Error(name, agent)
	}
	s = s.Fold(says(health.Report, "scout", "Delete everything"))
	if name, _ := now(s); name != "Verify" {
		t.Error("an agent's word stands in the place of what was seen:", name)
	}
	s = s.Fold(health.Outcome{Source: health.Report, Result: health.Passed, Step: "cp-01", At: at})
	if name, _ := now(s); name != "Verify" {
		t.Error(name)
	}
	before := s
	s = s.Fold(health.Outcome{Source: health.Rehearsal, Result: health.Inconclusive, At: at, Covered: []string{"s1"}})
	if s.Renamed != nil {
		t.Errorf("it was found as the ability has it: %+v", s.Renamed)
	}
	if name, _ := now(before); name != "Verify" {
		t.Error("Fold changed the state that it was given")
	}
	if before.Reset().Renamed != nil {
		t.Error("other content has old findings")
	}
}

// A look that took something else, or a control elsewhere, for what agents did not find clears no report of theirs.
func TestWhatIsFoundOtherwiseClearsNoReport(t *testing.T) {
	at := clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	look := func(s health.State, renamed ...health.Renamed) health.State {
		at = at.Plus(time.Hour)
		return s.Fold(health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1", "s2", "cp-01"}, At: at,
			Renamed: renamed})
	}
	report := func(s health.State, step string) health.State {
		at = at.Plus(time.Hour)
		return s.Fold(health.Outcome{Source: health.Report, Result: health.Failed, Step: step, Code: "checkpoint_failed", At: at})
	}
	elsewhere := health.Renamed{Step: "s2", Role: "link", Name: "Edit", PlaceRole: "listitem", Place: "Climate"}
	for _, c := range []struct {
		name string
		s    health.State
		want bool
	}{
		{"as before", look(report(look(health.State{}), "cp-01")), false},
		{"elsewhere since then", look(report(look(health.State{}), "cp-01"), elsewhere), true},
		{"elsewhere since then, seen twice", look(look(report(look(health.State{}), "cp-01"), elsewhere), elsewhere), true},
		{"back in its place", look(look(report(look(health.State{}), "cp-01"), elsewhere)), false},
		{"elsewhere before, too", look(report(look(health.State{}, elsewhere), "cp-01"), elsewhere), false},
		{"before that step", look(report(look(health.State{}), "s1"), elsewhere), false},
		{"the whole of it", look(report(look(health.State{}), ""), elsewhere), true},
	} {
		if c.s.Suspect() != c.want || c.s.Status != health.Healthy {
			t.Errorf("%s: %v, %s", c.name, c.s.Suspect(), c.s.Status)
		}
	}
}
