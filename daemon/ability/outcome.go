package ability

import (
	"context"
	"fmt"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// quarantinedByHealth marks a lane that failures chose; one that a person chose is a person's to leave.
const quarantinedByHealth = "health"

// outcomesKept is how many outcomes of an ability are shown at most.
const outcomesKept = 200

// Outcomes takes what uses and trials of abilities came to, and acts on what they add up to (baseline 1.1I): a quarantined ability
// leaves the agents' folders, and returns when it has healed.
type Outcomes struct{ *registry }

// Report adds the outcomes of one use or trial, oldest first; the trace is kept with them where there is one. Content that has
// been replaced since is not judged by them: hash is what was tried, "" what is installed now.
func (s *Outcomes) Report(ctx context.Context, id, hash string, tr *health.Trace, all ...health.Outcome) (health.State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return health.State{}, err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return health.State{}, notFound()
	}
	a := &w.abilities[i]
	if hash != "" && hash != a.installedHash() {
		return a.Health, nil
	}
	s.observe(w)
	for _, o := range all {
		if tr != nil {
			o.TraceID = tr.TraceID
		}
		s.count(w, a, o)
	}
	c := change{trigger: TriggerUsed, quiet: true, inTx: func(tx Tx) error { return writeTrace(tx, *a, tr) }}
	if len(w.fared) > 0 {
		c.trigger, c.quiet = TriggerCapabilityHealth, false
	}
	err = s.apply(ctx, w, c)
	return a.Health, err
}

// Health is how an ability fares, with its latest outcomes, newest first.
func (s *Outcomes) Health(ctx context.Context, id string) (a Ability, latest []health.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err = s.asItIs(ctx, id)
	if err != nil {
		return a, nil, err
	}
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { latest, err = tx.Outcomes(a.AbilityID, outcomesKept); return err })
	return a, latest, err
}

// ClearQuarantine forgets the failures that quarantined an ability: a person has looked at it.
func (s *Outcomes) ClearQuarantine(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerQuarantine, heal: true,
		receipt: journal.Receipt{Kind: journal.AbilityUnquarantined, Summary: "The skill left quarantine; its failures count anew."},
		do: func(a *Ability) error {
			if a.Lane != LaneQuarantined {
				return fault.New(fault.InstallLaneDenied, "the ability is not quarantined")
			}
			a.leaveQuarantine()
			return nil
		}})
}

// HealthIndex is how every capability fares now.
func (s *Outcomes) HealthIndex(ctx context.Context) (HealthIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return HealthIndex{}, err
	}
	return w.healthIndex(s.now()), nil
}

// StatsIndex is the counts of every capability.
func (s *Outcomes) StatsIndex(ctx context.Context) (StatsIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return StatsIndex{}, err
	}
	return w.statsIndex(s.now()), nil
}

func (a *Ability) leaveQuarantine() {
	a.returnToLane()
	a.Health = a.Health.Anew()
}

// returnToLane puts a quarantined ability back where it was.
func (a *Ability) returnToLane() {
	a.Lane, a.LaneBefore, a.QuarantineReason, a.QuarantinedBy = a.LaneBefore, "", "", ""
}

// fared is a change of an ability's health, to be told with what else is written.
type fared struct {
	a        Ability
	was, now health.State
}

// count folds an outcome into the ability's health. s.mu is held; what it changes is written by the caller.
func (s *base) count(w *world, a *Ability, o health.Outcome) {
	if o.OutcomeID == "" {
		o.OutcomeID = s.o.NewID()
	}
	if o.At.IsZero() {
		o.At = s.now()
	}
	o.AbilityID = a.AbilityID
	w.outcomes = append(w.outcomes, o)
	was := a.Health
	a.Health = was.Fold(o)
	w.dirty[a.AbilityID] = true
	if was.Status == a.Health.Status {
		return
	}
	switch {
	case a.Health.Status == health.Quarantined && a.Lane != LaneQuarantined:
		a.LaneBefore, a.Lane, a.QuarantinedBy = a.Lane, LaneQuarantined, quarantinedByHealth
		a.QuarantineReason = plain.Cut(quarantineReason(a.Health, o), 200)
	case was.Status == health.Quarantined && a.Lane == LaneQuarantined && a.QuarantinedBy == quarantinedByHealth:
		a.returnToLane()
	}
	if was.Status != "" && was.Status != health.Unknown || a.Health.Status != health.Healthy && a.Health.Status != health.Unknown {
		w.fared = append(w.fared, fared{*a, was, a.Health})
	}
}

func quarantineReason(s health.State, o health.Outcome) string {
	at := ""
	if s.Step != "" {
		at = " at " + s.Step
	}
	if s.Reason == health.CriticalFailure {
		return fmt.Sprintf("it did what its policy forbids%s (%s)", at, s.Code)
	}
	return fmt.Sprintf("it failed %d times within seven days%s (%s)", s.Failures(o.At), at, s.Code)
}

// tellFared says that an ability's health changed: receipt and events of baseline 0.3.
func tellFared(tx Tx, f fared) error {
	payload := map[string]any{"ability_id": f.a.AbilityID, "capability_id": f.a.CapabilityID, "status": string(f.now.Status),
		"was": string(f.was.Status), "reason_code": f.now.Reason, "step_id": f.now.Step, "code": f.now.Code}
	summary := map[health.Status]string{
		health.Healthy:     "The skill works again.",
		health.Degraded:    "The skill failed three times in the same way; agents are told so.",
		health.Quarantined: "The skill failed too often; it is withdrawn from agents.",
	}[f.now.Status]
	if err := record(tx, journal.Receipt{Kind: journal.CapabilityHealthChanged, AbilityID: f.a.AbilityID, ProposalID: f.a.ProposalID,
		Reason: f.now.Reason, Summary: summary}, payload); err != nil {
		return err
	}
	switch {
	case f.now.Status == health.Quarantined:
		return tx.Emit(journal.Event{Kind: journal.CapabilityQuarantined, Payload: payload})
	case f.was.Status == health.Quarantined:
		return tx.Emit(journal.Event{Kind: journal.ReprobeSucceeded, Payload: payload})
	}
	return nil
}

// writeOutcomes keeps what was counted and tells what follows.
func writeOutcomes(tx Tx, w *world) error {
	for _, o := range w.outcomes {
		if err := tx.PutOutcome(o); err != nil {
			return err
		}
	}
	for _, f := range w.fared {
		if err := tellFared(tx, f); err != nil {
			return err
		}
	}
	return nil
}
