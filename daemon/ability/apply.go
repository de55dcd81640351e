package ability

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// change is one reason to write the world.
type change struct {
	trigger Trigger
	quiet   bool   // nothing that deserves a receipt of its own: a use was noted
	heal    string // ability whose copies are put back even where somebody deleted them
	strict  bool   // a bridge that cannot be built fails the change instead of being marked
	session string
	inTx    func(Tx) error // the change's own records, receipts and events
}

// apply brings disk and database to what w says: what belongs into the targets is put there first, then everything is
// committed at once, then what does not belong there goes. A crash in between is put right by Recover.
func (s *Service) apply(ctx context.Context, w *world, c change) error {
	rows := s.putBack(ctx, w, c.heal)
	if err := s.commit(ctx, w, rows, c); err != nil {
		if s.stale == nil {
			now := s.now()
			s.stale = &now
		}
		return err
	}
	s.stale = nil
	return s.withdraw(ctx, w)
}

// commit writes records and the three canonical files in one transaction.
func (s *Service) commit(ctx context.Context, w *world, rows []LedgerEntry, c change) error {
	snapshot, catalog, bridge := w.snapshot, w.catalog, w.bridge
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		for _, a := range w.abilities {
			if w.dirty[a.AbilityID] {
				if err := tx.PutAbility(a); err != nil {
					return err
				}
			}
		}
		for _, r := range rows {
			if err := tx.PutLedger(r); err != nil {
				return err
			}
		}
		for _, a := range w.drifted {
			if err := s.tellDrift(tx, a); err != nil {
				return err
			}
		}
		if c.inTx != nil {
			if err := c.inTx(tx); err != nil {
				return err
			}
		}
		if err := s.writeBridge(tx, w, c); err != nil {
			return err
		}
		return s.writeSnapshot(tx, w, c)
	})
	if err != nil {
		w.snapshot, w.catalog, w.bridge = snapshot, catalog, bridge
		return err
	}
	w.dirty, w.drifted = map[string]bool{}, nil
	return nil
}

// writeBridge rebuilds the bridge. When it cannot be built the last good one stays and says so (DOC3 0C.13).
func (s *Service) writeBridge(tx Tx, w *world, c change) error {
	entries, err := s.buildBridge(w)
	if err != nil && c.strict {
		if fault.Is(err, fault.Internal) {
			err = fault.Wrap(err, fault.BridgeRebuildFailed, "the bridge could not be rebuilt").WithHint("try again; nothing was installed")
		}
		return err
	}
	was := w.bridge
	if err != nil {
		w.bridge.State, w.bridge.StateReason = "degraded", clip(fault.From(err).Message)
	} else {
		w.bridge = Bridge{Entries: entries, State: "current", UpdatedAt: s.now(), SchemaVersion: 1}
	}
	same := was.State == w.bridge.State && reflect.DeepEqual(was.Entries, w.bridge.Entries)
	if c.quiet && same {
		w.bridge = was
		return nil
	}
	if err := record(tx, journal.Receipt{Kind: journal.BridgeRebuildStarted, LearnSessionID: c.session, Reason: string(c.trigger), Summary: "The list that agents read is being written."},
		map[string]any{"trigger": string(c.trigger)}); err != nil {
		return err
	}
	kind, summary := journal.BridgeRebuildCompleted, "The list that agents read was written."
	if err != nil {
		kind, summary = journal.BridgeRebuildFailed, "The list that agents read could not be written; the last good one stays."
		s.o.Log.Warn("bridge rebuild failed", "trigger", c.trigger, "code", fault.CodeOf(err))
	}
	if err := record(tx, journal.Receipt{Kind: kind, LearnSessionID: c.session, Reason: string(c.trigger), Summary: summary},
		map[string]any{"trigger": string(c.trigger), "entries": len(w.bridge.Entries), "bridge_state": w.bridge.State}); err != nil {
		return err
	}
	if err := tx.PutAbilityState(stateBridge, w.bridge); err != nil {
		return err
	}
	return tx.PutFile(BridgePath, w.bridge)
}

// writeSnapshot writes catalog and availability and says what changed for routers.
func (s *Service) writeSnapshot(tx Tx, w *world, c change) error {
	if err := s.at("snapshot"); err != nil {
		return err
	}
	now := s.entries(w)
	enabled, disabled := w.routes(now)
	w.snapshot = AvailabilitySnapshot{Abilities: now, SnapshotAsOf: s.now(), SchemaVersion: 1}
	w.catalog = Catalog{Items: s.items(w), RefreshedAt: s.now(), SchemaVersion: 1}
	for name, v := range map[string]any{stateAvailability: w.snapshot, stateCatalog: w.catalog} {
		if err := tx.PutAbilityState(name, v); err != nil {
			return err
		}
	}
	if err := tx.PutFile(CatalogPath, w.catalog); err != nil {
		return err
	}
	if err := tx.PutFile(AvailabilityPath, w.snapshot); err != nil {
		return err
	}
	if err := tellRoutes(tx, c, journal.RouteEnabled, enabled); err != nil {
		return err
	}
	if err := tellRoutes(tx, c, journal.RouteDisabled, disabled); err != nil {
		return err
	}
	if c.quiet && len(enabled)+len(disabled) == 0 {
		return nil
	}
	usable := 0
	for _, e := range now {
		if e.UsableNow {
			usable++
		}
	}
	return record(tx, journal.Receipt{Kind: journal.SnapshotUpdated, LearnSessionID: c.session, Reason: string(c.trigger), Summary: "What agents can use was brought up to date."},
		map[string]any{"trigger": string(c.trigger), "abilities": len(now), "usable": usable})
}

// tellRoutes says which abilities agents can use from now on, or no longer. When a person switched one, that has its receipt.
func tellRoutes(tx Tx, c change, kind journal.EventKind, entries []AvailabilityEntry) error {
	for _, e := range entries {
		payload := map[string]any{"ability_id": e.AbilityID, "skill_slug": e.SkillSlug, "reason_code": e.ReasonCode}
		var err error
		if c.trigger == TriggerActivation {
			err = tx.Emit(journal.Event{Kind: kind, SessionID: c.session, Payload: payload})
		} else {
			err = record(tx, journal.Receipt{Kind: kind, LearnSessionID: c.session, AbilityID: e.AbilityID, Reason: string(c.trigger),
				Summary: map[journal.EventKind]string{journal.RouteEnabled: "Agents can use the skill.", journal.RouteDisabled: "Agents can no longer use the skill."}[kind]}, payload)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) tellDrift(tx Tx, a Ability) error {
	return record(tx, journal.Receipt{Kind: journal.AbilityDrifted, AbilityID: a.AbilityID, Reason: a.Drift,
		Summary: "An ability's files changed after they were approved; it is withdrawn until a person approves it again."},
		map[string]any{"ability_id": a.AbilityID, "where": a.Drift})
}

// record writes a receipt and the event of the same kind.
func record(w journal.Writer, r journal.Receipt, payload map[string]any) error {
	if err := w.AddReceipt(r); err != nil {
		return err
	}
	return w.Emit(journal.Event{Kind: r.Kind, SessionID: r.LearnSessionID, Payload: payload})
}

// putBack writes the copies that belong into targets and are not there, each announced in the ledger first. A copy that the
// ledger knows and that is gone was deleted by somebody: it stays gone unless this is about just that ability. What cannot be
// written is logged and shows as the reason why the ability is not usable. It returns the ledger rows to commit.
func (s *Service) putBack(ctx context.Context, w *world, heal string) []LedgerEntry {
	var rows []LedgerEntry
	for _, a := range w.abilities {
		g, ok := w.seen[a.AbilityID]
		if !ok || !wanted(a) {
			continue
		}
		if g.bundle.there && !slices.ContainsFunc(s.o.Targets, func(t Target) bool { return s.lacks(w, a, g, t, heal) }) {
			continue
		}
		b, err := s.source(ctx, w, a, g)
		if err != nil {
			s.o.Log.Warn("an ability's files cannot be read", "ability_id", a.AbilityID, "code", fault.CodeOf(err))
			continue
		}
		g.bundle = place{true, a.ApprovedHash}
		w.seen[a.AbilityID] = g
		for _, t := range s.o.Targets {
			if !s.lacks(w, a, g, t, heal) {
				continue
			}
			made, err := s.replace(ctx, w, a, t, forTarget(t, b))
			rows = append(rows, made...)
			for _, r := range made {
				w.ledger[r.Path] = r
			}
			if err != nil {
				s.o.Log.Warn("an ability could not be put into a target", "ability_id", a.AbilityID, "target", t.Name, "code", fault.CodeOf(err))
				continue
			}
			g.copies[t.Name] = place{true, a.ApprovedHash}
		}
	}
	return rows
}

// lacks reports whether a copy is to be written into the target: there is none and nobody deleted it, or it stands for
// something else than what is approved by now, or may have another form than the target reads.
func (s *Service) lacks(w *world, a Ability, g sight, t Target, heal string) bool {
	p, there := g.copies[t.Name]
	row, known := w.ledger[t.path(a.Slug)]
	if there {
		return p.hash != a.ApprovedHash || row.Source == ""
	}
	return !g.foreign[t.Name] && (!known || heal == a.AbilityID)
}

// source reads the approved bundle. A canonical folder that is gone is restored from what was kept when it was approved, or
// from an intact copy.
func (s *Service) source(ctx context.Context, w *world, a Ability, g sight) (skill.Bundle, error) {
	b, err := s.approved(ctx, w, a, g)
	if err != nil {
		return b, err
	}
	if b.Hash() != a.ApprovedHash {
		return b, fault.New(fault.ContentHashMismatch, "the files changed while they were read")
	}
	if !g.bundle.there {
		if err := put(s.bundlePath(a.Slug), s.o.NewID(), b, false); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (s *Service) approved(ctx context.Context, w *world, a Ability, g sight) (skill.Bundle, error) {
	if g.bundle.there {
		return skill.ReadDir(s.bundlePath(a.Slug))
	}
	if kept, ok, err := s.content(ctx, a.AbilityID); err != nil || ok && kept.Hash == a.ApprovedHash {
		return kept.Bundle, err
	}
	for _, t := range s.o.Targets {
		if path := t.path(a.Slug); g.copies[t.Name].hash == a.ApprovedHash && w.ledger[path].Hash == a.ApprovedHash {
			return skill.ReadDir(path)
		}
	}
	return skill.Bundle{}, fault.New(fault.NotFound, "no intact copy is left")
}

// replace writes one copy where none is, or an outdated one of ours.
func (s *Service) replace(ctx context.Context, w *world, a Ability, t Target, b skill.Bundle) ([]LedgerEntry, error) {
	path := t.path(a.Slug)
	if _, ours := w.seen[a.AbilityID].copies[t.Name]; ours {
		if _, err := takeAway(path, w.ledger[path].Hash, s.o.NewID(), s.asidePath(a.Slug, t.Name)); err != nil {
			return nil, err
		}
		delete(w.seen[a.AbilityID].copies, t.Name)
	}
	return s.project(ctx, a, t, b)
}

// project writes one read-only copy and returns what the ledger must hold of it.
func (s *Service) project(ctx context.Context, a Ability, t Target, b skill.Bundle) ([]LedgerEntry, error) {
	row := LedgerEntry{Path: t.path(a.Slug), Kind: PathCopy, Target: t.Name, AbilityID: a.AbilityID, SagaID: s.o.NewID(),
		Hash: b.Hash(), Source: a.ApprovedHash, State: PathPlanned, CreatedAt: s.now()}
	dirs, err := makeDirs(t.Dir)
	rows := s.madeDirs(t, dirs)
	if err != nil {
		return rows, err
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		for _, r := range append(rows, row) {
			if err := tx.PutLedger(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return rows, err
	}
	if err := put(row.Path, row.SagaID, b, true); err != nil {
		undo := s.o.Store.Update(ctx, func(tx Tx) error { return tx.DeleteLedger(row.Path) })
		return rows, errors.Join(err, undo)
	}
	row.State = PathPresent
	return append(rows, row), nil
}

func (s *Service) madeDirs(t Target, dirs []string) []LedgerEntry {
	var rows []LedgerEntry
	for _, d := range dirs {
		rows = append(rows, LedgerEntry{Path: d, Kind: PathFolder, Target: t.Name, State: PathPresent, CreatedAt: s.now()})
	}
	return rows
}

// unwanted lists the ledger's folders that do not belong where they are: copies of abilities that are not usable, everything
// of abilities that are gone, and copies in folders that are no target any more.
func (s *Service) unwanted(w *world) []LedgerEntry {
	var out []LedgerEntry
	for path, r := range w.ledger {
		i := slices.IndexFunc(w.abilities, func(a Ability) bool { return a.AbilityID == r.AbilityID })
		keep := i >= 0 && (r.Kind == PathBundle || wanted(w.abilities[i]) && s.isTarget(path, w.abilities[i].Slug))
		if r.Kind != PathFolder && !keep {
			out = append(out, r)
		}
	}
	return out
}

// withdraw removes what is unwanted and forgets it in the ledger.
func (s *Service) withdraw(ctx context.Context, w *world) error {
	var gone []string
	var failed error
	for _, r := range s.unwanted(w) {
		if r.State == PathPlanned && !r.owns(s.hashes.look(r.Path)) {
			gone = append(gone, r.Path) // it was never written
			continue
		}
		kept, err := takeAway(r.Path, r.Hash, s.o.NewID(), s.asidePath(filepath.Base(r.Path), where(r)))
		if err != nil {
			s.o.Log.Warn("an ability's folder could not be removed", "ability_id", r.AbilityID, "kind", r.Kind, "target", r.Target, "code", fault.CodeOf(err))
			failed = err
			continue
		}
		s.hashes.forget(r.Path)
		gone = append(gone, r.Path)
		s.noteKept(w, r, kept)
	}
	if err := s.forget(ctx, w, gone); err != nil {
		return err
	}
	if failed != nil {
		return fault.Wrap(failed, fault.Internal, "the ability is switched off, but a copy of it could not be removed").
			WithHint("check the permissions of the agents' skill folders; Showhow tries again at its next start")
	}
	return nil
}

// forget removes paths from the ledger.
func (s *Service) forget(ctx context.Context, w *world, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		for _, p := range paths {
			if err := tx.DeleteLedger(p); err != nil {
				return err
			}
		}
		for _, a := range w.abilities {
			if w.kept[a.AbilityID] {
				if err := tx.PutAbility(a); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.kept = nil
	for _, p := range paths {
		delete(w.ledger, p)
	}
	return nil
}

// noteKept remembers where a changed copy was set aside, so that its difference can still be shown.
func (s *Service) noteKept(w *world, r LedgerEntry, kept string) {
	i := slices.IndexFunc(w.abilities, func(a Ability) bool { return a.AbilityID == r.AbilityID })
	if kept == "" || i < 0 || w.abilities[i].Drift != where(r) {
		return
	}
	w.abilities[i].DriftKept = kept
	if w.kept == nil {
		w.kept = map[string]bool{}
	}
	w.kept[r.AbilityID] = true
}

func (s *Service) isTarget(path, slug string) bool {
	return slices.ContainsFunc(s.o.Targets, func(t Target) bool { return t.path(slug) == path })
}
