package change

import (
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// SaveBackfill stores what was made, without moving what other programs see as going on now.
func (u *Set) SaveBackfill(sess *state.Session, at clock.Time) error {
	if err := u.Record(journal.MigrationBackfill, sess, "import", map[string]any{"import_id": sess.ImportID, "state": string(sess.State)}); err != nil {
		return err
	}
	for _, p := range u.changed {
		p.UpdatedAt = at
		if err := u.PutProposal(*p); err != nil {
			return err
		}
		if err := u.PutFile(state.ProposalFile(p.ProposalID), state.WithLists(*p)); err != nil {
			return err
		}
	}
	sess.Revision, sess.UpdatedAt = 1, at
	return u.StoreSession(sess)
}

// mirrorRuntime writes both runtime files for the session that changed last.
func (u *Set) mirrorRuntime(sess state.Session) error {
	if state.MirrorsImport(sess) {
		if last, _, err := state.LastSession(u.Tx); err != nil || last.LearnSessionID != sess.LearnSessionID {
			return err
		}
	}
	snap, err := u.s.d.Monitor.Snapshot(u.Tx, sess)
	if err != nil {
		return err
	}
	snap.SnapshotAsOf = u.Now
	if err := u.PutFile(state.RuntimeFile, snap); err != nil {
		return err
	}
	return u.PutFile(state.ScopeFile, u.s.d.Monitor.ScopeOf(sess))
}

// Save stores what was touched and mirrors it to the canonical files.
func (u *Set) Save() error {
	for _, p := range u.changed {
		p.UpdatedAt = u.Now
		if err := u.PutProposal(*p); err != nil {
			return err
		}
		if err := u.PutFile(state.ProposalFile(p.ProposalID), state.WithLists(*p)); err != nil {
			return err
		}
	}
	for _, sess := range u.touched {
		sess.Revision++
		sess.UpdatedAt, sess.PurgeWarnedAt = u.Now, nil
		if err := u.StoreSession(sess); err != nil {
			return err
		}
	}
	if n := len(u.touched); n > 0 {
		return u.mirrorRuntime(*u.touched[n-1])
	}
	return nil
}

// StoreSession writes one session and its file.
func (u *Set) StoreSession(sess *state.Session) error {
	out := u.s.d.Monitor.Computed(*sess)
	out.Notices = []string{}
	if err := u.PutSession(out); err != nil {
		return err
	}
	return u.PutFile(state.SessionFile(sess.LearnSessionID), out)
}
