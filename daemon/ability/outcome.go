package ability

import (
	"context"
	"fmt"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// quarantinedByHealth marks a quarantine caused by failures; only a person ends one that a person set.
const quarantinedByHealth = "health"

// outcomesKept bounds how many outcomes of an ability are shown.
const outcomesKept = 200

// Outcomes records outcomes of uses and trials and acts on their sum (baseline 1.1I): a quarantined ability leaves the
// agents' folders, and returns when it has healed.
type Outcomes struct {
	*registry
	following *followers
}

// Report adds the outcomes of one use or trial, oldest first, with the trace if there is one. Outcomes of content that
// has been replaced since are ignored: hash is what was tried, "" what is installed now.
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

// Health returns an ability's health, with its latest outcomes, newest first.
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

// ClearQuarantine forgets the failures that quarantined an ability, after a person has looked at it.
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

// HealthIndex is the current health of every capability.
func (s *Outcomes) HealthIndex(ctx context.Context) (HealthIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return HealthIndex{}, err
	}
	return w.healthIndex(s.now()), nil
}

// StatsIndex holds the counts of every capability.
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
	a.Health = a.Health.Reset()
}

// returnToLane returns a quarantined ability to its previous lane.
func (a *Ability) returnToLane() {
	a.Lane, a.LaneBefore, a.QuarantineReason, a.QuarantinedBy = a.LaneBefore, "", "", ""
}

// fared is a change of an ability's health, recorded with what else is written.
type fared struct {
	a        Ability
	was, now health.State
}

// count folds an outcome into the ability's health. s.mu is held; the caller writes the result.
func (s *base) count(w *world, a *Ability, o health.Outcome) {
	if o.OutcomeID == "" {
		o.OutcomeID = s.o.NewID()
	}
	if o.At.IsZero() {
		o.At = s.now()
	}
	o.AbilityID = a.AbilityID
	was := a.Health
	o = was.Read(o)
	w.outcomes = append(w.outcomes, o)
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

// tellFared records a change of an ability's health: receipt and events of baseline 0.3.
func tellFared(tx Tx, f fared) error {
	payload := map[string]any{"ability_id": f.a.AbilityID, "capability_id": f.a.CapabilityID, "status": string(f.now.Status),
		"was": string(f.was.Status), "reason_code": f.now.Reason, "step_id": f.now.Step, "code": f.now.Code}
	summary := map[health.Status]string{
		health.Healthy:     "The skill works again.",
		health.Unknown:     "The calls that the skill needs work again; nobody has used it yet.",
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

// writeOutcomes stores the counted outcomes and records their consequences.
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
