package ability

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// fail rolls an installation back and returns the error. If the rollback fails too, the saga stays running, and
// Recover tries again.
func (s *Installer) fail(ctx context.Context, in *installation, at string, cause error) error {
	f := *fault.From(cause)
	f.Details = map[string]any{"step": at, "saga_id": in.saga.SagaID}
	for k, v := range fault.From(cause).Details {
		f.Details[k] = v
	}
	if f.Hint == "" {
		f.Hint = "everything it wrote was taken back; try again, or see `showhow logs`"
	}
	g := &in.saga
	g.State, g.FailedStep, g.FailedCode, g.FailedMessage, g.FailedHint = SagaRunning, at, string(f.Code), f.Message, f.Hint
	if err := s.o.Store.Update(ctx, func(tx Tx) error { return s.tellStep(tx, *g, "failed") }); err != nil {
		s.o.Log.Warn("the failure of an installation could not be told while it is taken back", "saga_id", g.SagaID, "code", fault.CodeOf(err))
	}
	if err := s.compensate(ctx, &in.saga, at, f.Code); err != nil {
		s.o.Log.Error("an installation could not be taken back", "saga_id", in.saga.SagaID, "step", at, "code", fault.CodeOf(err))
		f.Hint = "it could not be taken back completely; Showhow tries again at its next start"
	}
	return &f
}

// compensate undoes the steps that were begun, last first, and records the end.
func (s *Installer) compensate(ctx context.Context, g *Saga, at string, code fault.Code) error {
	in := &installation{saga: *g}
	begun := slices.IndexFunc(s.steps(), func(st step) bool { return st.name == g.Step })
	for i := begun; i >= 0; i-- {
		if err := s.steps()[i].undo(ctx, in); err != nil {
			return err
		}
	}
	s.removeMadeDirs(g.MadeDirs)
	now := s.now()
	g.State, g.EndedAt, g.Cleaned, g.FailedStep, g.FailedCode = SagaCompensated, &now, true, at, string(code)
	w, err := s.load(ctx)
	if err != nil {
		return err
	}
	for _, r := range append(s.planned(*g), g.MadeDirs...) {
		if !exists(r.Path) || r.Kind != PathFolder {
			delete(w.ledger, r.Path)
		}
	}
	s.observe(w)
	err = s.commit(ctx, w, nil, change{trigger: TriggerInstallFailed, session: g.LearnSessionID, inTx: func(tx Tx) error {
		for _, r := range append(s.planned(*g), g.MadeDirs...) {
			if r.Kind == PathFolder && exists(r.Path) {
				continue // it is in use by now
			}
			if err := tx.DeleteLedger(r.Path); err != nil {
				return err
			}
		}
		if err := tx.PutSaga(*g); err != nil {
			return err
		}
		return record(tx, journal.Receipt{Kind: journal.InstallFailed, LearnSessionID: g.LearnSessionID, ProposalID: g.ProposalID,
			AbilityID: g.Result.AbilityID,
			Reason:    string(code), Summary: "The installation failed; what it wrote was taken back."},
			map[string]any{"saga_id": g.SagaID, "proposal_id": g.ProposalID, "ability_id": g.Result.AbilityID, "step": at, "code": string(code)})
	}})
	if err == nil {
		_ = s.withdraw(ctx, w) // of others that drifted; logged, and tried again
	}
	return err
}

// planned are the ledger rows that the saga's begin made.
func (s *Installer) planned(g Saga) []LedgerEntry {
	var rows []LedgerEntry
	for _, f := range g.Folders {
		if !f.Replaces {
			rows = append(rows, s.row(g, f, PathPlanned))
		}
	}
	return rows
}

// undoFolders rolls back the folders of one kind: ours are removed, what stood there before returns, anything else
// stays.
func (s *Installer) undoFolders(kind string) func(context.Context, *installation) error {
	return func(_ context.Context, in *installation) error {
		var all error
		for _, f := range in.saga.Folders {
			if f.Kind == kind {
				all = errors.Join(all, s.undoFolder(in.saga, f))
			}
		}
		return all
	}
}

func (s *Installer) undoFolder(g Saga, f SagaFolder) error {
	if !exists(filepath.Dir(f.Path)) {
		return nil // its parent was never made, because something else is in its place
	}
	defer s.hashes.forget(f.Path)
	if err := os.RemoveAll(hidden(f.Path, "new", g.SagaID)); err != nil {
		return skill.CannotWrite(err)
	}
	prev := hidden(f.Path, "prev", g.SagaID)
	if f.Replaces && !exists(prev) {
		return nil // not begun
	}
	if p := s.hashes.look(f.Path); p.hash == g.hashOf(f) {
		if _, err := takeAway(f.Path, p.hash, g.SagaID, s.asidePath(g.Slug, f.Kind)); err != nil {
			return err
		}
	} else if p.there && f.Replaces {
		if _, err := keepAside(f.Path, s.asidePath(g.Slug, f.Kind)); err != nil {
			return err
		}
	}
	if f.Replaces {
		if err := os.Rename(prev, f.Path); err != nil {
			return skill.CannotWrite(err)
		}
		return skill.SyncDir(filepath.Dir(f.Path))
	}
	return nil
}

// clean removes the earlier version's folders after the new one is registered.
func (s *Installer) clean(ctx context.Context, g *Saga) {
	if g.Cleaned {
		return
	}
	for _, f := range g.Folders {
		if !f.Replaces {
			continue
		}
		kept, err := s.retire(f, g)
		if err != nil {
			s.o.Log.Warn("an earlier version could not be removed", "saga_id", g.SagaID, "kind", f.Kind)
			return
		}
		if kept != "" && f.Kind == PathBundle {
			g.Result.SetAside = kept
		}
	}
	g.Cleaned = true
	if err := s.o.Store.Update(ctx, func(tx Tx) error { return tx.PutSaga(*g) }); err != nil {
		s.o.Log.Warn("an installation's end could not be noted", "saga_id", g.SagaID, "code", fault.CodeOf(err))
	}
}

// retire removes the folder of an earlier version. One that was changed, or whose changes are in no other version, is set
// aside, and that path is returned.
func (s *Installer) retire(f SagaFolder, g *Saga) (kept string, err error) {
	prev, aside := hidden(f.Path, "prev", g.SagaID), s.asidePath(g.Slug, f.Kind)
	if f.KeepPrev && exists(prev) {
		return keepAside(prev, aside)
	}
	return takeAway(prev, f.PrevHash, g.SagaID, aside)
}

// Saga returns the state of an installation.
func (s *Installer) Saga(ctx context.Context, sagaID string) (SagaOutcome, error) {
	var g Saga
	var ok bool
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { g, ok, err = tx.Saga(sagaID); return err })
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "there is no such installation")
	}
	return g.SagaOutcome, err
}

// LastSaga is the newest installation of a draft, if there was one.
func (s *Installer) LastSaga(ctx context.Context, proposalID string) (out *SagaOutcome, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		g, ok, err := tx.LastSaga(proposalID)
		if ok {
			out = &g.SagaOutcome
		}
		return err
	})
	return out, err
}

// recover ends the sagas that a crash interrupted, and returns those that it rolled back.
func (s *Installer) recover(ctx context.Context) ([]SagaOutcome, error) {
	var open []Saga
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { open, err = tx.OpenSagas(); return err }); err != nil {
		return nil, err
	}
	var ended []SagaOutcome
	var all error
	for _, g := range open {
		if g.State == SagaCompleted {
			s.clean(ctx, &g)
			continue
		}
		if err := s.compensate(ctx, &g, g.Step, fault.Cancelled); err != nil {
			all = errors.Join(all, err)
			continue
		}
		ended = append(ended, g.SagaOutcome)
	}
	return ended, all
}
