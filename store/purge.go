package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// A purge removes raw data so that no byte of it is left in any file of the data directory (decisions B13):
//
//	marked     a durable row in purges: from here on the purge will be finished, by this process or the next
//	deleted    all its rows, in one transaction; secure_delete zeroes their cells
//	rewritten  VACUUM. secure_delete is not enough: when SQLite rebalances pages it copies cells and leaves the
//	           old bytes in the gap between a page's cells, where a later delete does not look
//	           (measured; TestSecureDeleteIsNotEnough)
//	truncated  readers drained, then wal_checkpoint(TRUNCATE) until its row says busy = 0: the log still held the old pages
//	backups    copies of the database made before a migration are removed: they contain what was just deleted
//	keys       the targets' keys are destroyed
//	done       receipt and event are written, the mark is removed
//
// Every step may be repeated. It cannot reach blocks that the file system or an SSD has remapped or snapshotted.
type purgeJob struct {
	PurgeID  string
	Sessions []string // whole sessions
	Events   []string // single observations
	Targets  []string // whose keys go
	Runtime  []string // sessions of agents' runtimes
	removed  int64
	unsealed int64
}

// Purge removes all raw data of the sessions (observations, their details, sealed values), destroys the keys of the
// targets, and returns when no byte of it is left. An interrupted purge is finished by Run or by the next Open.
func (s *Store) Purge(ctx context.Context, sessionIDs, targets []string) error {
	return s.purge(ctx, purgeJob{Sessions: sessionIDs, Targets: targets})
}

// DeleteObservation removes one observation with the sealed values that nothing else of its session uses, with the
// guarantee of a purge. It reports whether there was one.
func (s *Store) DeleteObservation(ctx context.Context, sessionID, eventID string) (bool, error) {
	n, err := s.DeleteObservations(ctx, sessionID, eventID)
	return n > 0, err
}

// DeleteObservations is DeleteObservation for several at once, at the cost of one.
func (s *Store) DeleteObservations(ctx context.Context, sessionID string, eventIDs ...string) (int, error) {
	var found []string
	for _, id := range eventIDs {
		if _, ok, err := s.Observation(ctx, sessionID, id); err != nil {
			return 0, err
		} else if ok {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		return 0, nil
	}
	return len(found), s.purge(ctx, purgeJob{Sessions: []string{sessionID}, Events: found})
}

// purge marks the job and carries it out. From the mark on the end of the caller's ctx does not stop it.
func (s *purger) purge(ctx context.Context, job purgeJob) error {
	if len(job.Sessions) == 0 && len(job.Targets) == 0 && len(job.Runtime) == 0 {
		return nil
	}
	job.PurgeID = s.opt.NewID()
	err := s.write(ctx, syncFull, func(tx *Tx) error {
		_, err := tx.exec(`INSERT INTO purges(purge_id, sessions, events, targets, runtime, created_at) VALUES(?,?,?,?,?,?)`,
			job.PurgeID, ids(job.Sessions), ids(job.Events), ids(job.Targets), ids(job.Runtime), s.opt.Now().String())
		return err
	})
	if err != nil {
		return s.asFault(err)
	}
	s.step("marked")
	err = s.finishPurges(context.WithoutCancel(ctx))
	if err != nil {
		nudge(s.retry)
	}
	return err
}

// finishPurges carries out every marked purge.
func (s *purger) finishPurges(ctx context.Context) error {
	select {
	case s.purging <- struct{}{}:
		defer func() { <-s.purging }()
	case <-ctx.Done():
		return ctx.Err()
	}
	jobs, err := s.markedPurges(ctx)
	if err != nil || len(jobs) == 0 {
		return err
	}
	for i := range jobs {
		if err := s.deleteRaw(ctx, &jobs[i]); err != nil {
			return s.asFault(err)
		}
	}
	s.step("deleted")
	if err := s.rewrite(ctx); err != nil {
		return s.asFault(err)
	}
	if err := s.removeBackups(); err != nil {
		return ioFault(err, "a backup of the database cannot be removed")
	}
	s.step("backups")
	for _, job := range jobs {
		for _, target := range job.Targets {
			if err := s.opt.Keys.Destroy(ctx, target); err != nil {
				return err
			}
		}
	}
	s.step("keys")
	if err := s.Update(ctx, func(tx *Tx) error { return tx.purged(jobs) }); err != nil {
		return err
	}
	s.step("done")
	return nil
}

func (s *purger) step(name string) {
	if s.reached != nil {
		s.reached(name)
	}
}

// drainLimit is how long a purge waits for readers, which may continue for leavingTime.
const drainLimit = 2 * leavingTime

// rewrite leaves only live data in the database and its log. Readers and writers wait meanwhile.
func (s *purger) rewrite(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	if err := s.setLevel(syncFull); err != nil {
		return err
	}
	if _, err := s.w.ExecContext(ctx, `VACUUM`); err != nil {
		return err
	}
	s.step("rewritten")
	drain, cancel := context.WithTimeout(ctx, drainLimit)
	defer cancel()
	err := s.gate.close(drain)
	defer s.gate.open()
	if err != nil {
		return stillRead(err)
	}
	s.step("drained")
	deadline := time.Now().Add(drainLimit)
	for {
		busy, err := s.truncateLog(ctx)
		if err != nil {
			return err
		}
		if !busy {
			s.step("truncated")
			return nil
		}
		if time.Now().After(deadline) {
			return stillRead(nil)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func stillRead(err error) error {
	return fault.Wrap(err, fault.Internal, "the purge waits for a reader and will be finished").
		WithHint("nothing is served from the purged data any more; try again in a moment")
}

// removeBackups removes the copies made before migrations.
func (s *purger) removeBackups() error {
	return os.RemoveAll(filepath.Join(s.opt.Dir, backupDir))
}

// purged writes the receipts and removes the marks.
func (tx *Tx) purged(jobs []purgeJob) error {
	for _, job := range jobs {
		for _, session := range job.Sessions {
			if err := tx.purgedSession(job, session); err != nil {
				return err
			}
		}
		if err := tx.purgedRuntime(job); err != nil {
			return err
		}
		if _, err := tx.exec(`DELETE FROM purges WHERE purge_id=?`, job.PurgeID); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) purgedSession(job purgeJob, session string) error {
	kind, summary := journal.RawPurged, fmt.Sprintf("Raw data purged: %d observations, %d sealed values, %d keys.", job.removed, job.unsealed,
		len(job.Targets))
	if len(job.Events) > 0 {
		kind, summary = journal.ObservationGone, fmt.Sprintf("Observations deleted: %d.", job.removed)
	}
	now := clock.Time{Time: tx.s.opt.Now().Time}
	run, err := tx.isRun(session)
	if err != nil {
		return err
	}
	if run { // of an agent: no session's
		kind, session = journal.RunPurged, ""
	}
	err = tx.AddReceipt(journal.Receipt{Kind: kind, LearnSessionID: session, Summary: summary, CreatedAt: now})
	if err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, SessionID: session, Timestamp: now,
		Payload: map[string]any{"observations": job.removed, "sealed_values": job.unsealed}})
}

// purger removes observed data, so that no byte of it remains.
type purger struct {
	*database
	purging chan struct{}     // holding its token is the right to purge
	reached func(step string) // tests: called after each step of a purge
}
