package state

import (
	"slices"

	"showhow/internal/fault"
)

// MirrorsImport reports whether the session mirrors an import, which alone decides its state.
func MirrorsImport(sess Session) bool {
	return sess.EntryMode == ImportSkill && (sess.ImportID != "" || sess.TempArtifactRef != "")
}

// CheckNotImport refuses commands on a session that mirrors an import.
func CheckNotImport(sess Session) error {
	if !MirrorsImport(sess) {
		return nil
	}
	f := fault.New(fault.DecidedOnImport, "this session shows an import: what is done about it is done to the import")
	if sess.ImportID == "" {
		return f.WithDetail("temp_artifact_ref", sess.TempArtifactRef).WithHint("scan the upload, or delete it")
	}
	return f.WithDetail("import_id", sess.ImportID).WithHint("`showhow skill imports show` says what can be done with it")
}

// CheckProposalNotImport refuses commands on a proposal that stands for an import.
func CheckProposalNotImport(p Proposal) error {
	if p.ImportID == "" {
		return nil
	}
	return CheckNotImport(Session{EntryMode: ImportSkill, ImportID: p.ImportID})
}

// WithoutImports removes sessions that mirror an import: nothing is being learned there.
func WithoutImports(list []Session) []Session {
	return slices.DeleteFunc(list, MirrorsImport)
}

// LastSession is the session that runtime/current.json describes: the one that changed last (decisions A11), except
// that no import takes its place while something is being learned.
func LastSession(tx Tx) (Session, bool, error) {
	last, ok, err := tx.LastSession()
	if err != nil || !MirrorsImport(last) {
		return last, ok, err
	}
	open, err := tx.LearningSessions()
	for i, v := range open {
		if i == 0 || v.UpdatedAt.After(last.UpdatedAt.Time) {
			last = v
		}
	}
	return last, ok, err
}
