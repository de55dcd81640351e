package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Tx is one transaction. A read-only one fails on writes.
type Tx struct {
	ctx           context.Context
	tx            *sql.Tx
	s             *database
	events, files int // how many of each it put into the outbox
}

// Update runs fn in the single write transaction and commits at synchronous=FULL: when it returns nil, everything fn
// wrote survives a power loss, and the canonical files that fn changed are on the disk. An error of fn rolls back. fn
// must not call Update, Append or Purge: that would deadlock.
func (s *database) Update(ctx context.Context, fn func(*Tx) error) error {
	var done Tx
	err := s.write(ctx, syncFull, func(tx *Tx) error {
		err := fn(tx)
		done = *tx
		return err
	})
	if err != nil {
		return s.asFault(cutOff(ctx, err))
	}
	s.committed(ctx, done.events > 0, done.files > 0)
	return nil
}

// How long a read transaction may last. A purge waits for readers (decisions B13); without one waiting, reads on a
// busy machine may take longer.
const (
	readLimit   = 30 * time.Second
	leavingTime = time.Second // once a purge waits
)

// View runs fn in a read transaction.
func (s *database) View(ctx context.Context, fn func(*Tx) error) error {
	select {
	case <-s.closed:
		return errClosed
	default:
	}
	wanted, err := s.gate.enter(ctx)
	if err != nil {
		return cutOff(ctx, err)
	}
	defer s.gate.leave()
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	defer context.AfterFunc(wanted, func() { time.AfterFunc(leavingTime, cancel) })()
	t, err := s.r.BeginTx(ctx, nil)
	if err != nil {
		return s.asFault(cutOff(ctx, err))
	}
	defer t.Rollback()
	return s.asFault(cutOff(ctx, fn(&Tx{ctx: ctx, tx: t, s: s})))
}

// syncLevel is what a commit survives.
type syncLevel int

const (
	syncNormal syncLevel = 1 // a killed process
	syncFull   syncLevel = 2 // a power loss too
)

// take waits for the writer connection; give passes it on.
func (s *database) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		select {
		case <-s.closed:
			<-s.turn
			return errClosed
		default:
			return nil
		}
	case <-s.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *database) give() { <-s.turn }

// setLevel is called by the holder of the writer connection, outside a transaction.
func (s *database) setLevel(level syncLevel) error {
	if s.level == level {
		return nil
	}
	_, err := s.w.ExecContext(context.Background(), fmt.Sprintf("PRAGMA synchronous=%d", level))
	if err == nil {
		s.level = level
	}
	return err
}

// write runs fn in a transaction of the writer connection.
func (s *database) write(ctx context.Context, level syncLevel, fn func(*Tx) error) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	if err := s.setLevel(level); err != nil {
		return err
	}
	t, err := s.w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := fn(&Tx{ctx: ctx, tx: t, s: s}); err != nil {
		return err
	}
	if err := t.Commit(); err != nil {
		return err
	}
	s.logGrew()
	return nil
}
