package change

import (
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// SaveBackfill stores the session of an older import without presenting it to other programs as the current one.
func (set *Set) SaveBackfill(sess *state.Session, at clock.Time) error {
	if err := set.Record(journal.MigrationBackfill, sess, "import",
		map[string]any{"import_id": sess.ImportID, "state": string(sess.State)}); err != nil {
		return err
	}
	for _, p := range set.changed {
		p.UpdatedAt = at
		if err := set.PutProposal(*p); err != nil {
			return err
		}
		if err := set.PutFile(state.ProposalFile(p.ProposalID), state.WithLists(*p)); err != nil {
			return err
		}
	}
	sess.Revision, sess.UpdatedAt = 1, at
	return set.StoreSession(sess)
}

// mirrorRuntime writes both runtime files if the session is the one they describe.
func (set *Set) mirrorRuntime(sess state.Session) error {
	if state.MirrorsImport(sess) {
		if last, _, err := state.LastSession(set.Tx); err != nil || last.LearnSessionID != sess.LearnSessionID {
			return err
		}
	}
	snap, err := set.s.d.Monitor.Snapshot(set.Tx, sess)
	if err != nil {
		return err
	}
	snap.SnapshotAsOf = set.Now
	if err := set.PutFile(state.RuntimeFile, snap); err != nil {
		return err
	}
	return set.PutFile(state.ScopeFile, set.s.d.Monitor.ScopeOf(sess))
}

// Save stores what was touched and writes the canonical files that mirror it.
func (set *Set) Save() error {
	for _, p := range set.changed {
		p.UpdatedAt = set.Now
		if err := set.PutProposal(*p); err != nil {
			return err
		}
		if err := set.PutFile(state.ProposalFile(p.ProposalID), state.WithLists(*p)); err != nil {
			return err
		}
	}
	for _, sess := range set.touched {
		sess.Revision++
		sess.UpdatedAt, sess.PurgeWarnedAt = set.Now, nil
		if err := set.StoreSession(sess); err != nil {
			return err
		}
	}
	if n := len(set.touched); n > 0 {
		return set.mirrorRuntime(*set.touched[n-1])
	}
	return nil
}

// StoreSession writes one session and its file.
func (set *Set) StoreSession(sess *state.Session) error {
	out := set.s.d.Monitor.Computed(*sess)
	out.Notices = []string{}
	if err := set.PutSession(out); err != nil {
		return err
	}
	return set.PutFile(state.SessionFile(sess.LearnSessionID), out)
}
