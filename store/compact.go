package store

import (
	"context"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/rehearse"
	"showhow/internal/clock"
)

// What compaction keeps (DOC3 0C.16D).
const (
	CheckpointTotalsPath = "system/learning/checkpoint_totals.json"
	ReceiptTotalsPath    = "system/learning/receipt_totals.json"
)

const (
	checkpointsKept = 100                 // receipts per ability
	outcomesKept    = 200                 // outcomes per ability; its health has their counts
	routineKept     = 100                 // receipts of each routine kind
	routineAge      = 30 * 24 * time.Hour // how long a routine receipt is kept at least
)

// routineKinds are receipts of recurring background work; one that belongs to a session or a draft is never
// compacted, nor is any decision.
const routineKinds = `('bridge.rebuild.started','bridge.rebuild.completed','bridge.rebuild.failed','ability.snapshot.updated',` +
	`'events.runtime.received','events.feedback.signal')`

// Total counts the receipts of one subject that compaction removed.
type Total struct {
	AbilityID string     `json:"ability_id,omitempty"`
	Kind      string     `json:"kind"` // of a receipt, or the status of a checkpoint
	Count     int        `json:"count"`
	Last      clock.Time `json:"last"` // when the newest of them was written
}

// Totals is the content of a canonical file of totals.
type Totals struct {
	Totals        []Total    `json:"totals"`
	UpdatedAt     clock.Time `json:"updated_at"`
	SchemaVersion int        `json:"schema_version"`
}

// Compact aggregates old checkpoint receipts, beyond the latest hundred of each ability, and old routine receipts
// into counts, and removes them from database and files. It runs nightly; running it twice changes nothing.
func (s *Store) Compact(ctx context.Context) error {
	return s.Update(ctx, func(tx *Tx) error {
		err := tx.compact(CheckpointTotalsPath, ability.CheckpointReceiptsPath, "checkpoint_receipts", "ability_id, status AS kind",
			`SELECT receipt_id FROM (SELECT receipt_id, row_number() OVER (PARTITION BY ability_id ORDER BY created_at DESC, receipt_id DESC) AS n
				FROM checkpoint_receipts WHERE ability_id IS NOT NULL) WHERE n>?1 AND ?2=?2`, checkpointsKept, "")
		if err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM ability_outcomes WHERE outcome_id IN (SELECT outcome_id FROM (SELECT outcome_id,
			row_number() OVER (PARTITION BY ability_id ORDER BY at DESC, outcome_id DESC) AS n FROM ability_outcomes) WHERE n>?)`,
			outcomesKept); err != nil {
			return err
		}
		return tx.compact(ReceiptTotalsPath, receiptsFile, "receipts", "'' AS ability_id, kind",
			`SELECT receipt_id FROM (SELECT receipt_id, created_at, row_number() OVER (PARTITION BY kind ORDER BY created_at DESC, receipt_id `+
				`DESC) AS n
				FROM receipts WHERE session_id IS NULL AND proposal_id IS NULL AND kind IN `+routineKinds+`) WHERE n>?1 AND created_at<?2`,
			routineKept, s.opt.Now().Plus(-routineAge).String())
	})
}

// compact removes the receipts that old selects from a table and its file, and adds their counts to those in totals.
func (tx *Tx) compact(totals, file, table, subject, old string, keep int, before string) error {
	counted := `SELECT json_object('ability_id', ability_id, 'kind', kind, 'count', count(*), 'last', max(created_at))
		FROM (SELECT ` + subject + `, created_at FROM ` + table + ` WHERE receipt_id IN (` + old + `)) GROUP BY ability_id, kind`
	gone, err := list[Total](tx, counted, keep, before)
	if err != nil || len(gone) == 0 {
		return err
	}
	was, _, err := one[Totals](tx, `SELECT body FROM files WHERE path=? AND gone=0`, totals)
	if err != nil {
		return err
	}
	if err := tx.PutFile(totals, Totals{Totals: plus(was.Totals, gone), UpdatedAt: tx.s.opt.Now(), SchemaVersion: 1}); err != nil {
		return err
	}
	_, err = tx.exec(`DELETE FROM lines WHERE path=?3 AND json_extract(body,'$.receipt_id') IN (`+old+`)`, keep, before, file)
	if err != nil {
		return err
	}
	if _, err := tx.exec(`DELETE FROM `+table+` WHERE receipt_id IN (`+old+`)`, keep, before); err != nil {
		return err
	}
	return tx.rewrite(file)
}

func plus(all, more []Total) []Total {
next:
	for _, m := range more {
		for i := range all {
			if a := &all[i]; a.AbilityID == m.AbilityID && a.Kind == m.Kind {
				a.Count += m.Count
				a.Last = m.Last
				continue next
			}
		}
		all = append(all, m)
	}
	return all
}

// rewrite makes the projector rewrite a JSONL file from which lines were removed.
func (tx *Tx) rewrite(path string) error {
	seq, err := tx.changed(path)
	if err != nil {
		return err
	}
	_, err = tx.exec(`UPDATE files SET seq=?1, start=?1 WHERE path=?2`, seq, path)
	return err
}

// ArchiveRuns moves the lines of a proposal's validation runs and of their steps into a separate file of the
// proposal.
func (tx learnTx) ArchiveRuns(proposalID, to string) error {
	runs, err := runTx(tx).proposalRuns(proposalID)
	if err != nil || len(runs) == 0 {
		return err
	}
	for _, run := range runs {
		if err := tx.AppendLine(to, run); err != nil {
			return err
		}
		steps, err := runTx(tx).Steps(run.ValidationRunID)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if err := tx.AppendLine(to, step); err != nil {
				return err
			}
		}
	}
	for _, file := range []string{rehearse.RunsPath, rehearse.StepsPath} {
		_, err := tx.exec(`DELETE FROM lines WHERE path=? AND json_extract(body,'$.validation_run_id') IN
			(SELECT run_id FROM validation_runs WHERE proposal_id=?)`, file, proposalID)
		if err != nil {
			return err
		}
		if err := tx.rewrite(file); err != nil {
			return err
		}
	}
	return nil
}

func (tx runTx) proposalRuns(proposalID string) ([]rehearse.ValidationRun, error) {
	return list[rehearse.ValidationRun](tx.Tx, `SELECT body FROM validation_runs WHERE proposal_id=? ORDER BY started_at, run_id`, proposalID)
}
