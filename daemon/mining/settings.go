package mining

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Defaults are the initial settings: a mode, and no consent.
func Defaults() Settings {
	return Settings{Mode: ThenReview, MinSuccessfulTraces: 3, AskWhenAmbiguous: true, RequireTests: true, MaxVariation: .4,
		MinVerificationCover: .5, SchemaVersion: 1}
}

func settingsOf(tx Tx) (Settings, error) {
	s, ok, err := tx.MiningSettings()
	if err != nil || !ok {
		s = Defaults()
	}
	s.ObserveInsideAgent = s.Sources.Runs || s.Sources.Receipts
	s.ObserveOutsideAgent = s.Sources.Sessions
	return s, err
}

// Settings returns the current settings.
func (s *Service) Settings(ctx context.Context) (out Settings, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { out, err = settingsOf(tx); return err })
	return out, err
}

// allowed lists the sources with a consent.
func allowed(s Settings) (out []Kind) {
	for _, k := range kinds {
		if s.Mode != Off && consented(s.Sources, k) {
			out = append(out, k)
		}
	}
	return out
}

func consented(c wire.MiningSources, k Kind) bool {
	switch k {
	case Runs:
		return c.Runs
	case Receipts:
		return c.Receipts
	}
	return c.Sessions
}

// Changed is the settings after a change.
func Changed(s Settings, c Change) Settings {
	set(&s.Mode, c.Mode)
	set(&s.MinSuccessfulTraces, c.MinSuccessfulTraces)
	set(&s.AskWhenAmbiguous, c.AskWhenAmbiguous)
	set(&s.RequireTests, c.RequireTests)
	set(&s.MaxVariation, c.MaxVariation)
	set(&s.MinVerificationCover, c.MinVerificationCover)
	if x := c.Sources; x != nil {
		set(&s.Sources.Runs, x.Runs)
		set(&s.Sources.Receipts, x.Receipts)
		set(&s.Sources.Sessions, x.Sessions)
		set(&s.Sources.Fingerprints, x.Fingerprints)
	}
	return s
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// Grave lists what a person must confirm of a change: consents that it gives, and installing without a review.
func Grave(old, now Settings) (out []string) {
	for _, k := range kinds {
		if consented(now.Sources, k) && !consented(old.Sources, k) {
			out = append(out, string(k))
		}
	}
	if now.Sources.Fingerprints && !old.Sources.Fingerprints {
		out = append(out, "fingerprints")
	}
	if now.Mode == AutoInstall && old.Mode != AutoInstall {
		out = append(out, string(AutoInstall))
	}
	return out
}

// Change changes the settings. What was derived from a source is deleted with its consent, in the same transaction.
func (s *Service) Change(ctx context.Context, m state.Meta, c Change) (out Settings, err error) {
	if err := state.UserOnly(m); err != nil {
		return Settings{}, err
	}
	s.mu.Lock() // no scan reads what a consent that is withdrawn here covers
	defer s.mu.Unlock()
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		old, err := settingsOf(tx)
		if err != nil {
			return err
		}
		out = Changed(old, c)
		if err := tx.PutMiningSettings(out); err != nil {
			return err
		}
		if err := s.withdraw(tx, old, out); err != nil {
			return err
		}
		if out, err = settingsOf(tx); err != nil {
			return err
		}
		given := []string{}
		for _, k := range kinds {
			if consented(out.Sources, k) {
				given = append(given, string(k))
			}
		}
		if out.Sources.Fingerprints {
			given = append(given, "fingerprints")
		}
		return s.tell(tx, journal.MiningSettingsChanged, m, "How routines are looked for was changed.",
			map[string]any{"mode": string(out.Mode), "sources": given})
	})
	return out, err
}

// withdraw deletes what no consent covers any more.
func (s *Service) withdraw(tx Tx, old, now Settings) error {
	forgotten := 0
	var gone []Kind
	for _, k := range kinds {
		if consented(old.Sources, k) && !consented(now.Sources, k) {
			n, err := tx.DropFingerprints(k, nil, clock.Time{})
			if err != nil {
				return err
			}
			forgotten += n
			gone = append(gone, k)
		}
	}
	kept := old.Sources.Fingerprints && !now.Sources.Fingerprints
	if kept {
		n, err := tx.DropFingerprints("", nil, clock.Time{})
		if err != nil {
			return err
		}
		forgotten += n
	}
	if err := reduce(tx, func(c Stored) bool {
		return kept || slices.ContainsFunc(c.Sources, func(r Ref) bool { return slices.Contains(gone, r.Kind) })
	}); err != nil || forgotten == 0 {
		return err
	}
	return s.tell(tx, journal.MiningForgotten, state.Meta{}, "Fingerprints of work were deleted.", map[string]any{"fingerprints": forgotten})
}

// reduce deletes the candidates for which rests is true. Of a decided candidate, the decision stays, without words.
func reduce(tx Tx, rests func(Stored) bool) error {
	all, err := tx.Candidates()
	if err != nil {
		return err
	}
	for _, c := range all {
		if !rests(c) {
			continue
		}
		if c.Routine.State != Never && c.Routine.State != Learned {
			if err := tx.DropCandidate(c.Routine.Cluster.ClusterID); err != nil {
				return err
			}
			continue
		}
		if err := tx.PutCandidate(c.bare()); err != nil {
			return err
		}
	}
	return nil
}

// bare is a decided candidate without any content of the work.
func (c Stored) bare() Stored {
	r := c.Routine
	cl := r.Cluster
	return Stored{Signature: c.Signature, Sources: []Ref{}, Announced: true, Routine: Routine{State: r.State, Own: r.Own, Times: r.Times,
		Cluster: wire.WorkflowTraceCluster{ClusterID: cl.ClusterID, SourceMode: cl.SourceMode, SuccessfulTraceIDs: []string{},
			FailedTraceIDs: []string{}, DominantControlSurfaces: []string{}, ProjectSpecificity: "unclear", CreatedAt: cl.CreatedAt,
			UpdatedAt: cl.UpdatedAt, SchemaVersion: 1},
		Steps: []wire.MinedStep{}, Varied: []string{}, Gates: []Gate{}, Indicators: []string{}, Concerns: []string{}, Questions: []Question{},
		LearnSessionID: r.LearnSessionID, ProposalID: r.ProposalID, LastAt: r.LastAt, SchemaVersion: 1}}
}

// ForgetSources deletes what was derived from work that the person deleted; the deleter calls this in its transaction.
func ForgetSources(tx Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if err := tx.CountDeletion(); err != nil {
		return err
	}
	if _, err := tx.DropFingerprints("", ids, clock.Time{}); err != nil {
		return err
	}
	return reduce(tx, func(c Stored) bool {
		return slices.ContainsFunc(c.Sources, func(r Ref) bool { return slices.Contains(ids, r.ID) })
	})
}

// ForgetAgent deletes what was derived from the runs of an agent ("*": of any), kept or not: the person deletes them,
// or ends their keeping.
func ForgetAgent(tx Tx, agent string) error {
	if err := tx.CountDeletion(); err != nil {
		return err
	}
	prints, err := tx.Fingerprints()
	if err != nil {
		return err
	}
	gone := []string{}
	for _, w := range prints {
		if w.Kind == Runs && (agent == "*" || w.Agent == agent) {
			gone = append(gone, w.ID)
		}
	}
	if len(gone) > 0 {
		if _, err := tx.DropFingerprints(Runs, gone, clock.Time{}); err != nil {
			return err
		}
	}
	return reduce(tx, func(c Stored) bool {
		return slices.ContainsFunc(c.Sources, func(r Ref) bool { return r.Kind == Runs }) &&
			(agent == "*" || slices.Contains(c.Routine.Agents, agent))
	})
}

// ForgetAll deletes everything that was derived from work.
func (s *Service) ForgetAll(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.Store.Update(ctx, func(tx Tx) error {
		if _, err := tx.DropFingerprints("", nil, clock.Time{}); err != nil {
			return err
		}
		return reduce(tx, func(Stored) bool { return true })
	})
}
