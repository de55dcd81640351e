package ability

import (
	"cmp"
	"context"
	"slices"

	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The canonical files of how capabilities fare (baseline 1.1C, 1.1D, 1.1F).
const (
	HealthPath = "system/capabilities/health_current.json"
	StatsPath  = "system/capabilities/stats_current.json"
	TracesPath = "system/capabilities/traces.jsonl"
)

// healthStatus is the capability's health: lasting, unlike usable_now (baseline 1.1D). What its uses and trials add up to comes
// before what agents reported of checkpoints, and nothing that a person did to it makes it healthy.
func (w *world) healthStatus(a Ability) (status, code string) {
	_, code = w.unusable(a)
	switch {
	case a.Lane == LaneQuarantined:
		return "quarantined", cmp.Or(a.Health.Reason, code)
	case !a.Enabled:
		return "disabled", code
	case code != "":
		return "degraded", code
	case a.Health.Status == health.Degraded:
		return "degraded", a.Health.Reason
	}
	switch checkpointHealth(a, w.counts[a.AbilityID]) {
	case "no_data":
		if a.Health.Status == health.Healthy {
			return "healthy", ""
		}
		return "unknown", "no_data"
	case "weak":
		return "degraded", "checkpoint_health_weak"
	}
	return "healthy", ""
}

// ShownHealth is the part of an ability's health that everybody may see.
func (a Ability) ShownHealth() wire.AbilityHealth {
	h := a.Health
	return wire.AbilityHealth{Status: cmp.Or(string(h.Status), string(health.Unknown)), ReasonCode: h.Reason, StepID: h.Step, Code: h.Code,
		Since: h.Since, GoodCanaries: h.GoodCanaries, LastVerifiedAt: h.VerifiedAt}
}

// shownHealth is the same in a list; nil while nothing is known.
func shownHealth(a Ability) *wire.AbilityHealth {
	if a.Health.Status == "" && a.Health.VerifiedAt == nil {
		return nil
	}
	h := a.ShownHealth()
	return &h
}

// Stats counts what became of the ability's uses and trials.
func (a Ability) Stats() CapabilityStats {
	t := a.Health.Totals
	return CapabilityStats{CapabilityID: a.CapabilityID, Passed: t.Passed, Failed: t.Failed, Inconclusive: t.Inconclusive,
		GoodCanaries: a.Health.GoodCanaries, LastUsedAt: a.LastUsedAt, LastFailedAt: a.Health.FailedAt, SchemaVersion: 1}
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

func (w *world) healthIndex(now clock.Time) HealthIndex {
	out := HealthIndex{Capabilities: []CapabilityHealth{}, UpdatedAt: now, SchemaVersion: 1}
	for _, a := range w.abilities {
		out.Capabilities = append(out.Capabilities, w.capabilityHealth(a))
	}
	return out
}

// capabilityHealth: the schema of 1.1D knows no "unknown", so what nobody has seen is healthy until it is seen to be otherwise.
func (w *world) capabilityHealth(a Ability) CapabilityHealth {
	status, code := w.healthStatus(a)
	c := CapabilityHealth{CapabilityID: a.CapabilityID, AbilityID: a.AbilityID, InstalledState: "present", HealthStatus: status, SessionAvailability: "supported",
		ReasonCodes: []string{}, LastVerifiedAt: a.Health.VerifiedAt, SchemaVersion: 1}
	if status == "unknown" {
		c.HealthStatus = "healthy"
	}
	if !w.seen[a.AbilityID].bundle.there {
		c.InstalledState = "missing"
	}
	if _, why := w.unusable(a); why != "" {
		c.SessionAvailability = "unsupported"
	} else if status == "degraded" {
		c.SessionAvailability = "degraded"
	}
	for _, r := range []string{code, a.Health.Code} {
		if r != "" && !slices.Contains(c.ReasonCodes, r) {
			c.ReasonCodes = append(c.ReasonCodes, r)
		}
	}
	return c
}

func (w *world) statsIndex(now clock.Time) StatsIndex {
	out := StatsIndex{Capabilities: []CapabilityStats{}, UpdatedAt: now, SchemaVersion: 1}
	for _, a := range w.abilities {
		out.Capabilities = append(out.Capabilities, a.Stats())
	}
	return out
}

// writeHealth writes how capabilities fare beside what agents can use.
func (w *world) writeHealth(tx Tx, now clock.Time) error {
	if err := tx.PutFile(HealthPath, w.healthIndex(now)); err != nil {
		return err
	}
	return tx.PutFile(StatsPath, w.statsIndex(now))
}

// writeTrace appends what a use or trial did, step by step.
func writeTrace(tx Tx, a Ability, t *health.Trace) error {
	if t == nil || len(t.Steps) == 0 || len(t.SurfacesAttempted) == 0 {
		return nil
	}
	line := *t
	line.CapabilityID, line.AppID = a.CapabilityID, cmp.Or(line.AppID, a.Family)
	line.Goal = cmp.Or(line.Goal, a.Title)
	return tx.AppendLine(TracesPath, line)
}
