package store

import (
	"context"
	"fmt"
	"strings"

	"showhow/capture"
	"showhow/capture/seal"
	"showhow/daemon/journal"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Learn returns the storage of package learn.
func (r rooms) Learn() state.Store { return learnStore{r.store} }

type learnStore struct{ s *Store }

func (l learnStore) Update(ctx context.Context, fn func(state.Tx) error) error {
	return l.s.Update(ctx, func(tx *Tx) error { return fn(learnTx{tx}) })
}

func (l learnStore) View(ctx context.Context, fn func(state.Tx) error) error {
	return l.s.View(ctx, func(tx *Tx) error { return fn(learnTx{tx}) })
}

// Join returns the transaction behind another capability's writer.
func (l learnStore) Join(w journal.Writer) (state.Tx, error) {
	switch w := w.(type) {
	case *Tx:
		return learnTx{w}, nil
	case interface{ base() *Tx }:
		return learnTx{w.base()}, nil
	}
	return nil, fmt.Errorf("not a transaction of this store: %T", w)
}

// learnTx is Tx with the methods of package learn.
type learnTx struct{ *Tx }

// base lets other capabilities join this transaction.
func (tx *Tx) base() *Tx { return tx }

func (tx learnTx) PutSession(v state.Session) error {
	var ended any
	if v.EndedAt != nil {
		ended = v.EndedAt.String()
	}
	return tx.put("learn_sessions", "session_id", v.LearnSessionID, map[string]any{
		"target_id": v.TargetID, "state": string(v.State), "ended": v.Ended, "ended_at": ended,
		"archived": v.ArchivedAt != nil, "purged": v.RawPurgedAt != nil, "proposal_id": null(v.ProposalID),
		"created_at": v.CreatedAt.String(), "updated_at": v.UpdatedAt.String(),
	}, v)
}

func (tx learnTx) Session(id string) (state.Session, bool, error) {
	return one[state.Session](tx.Tx, `SELECT body FROM learn_sessions WHERE session_id=?`, id)
}

func (tx learnTx) DeleteSession(id string) error {
	if err := tx.forgetMined([]string{id}); err != nil {
		return err
	}
	_, err := tx.exec(`DELETE FROM learn_sessions WHERE session_id=?`, id)
	return err
}

func (tx learnTx) Sessions(f wire.SessionFilter) ([]state.Session, int, error) {
	w := where{}
	w.add("archived=0")
	w.eq("state", string(f.State))
	w.eq("proposal_id", f.ProposalID)
	if f.Active {
		w.add("ended=0")
	}
	return paged[state.Session](tx.Tx, "learn_sessions", w, "created_at DESC, session_id DESC", f.PageQuery)
}

func (tx learnTx) History(q wire.PageQuery) ([]state.Session, int, error) {
	return paged[state.Session](tx.Tx, "learn_sessions", where{}, "created_at DESC, session_id DESC", q)
}

func (tx learnTx) OpenSessions() ([]state.Session, error) {
	return list[state.Session](tx.Tx, `SELECT body FROM learn_sessions WHERE ended=0 ORDER BY created_at, session_id`)
}

// LearningSessions leaves to SQLite what state.MirrorsImport says: a hundred imports wait at once where a team sets up a machine.
// An index holds just these: SQLite refuses the query if the condition is not the index's own.
func (tx learnTx) LearningSessions() ([]state.Session, error) {
	return list[state.Session](tx.Tx, `SELECT body FROM learn_sessions INDEXED BY learn_sessions_learning
		WHERE ended=0 AND NOT (json_extract(body,'$.entry_mode')='import_skill'
		AND (COALESCE(json_extract(body,'$.import_id'),'')<>'' OR COALESCE(json_extract(body,'$.temp_artifact_ref'),'')<>''))
		ORDER BY created_at, session_id`)
}

func (tx learnTx) TargetSessions(targetID string) ([]state.Session, error) {
	return list[state.Session](tx.Tx, `SELECT body FROM learn_sessions WHERE target_id=? ORDER BY created_at, session_id`, targetID)
}

func (tx learnTx) LastSession() (state.Session, bool, error) {
	return one[state.Session](tx.Tx, `SELECT body FROM learn_sessions ORDER BY updated_at DESC, session_id DESC LIMIT 1`)
}

func (tx learnTx) UnpurgedSessions() ([]state.Session, error) {
	return list[state.Session](tx.Tx, `SELECT body FROM learn_sessions WHERE purged=0 ORDER BY created_at, session_id`)
}

func (tx learnTx) UnarchivedSessions(endedBefore clock.Time) ([]state.Session, error) {
	return list[state.Session](tx.Tx, `SELECT body FROM learn_sessions WHERE ended=1 AND archived=0 AND ended_at<=? ORDER BY ended_at`,
		endedBefore.String())
}

func (tx learnTx) PutBoundary(b state.Boundary) error {
	var ord int64
	if err := tx.scalar(&ord, `SELECT COALESCE(MAX(ord),0)+1 FROM learn_boundaries WHERE session_id=?`, b.LearnSessionID); err != nil {
		return err
	}
	return tx.put("learn_boundaries", "boundary_id", b.BoundaryID, map[string]any{"session_id": b.LearnSessionID, "ord": ord}, b)
}

func (tx learnTx) Boundaries(sessionID string) ([]state.Boundary, error) {
	return list[state.Boundary](tx.Tx, `SELECT body FROM learn_boundaries WHERE session_id=? ORDER BY ord`, sessionID)
}

func (tx learnTx) PutProposal(v state.Proposal) error {
	return tx.put("learn_proposals", "proposal_id", v.ProposalID, map[string]any{
		"session_id": null(v.LearnSessionID), "state": v.ProposalState, "slug": v.ProposedSkillSlug,
		"archived": v.ArchivedAt != nil, "created_at": v.CreatedAt.String(), "updated_at": v.UpdatedAt.String(),
	}, v)
}

func (tx learnTx) Proposal(id string) (state.Proposal, bool, error) {
	return one[state.Proposal](tx.Tx, `SELECT body FROM learn_proposals WHERE proposal_id=?`, id)
}

func (tx learnTx) DeleteProposal(id string) error {
	for _, q := range []string{
		`DELETE FROM validation_steps WHERE run_id IN (SELECT run_id FROM validation_runs WHERE proposal_id=?)`,
		`DELETE FROM validation_runs WHERE proposal_id=?`,
		`DELETE FROM learn_proposals WHERE proposal_id=?`,
	} {
		if _, err := tx.exec(q, id); err != nil {
			return err
		}
	}
	return nil
}

func (tx learnTx) Proposals(f wire.ProposalFilter) ([]state.Proposal, int, error) {
	w := where{}
	w.add("archived=0")
	w.eq("state", f.State)
	w.eq("session_id", f.SessionID)
	if f.Pending {
		w.add("state NOT IN ('approved','rejected','cancelled')")
	}
	return paged[state.Proposal](tx.Tx, "learn_proposals", w, "created_at DESC, proposal_id DESC", f.PageQuery)
}

func (tx learnTx) UnarchivedProposals(in string, updatedBefore clock.Time) ([]state.Proposal, error) {
	return list[state.Proposal](tx.Tx, `SELECT body FROM learn_proposals WHERE state=? AND archived=0 AND updated_at<=? ORDER BY updated_at`,
		in, updatedBefore.String())
}

func (tx learnTx) ProposalIDs() ([]string, error) {
	return texts(tx.Tx, `SELECT proposal_id FROM learn_proposals ORDER BY proposal_id`)
}

func (tx learnTx) Slugs(except string) ([]string, error) {
	return texts(tx.Tx, `SELECT slug FROM learn_proposals WHERE slug<>'' AND proposal_id<>? AND archived=0
		AND state NOT IN ('rejected','cancelled') ORDER BY slug`, except)
}

func (tx learnTx) PutRevision(r state.Revision) error {
	return tx.put("learn_revisions", "revision_key", fmt.Sprintf("%s/%d", r.ProposalID, r.Number),
		map[string]any{"proposal_id": r.ProposalID, "number": r.Number}, r)
}

func (tx learnTx) Revision(proposalID string, n int) (state.Revision, bool, error) {
	return one[state.Revision](tx.Tx, `SELECT body FROM learn_revisions WHERE proposal_id=? AND number=?`, proposalID, n)
}

func (tx learnTx) RevisionInfos(proposalID string) ([]wire.RevisionInfo, error) {
	revs, err := list[state.Revision](tx.Tx, `SELECT json_remove(body,'$.output') FROM learn_revisions WHERE proposal_id=? ORDER BY number`,
		proposalID)
	if err != nil {
		return nil, err
	}
	out := make([]wire.RevisionInfo, len(revs))
	for i, r := range revs {
		out[i] = r.Info()
	}
	return out, nil
}

func (tx learnTx) PutQuestion(q state.QuestionRecord) error {
	return tx.put("learn_questions", "question_id", q.QuestionID, map[string]any{"proposal_id": q.ProposalID, "ord": q.Order}, q)
}

func (tx learnTx) Questions(proposalID string) ([]state.QuestionRecord, error) {
	return list[state.QuestionRecord](tx.Tx, `SELECT body FROM learn_questions WHERE proposal_id=? ORDER BY ord, question_id`, proposalID)
}

func (tx learnTx) DeleteQuestion(questionID string) error {
	_, err := tx.exec(`DELETE FROM learn_questions WHERE question_id=?`, questionID)
	return err
}

func (tx learnTx) PutDeletion(d state.Deletion) error {
	return tx.put("learn_deletions", "deletion_id", d.DeletionID, nil, d)
}

func (tx learnTx) Deletions() ([]state.Deletion, error) {
	return list[state.Deletion](tx.Tx, `SELECT body FROM learn_deletions ORDER BY deletion_id`)
}

func (tx learnTx) DropDeletion(id string) error {
	_, err := tx.exec(`DELETE FROM learn_deletions WHERE deletion_id=?`, id)
	return err
}

func (tx learnTx) MoveEvidence(from, to string) error {
	tx.s.appends.forget() // the writer remembers which session a trace and a sealed value belong to
	for _, q := range []string{
		`UPDATE observations SET event=json_set(event, '$.learn_session_id', ?2) WHERE trace IN (SELECT id FROM traces WHERE session_id=?1)`,
		`UPDATE traces SET session_id=?2 WHERE session_id=?1`,
		`UPDATE sealed SET session_id=?2 WHERE session_id=?1`,
		`UPDATE rehearsal_evidence SET session_id=?2 WHERE session_id=?1`,
	} {
		if _, err := tx.exec(q, from, to); err != nil {
			return err
		}
	}
	return nil
}

func (tx learnTx) Receipt(id string) (journal.Receipt, bool, error) {
	return one[journal.Receipt](tx.Tx, `SELECT body FROM receipts WHERE receipt_id=?`, id)
}

func (tx learnTx) Receipts(f wire.ReceiptFilter) ([]journal.Receipt, int, error) {
	w := where{}
	w.eq("session_id", f.SessionID)
	w.eq("proposal_id", f.ProposalID)
	if f.AbilityID != "" {
		w.add("ability_id IN (?, (SELECT ability_id FROM abilities WHERE slug=?))", f.AbilityID, f.AbilityID)
	}
	w.in("kind", f.Kind)
	return paged[journal.Receipt](tx.Tx, "receipts", w, "created_at DESC, rowid DESC", f.PageQuery)
}

// where collects conditions.
type where struct {
	conds []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	w.conds, w.args = append(w.conds, cond), append(w.args, args...)
}

// eq adds column=value unless value is empty.
func (w *where) eq(column, value string) {
	if value != "" {
		w.add(column+"=?", value)
	}
}

// in adds a condition for one of several values, which commas part, unless there is none.
func (w *where) in(column, values string) {
	if values == "" {
		return
	}
	all := strings.Split(values, ",")
	args := make([]any, len(all))
	for i, v := range all {
		args[i] = v
	}
	w.add(column+" IN (?"+strings.Repeat(",?", len(all)-1)+")", args...)
}

func (w where) String() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// paged reads one page of a document table and the total number of rows.
func paged[T any](tx *Tx, table string, w where, order string, q wire.PageQuery) ([]T, int, error) {
	q = q.OrDefault()
	var total int
	if err := tx.scalar(&total, "SELECT COUNT(*) FROM "+table+w.String(), w.args...); err != nil {
		return nil, 0, err
	}
	args := append(append([]any{}, w.args...), q.PageSize, (q.Page-1)*q.PageSize)
	items, err := list[T](tx, "SELECT body FROM "+table+w.String()+" ORDER BY "+order+" LIMIT ? OFFSET ?", args...)
	return items, total, err
}

// texts reads one column of text.
func texts(tx *Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// LearnObservations gives package learn access to stored observations. ring has the keys of the sealed values.
func (s *Store) LearnObservations(ring capture.Keyring) port.Observations {
	return learnObservations{s, ring}
}

type learnObservations struct {
	s    *Store
	ring capture.Keyring
}

func (o learnObservations) Page(ctx context.Context, sessionID string, q wire.PageQuery) ([]capture.Record, int, error) {
	q = q.OrDefault()
	return o.s.ObservationPage(ctx, sessionID, (q.Page-1)*q.PageSize, q.PageSize)
}

func (o learnObservations) After(ctx context.Context, sessionID string, seq int64) ([]capture.Record, error) {
	return o.s.Observations(ctx, sessionID, seq, -1) // no limit, as SQLite has it
}

func (o learnObservations) Get(ctx context.Context, sessionID, eventID string) (capture.Record, bool, error) {
	return o.s.Observation(ctx, sessionID, eventID)
}

func (o learnObservations) Delete(ctx context.Context, sessionID, eventID string) (bool, error) {
	return o.s.DeleteObservation(ctx, sessionID, eventID)
}

func (o learnObservations) ByTrace(ctx context.Context, traceID string) ([]capture.Record, error) {
	return o.s.TraceRecords(ctx, traceID)
}

func (o learnObservations) Adopt(ctx context.Context, traces []string, from, session, trace, target string) ([]capture.Record, error) {
	values, err := o.Open(ctx, from)
	if err != nil {
		return nil, err
	}
	rows, err := o.s.Sealed(ctx, from)
	if err != nil {
		return nil, err
	}
	key, err := o.ring.Key(ctx, target)
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(key, target)
	if err != nil {
		return nil, err
	}
	a := seal.Adoption{Session: session, Trace: trace, Sealer: sealer, NewID: o.s.opt.NewID, Now: o.s.opt.Now().Time}
	var out []capture.Record
	for _, id := range traces {
		records, err := o.ByTrace(ctx, id)
		if err != nil {
			return nil, err
		}
		copies, err := a.Adopt(records, rows, values)
		if err != nil {
			return nil, err
		}
		out = append(out, copies...)
	}
	return out, nil
}

func (o learnObservations) Open(ctx context.Context, targetID string) (map[string]string, error) {
	rows, err := o.s.Sealed(ctx, targetID)
	if err != nil || len(rows) == 0 { // asking for a key makes one: a purged target must not get a new one
		return map[string]string{}, err
	}
	key, err := o.ring.Key(ctx, targetID)
	if err != nil {
		return nil, err
	}
	return seal.Open(key, rows)
}
