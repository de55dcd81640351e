package upkeep

import (
	"strings"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

func TestBecause(t *testing.T) {
	failed := health.Outcome{Source: health.Run, Result: health.Failed, Code: "agent_failed", By: "scout",
		At: clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))}
	atStep := failed
	atStep.Source, atStep.Step, atStep.Code = health.Report, "cp-02", "checkpoint_failed"
	fold := func(all ...health.Outcome) (s health.State) {
		for _, o := range all {
			s = s.Fold(o)
		}
		return s
	}
	glimpsed := func(there bool) health.Outcome {
		return health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1"}, At: failed.At,
			Glimpsed: []health.Glimpse{{Step: "s8", There: there}}}
	}
	for name, c := range map[string]struct {
		a    ability.Ability
		want []string
		not  []string
	}{
		"changed": {ability.Ability{Slug: "x", Trust: ability.TrustNeedsReapproval, Drift: "bundle", Health: fold(failed)},
			[]string{"It was changed after you approved it.", "skill restore x", "are those of what you approved"},
			[]string{"failed", "Nobody", "canary"}},
		"new": {ability.Ability{Slug: "x", Trust: ability.TrustPendingReview}, []string{"waits for your review"}, []string{"canary", "Nothing"}},
		"failed as a whole": {ability.Ability{Slug: "x", Trust: ability.TrustApproved, Health: fold(failed)},
			[]string{"it failed (agent_failed), and agents are told", "A successful check, or three successful uses in a row, clears this."},
			[]string{" at ", "that step"}},
		"failed at a step": {ability.Ability{Slug: "x", Trust: ability.TrustApproved, Health: fold(atStep)},
			[]string{"it failed at cp-02 (checkpoint_failed)", "three reports in a row that it was reached, clears this."}, nil},
		"out of sight": {ability.Ability{Slug: "x", Trust: ability.TrustApproved, Health: fold(glimpsed(true), glimpsed(false))},
			[]string{"a check no longer saw what s8 needs", "three reports in a row that it was reached, clears this."},
			[]string{"degraded", health.OutOfSight}},
		"degraded": {ability.Ability{Slug: "x", Trust: ability.TrustApproved, Health: fold(failed, failed, failed)},
			[]string{"It failed 3 times or more within seven days (agent_failed).", "three successful uses in a row, ends this."},
			[]string{"that step", "may fail"}},
	} {
		t.Run(name, func(t *testing.T) {
			said := strings.Join(because(c.a, nil, ""), "\n")
			for _, w := range c.want {
				if !strings.Contains(said, w) {
					t.Errorf("no %q in %s", w, said)
				}
			}
			for _, n := range c.not {
				if strings.Contains(said, n) {
					t.Errorf("%q in %s", n, said)
				}
			}
		})
	}
}
