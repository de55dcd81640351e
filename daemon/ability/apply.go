package ability

import (
	"context"
	"reflect"

	"showhow/daemon/journal"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// change is the reason for one write of the world.
type change struct {
	trigger Trigger
	quiet   bool   // a change without a receipt of its own: a use was recorded
	heal    string // ability whose copies are restored even where somebody deleted them
	strict  bool   // a bridge that cannot be built fails the change instead of being marked
	session string
	inTx    func(Tx) error // the change's own records, receipts and events
	// what ends with the change; emitted after bridge and snapshot (DOC3 0C.16C: a stream closes with its session)
	after func(Tx) error
}

// apply brings disk and database to the state of w: missing copies are written first, then everything is committed at
// once, then unwanted copies are removed. Recover completes an apply that a crash interrupted.
func (s *registry) apply(ctx context.Context, w *world, c change) error {
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
func (s *registry) commit(ctx context.Context, w *world, rows []LedgerEntry, c change) error {
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
			if err := tellDrift(tx, a); err != nil {
				return err
			}
		}
		if err := writeOutcomes(tx, w); err != nil {
			return err
		}
		if c.inTx != nil {
			if err := c.inTx(tx); err != nil {
				return err
			}
		}
		if err := s.writeBridge(tx, w, c); err != nil {
			return err
		}
		if err := s.writeSnapshot(tx, w, c); err != nil || c.after == nil {
			return err
		}
		return c.after(tx)
	})
	if err != nil {
		w.snapshot, w.catalog, w.bridge = snapshot, catalog, bridge
		return err
	}
	if s.o.Fared != nil {
		for _, o := range w.outcomes {
			s.o.Fared(o.AbilityID)
		}
	}
	w.dirty, w.drifted, w.outcomes, w.fared = map[string]bool{}, nil, nil, nil
	return nil
}

func (s *registry) bridgeOf(w *world) ([]BridgeEntry, error) {
	if err := s.at("bridge"); err != nil {
		return nil, err
	}
	return w.buildBridge()
}

// writeBridge rebuilds the bridge. When it cannot be built, the last good one stays and is marked as stale (DOC3
// 0C.13).
func (s *registry) writeBridge(tx Tx, w *world, c change) error {
	entries, err := s.bridgeOf(w)
	if err != nil && c.strict {
		if fault.Is(err, fault.Internal) {
			err = fault.Wrap(err, fault.BridgeRebuildFailed, "the bridge could not be rebuilt").WithHint("try again; nothing was installed")
		}
		return err
	}
	was := w.bridge
	if err != nil {
		w.bridge.State, w.bridge.StateReason = "stale", plain.Clip(fault.From(err).Message, textLimit)
	} else {
		w.bridge = Bridge{Entries: entries, State: "current", UpdatedAt: s.now(), SchemaVersion: 1}
	}
	same := was.State == w.bridge.State && reflect.DeepEqual(was.Entries, w.bridge.Entries)
	if c.quiet && same {
		w.bridge = was
		return nil
	}
	if err := record(tx, journal.Receipt{Kind: journal.BridgeRebuildStarted, LearnSessionID: c.session, Reason: string(c.trigger),
		Summary: "The list that agents read is being written."},
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

// writeSnapshot writes catalog and availability and records which routes changed.
func (s *registry) writeSnapshot(tx Tx, w *world, c change) error {
	if err := s.at("snapshot"); err != nil {
		return err
	}
	now := w.entries()
	enabled, disabled := w.routes(now)
	w.snapshot = AvailabilitySnapshot{Abilities: now, SnapshotAsOf: s.now(), SchemaVersion: 1}
	w.catalog = Catalog{Items: w.items(), RefreshedAt: s.now(), SchemaVersion: 1}
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
	if err := w.writeHealth(tx, s.now()); err != nil {
		return err
	}
	if err := tellRoutes(tx, c.trigger, c.session, journal.RouteEnabled, enabled); err != nil {
		return err
	}
	if err := tellRoutes(tx, c.trigger, c.session, journal.RouteDisabled, disabled); err != nil {
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
	return record(tx, journal.Receipt{Kind: journal.SnapshotUpdated, LearnSessionID: c.session, Reason: string(c.trigger),
		Summary: "What agents can use was brought up to date."},
		map[string]any{"trigger": string(c.trigger), "abilities": len(now), "usable": usable})
}
