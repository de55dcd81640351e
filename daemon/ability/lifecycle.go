package ability

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Lifecycle enables, disables, quarantines, shares and removes abilities.
type Lifecycle struct{ *registry }

// Activate makes an ability routable again, and restores copies that somebody deleted.
func (s *Lifecycle) Activate(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerActivation, heal: true, route: true,
		receipt: journal.Receipt{Kind: journal.RouteEnabled, Summary: "The skill was switched on."},
		do: func(a *Ability) error {
			if a.Lane == LaneQuarantined {
				return fault.New(fault.InstallLaneDenied, "a quarantined ability cannot be activated").WithHint("unquarantine it first")
			}
			a.Enabled = true
			return nil
		}})
}

// Deactivate withdraws an ability from every target without forgetting it.
func (s *Lifecycle) Deactivate(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerActivation, route: true,
		receipt: journal.Receipt{Kind: journal.RouteDisabled, Summary: "The skill was switched off."},
		do:      func(a *Ability) error { a.Enabled = false; return nil }})
}

// Quarantine withdraws an ability and hides it from lookup.
func (s *Lifecycle) Quarantine(ctx context.Context, id, reason string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerQuarantine,
		receipt: journal.Receipt{Kind: journal.AbilityQuarantined, Reason: plain.Cut(reason, 1000), Summary: "The skill was quarantined."},
		do: func(a *Ability) error {
			if a.Lane != LaneQuarantined {
				a.LaneBefore = a.Lane
			}
			a.Lane, a.QuarantineReason, a.QuarantinedBy = LaneQuarantined, plain.Cut(reason, 200), ""
			return nil
		}})
}

// Unquarantine returns an ability to its previous lane.
func (s *Lifecycle) Unquarantine(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerQuarantine, heal: true,
		receipt: journal.Receipt{Kind: journal.AbilityUnquarantined, Summary: "The skill left quarantine."},
		do: func(a *Ability) error {
			if a.Lane != LaneQuarantined {
				return fault.New(fault.InstallLaneDenied, "the ability is not quarantined")
			}
			a.leaveQuarantine()
			return nil
		}})
}

// PromoteShared moves an ability to the shared lane, which lookup prefers. Nothing is projected for other accounts of
// this computer: a person's approval counts for their own agents alone.
func (s *Lifecycle) PromoteShared(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return s.edit(ctx, id, rev, edit{trigger: TriggerPromoted,
		receipt: journal.Receipt{Kind: journal.AbilityPromoted,
			Summary: "The skill was moved to the shared lane; its copies stay in your own agents' folders."},
		do: func(a *Ability) error {
			if err := a.ownToDecide(); err != nil {
				return err
			}
			switch {
			case a.Lane == LaneQuarantined:
				return fault.New(fault.InstallLaneDenied, "a quarantined ability cannot be promoted").WithHint("unquarantine it first")
			case a.Trust != TrustApproved:
				return fault.New(fault.TrustRequired, "only approved content can be promoted").WithHint(
					"look at it with `showhow skill diff`, then approve it")
			}
			a.Lane = LaneShared
			return nil
		}, also: journal.SkillPromoted})
}

// Content is the bundle's hash as it is on disk now: what a person who reads it would approve.
func (s *Lifecycle) Content(ctx context.Context, id string) (dir, hash string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return "", "", err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return "", "", notFound()
	}
	if w.abilities[i].BuiltIn {
		return "", w.abilities[i].ApprovedHash, nil
	}
	dir = s.bundlePath(w.abilities[i].Slug)
	return dir, s.hashes.look(dir).hash, nil
}

// Delete removes an ability: projections, bundle, manifest, sidecar, bridge, catalog and availability entries.
// Receipts stay. The originals that it was adopted from return to their place.
func (s *Lifecycle) Delete(ctx context.Context, id string, rev *int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return notFound()
	}
	a := w.abilities[i]
	if err := checkRevision(a, rev); err != nil {
		return err
	}
	if err := a.ownToDecide(); err != nil {
		return err
	}
	w.abilities = slices.Delete(w.abilities, i, i+1)
	s.observe(w)
	err = s.apply(ctx, w, change{trigger: TriggerRemoved, inTx: func(tx Tx) error {
		if err := tx.DeleteAbility(a.AbilityID); err != nil {
			return err
		}
		for _, p := range []string{manifestPath(a.CapabilityID), metadataPath(a.CapabilityID)} {
			if err := tx.RemoveFile(p); err != nil {
				return err
			}
		}
		if err := emitManifest(tx, journal.ManifestDeleted, a); err != nil {
			return err
		}
		return record(tx, journal.Receipt{Kind: journal.AbilityRemoved, AbilityID: a.AbilityID, SkillSlug: a.Slug, ProposalID: a.ProposalID,
			LearnSessionID: a.LearnSessionID, Summary: "The skill was removed."},
			map[string]any{"ability_id": a.AbilityID, "skill_slug": a.Slug})
	}})
	if err == nil {
		s.giveBack(a)
		if s.o.Fared != nil {
			s.o.Fared(a.AbilityID)
		}
	}
	return err
}

// Ledger lists every path that Showhow made outside its own folders, for `showhow uninstall` (decisions D8).
func (s *Lifecycle) Ledger(ctx context.Context) ([]LedgerEntry, error) {
	var all []LedgerEntry
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { all, err = tx.Ledger(); return err })
	return slices.DeleteFunc(all, func(r LedgerEntry) bool { return r.Kind == PathBundle }), err
}

// Leave removes every copy from the agents' folders, and those folders that Showhow made and that are then empty
// (decisions D8). The abilities themselves stay; a start with configured targets restores the copies.
func (s *Lifecycle) Leave(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return err
	}
	s.left = true
	defer func() { s.left = err == nil }() // a daemon that stays after all puts copies again
	w.abilities = nil                      // then no copy is wanted anywhere
	for path, r := range w.ledger {
		if r.Kind == PathBundle {
			delete(w.ledger, path)
		}
	}
	if err := s.withdraw(ctx, w); err != nil {
		return err
	}
	var dirs []LedgerEntry
	for _, r := range w.ledger {
		dirs = append(dirs, r)
	}
	slices.SortFunc(dirs, func(a, b LedgerEntry) int { return len(a.Path) - len(b.Path) })
	s.removeMadeDirs(dirs)
	dirs = slices.DeleteFunc(dirs, func(r LedgerEntry) bool { return exists(r.Path) })
	gone := make([]string, len(dirs))
	for i, r := range dirs {
		gone[i] = r.Path
	}
	return s.forget(ctx, w, gone)
}
