package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
	"showhow/internal/clock"
)

// DOC3 0C.16D: the latest hundred checkpoint receipts of an ability stay, the others become counts; a second run
// changes nothing.
func TestCompactKeepsTheLatestCheckpoints(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	start := clock.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	update(t, s, func(tx *Tx) error {
		for i := range 130 {
			for _, of := range []string{"one", "two"} {
				if of == "two" && i >= 40 {
					continue
				}
				r := journal.CheckpointReceipt{ReceiptID: fmt.Sprintf("%s-%03d", of, i), CheckpointID: "cp-01", AbilityID: of, Status: "reached",
					DispatchID: fmt.Sprint(i), CreatedAt: start.Plus(time.Duration(i) * time.Minute)}
				if i%3 == 0 {
					r.Status = "failed"
				}
				if err := (abilityTx{tx}).PutCheckpointReceipt(r); err != nil {
					return err
				}
				if err := tx.AppendLine(ability.CheckpointReceiptsPath, r); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := s.Project(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Project(t.Context()); err != nil {
			t.Fatal(err)
		}
		one, two := count(t, s, `SELECT count(*) FROM checkpoint_receipts WHERE ability_id='one'`), count(t, s,
			`SELECT count(*) FROM checkpoint_receipts WHERE ability_id='two'`)
		if one != 100 || two != 40 || count(t, s, `SELECT count(*) FROM checkpoint_receipts WHERE receipt_id='one-029'`) != 0 {
			t.Fatalf("%d and %d receipts are left", one, two)
		}
		b, err := os.ReadFile(filepath.Join(s.Memory(), ability.CheckpointReceiptsPath))
		if err != nil || bytes.Count(b, []byte("\n")) != 140 || bytes.Contains(b, []byte(`"one-029"`)) {
			t.Fatalf("%d lines, %v", bytes.Count(b, []byte("\n")), err)
		}
		var totals Totals
		b, err = os.ReadFile(filepath.Join(s.Memory(), CheckpointTotalsPath))
		if err != nil || json.Unmarshal(b, &totals) != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, x := range totals.Totals {
			got[x.AbilityID+" "+x.Kind] = x.Count
		}
		if len(got) != 2 || got["one reached"] != 20 || got["one failed"] != 10 {
			t.Fatalf("counted %v", got)
		}
	}
	verify(t, s)
}

// Receipts of routine work without a session become counts after a month; those of a session stay.
func TestCompactCountsRoutineReceipts(t *testing.T) {
	s := open(t, t.TempDir())
	old := clock.At(time.Now().Add(-60 * 24 * time.Hour))
	const session = "11111111-1111-4111-8111-111111111111"
	update(t, s, func(tx *Tx) error {
		for i := range 120 {
			for _, r := range []journal.Receipt{{Kind: journal.SnapshotUpdated}, {Kind: journal.SnapshotUpdated, LearnSessionID: session},
				{Kind: journal.AbilityAdopted}} {
				r.ReceiptID, r.CreatedAt = fmt.Sprintf("%s-%s-%d", r.Kind, r.LearnSessionID, i), old.Plus(time.Duration(i)*time.Second)
				if err := tx.AddReceipt(r); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT count(*) FROM receipts`); n != 340 ||
		count(t, s, `SELECT count(*) FROM receipts WHERE session_id IS NOT NULL`) != 120 {
		t.Fatalf("%d receipts are left", n)
	}
	if n := count(t, s, `SELECT count(*) FROM lines WHERE path=?`, receiptsFile); n != 340 {
		t.Fatalf("%d lines are left", n)
	}
	if err := s.Project(t.Context()); err != nil {
		t.Fatal(err)
	}
	verify(t, s)
}

// Validation lines move with their proposal into the archive.
func TestArchiveRuns(t *testing.T) {
	s := open(t, t.TempDir())
	update(t, s, func(tx *Tx) error {
		for i, of := range []string{"gone", "stays"} {
			run := rehearse.ValidationRun{ValidationRunID: "run-" + of, ProposalID: of, Status: rehearse.StatusCompleted,
				StartedAt: clock.At(time.Unix(int64(i), 0))}
			step := rehearse.ValidationStepResult{ValidationRunID: run.ValidationRunID, TestCaseID: "t"}
			for _, err := range []error{runTx{tx}.PutRun(run), runTx{tx}.PutStep(0, step), tx.AppendLine(rehearse.RunsPath, run),
				tx.AppendLine(rehearse.StepsPath, step)} {
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := s.Project(t.Context()); err != nil {
		t.Fatal(err)
	}
	const archive = "system/learning/archived/proposals/gone.runs.jsonl"
	update(t, s, func(tx *Tx) error { return learnTx{tx}.ArchiveRuns("gone", archive) })
	if err := s.Project(t.Context()); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{archive: "run-gone run-gone", rehearse.RunsPath: "run-stays", rehearse.StepsPath: "run-stays"} {
		b, err := os.ReadFile(filepath.Join(s.Memory(), file))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for line := range bytes.Lines(b) {
			var x struct {
				ID string `json:"validation_run_id"`
			}
			if err := json.Unmarshal(line, &x); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, x.ID)
		}
		if got := fmt.Sprint(ids); got != "["+want+"]" {
			t.Errorf("%s holds %s, want %s", file, got, want)
		}
	}
	verify(t, s)
}
