package store

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"showhow/daemon/connector"
)

// Receipts of calls come often and from many concurrent callers, so they share commits that survive a killed process
// (synchronous=NORMAL, decisions H11).

// callQueue is what waits to be committed.
type callQueue struct {
	*database
	project func(ctx context.Context) // the canonical files after a commit

	flushing sync.Mutex // one takes from the front of settled at a time
	mu       sync.Mutex
	intents  []*callJob
	settled  []connector.Receipt
	more     chan struct{} // something was settled
}

type callJob struct {
	receipt connector.Receipt
	done    chan struct{}
	err     error
}

// settleEvery is how long an ended call may wait for others before it is stored.
const settleEvery = 200 * time.Millisecond

// maxSettled bounds one commit: a call that is about to be made waits for the one under way.
const maxSettled = 8

func (q *callQueue) take() []*callJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	jobs := q.intents
	q.intents = nil
	return jobs
}

func (q *callQueue) drop(job *callJob) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.intents, job)
	if i >= 0 {
		q.intents = slices.Delete(q.intents, i, i+1)
	}
	return i >= 0
}

// Intend stores the receipt of a call that is about to be made.
func (c connectorStore) Intend(ctx context.Context, r connector.Receipt) error {
	q := &c.s.calls
	job := &callJob{receipt: r, done: make(chan struct{})}
	q.mu.Lock()
	q.intents = append(q.intents, job)
	q.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		q.commitIntents(job)
		q.give()
	case <-job.done:
	case <-q.closed:
		if q.drop(job) {
			return errClosed
		}
	case <-ctx.Done():
		if q.drop(job) {
			return ctx.Err()
		}
	}
	<-job.done
	return q.asFault(job.err)
}

// commitIntents commits for all waiting callers, until own is done. The caller holds the writer connection.
func (q *callQueue) commitIntents(own *callJob) {
	for {
		select {
		case <-own.done:
			q.logGrew()
			return
		default:
		}
		jobs := q.take()
		err := q.inTurn(context.Background(), func(tx *Tx) error {
			for _, j := range jobs {
				if err := tx.putConnectorReceipt(j.receipt, false); err != nil {
					return err
				}
			}
			return nil
		})
		for _, j := range jobs {
			j.err = err
			close(j.done)
		}
	}
}

// inTurn runs fn in a transaction of the writer connection, which the caller holds.
func (q *callQueue) inTurn(ctx context.Context, fn func(*Tx) error) error {
	select {
	case <-q.closed:
		return errClosed
	default:
	}
	if err := q.setLevel(syncNormal); err != nil {
		return err
	}
	t, err := q.w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := fn(&Tx{ctx: ctx, tx: t, s: q.database}); err != nil {
		return err
	}
	return t.Commit()
}

// Settle queues the result of a call to be stored soon.
func (c connectorStore) Settle(r connector.Receipt) {
	c.s.calls.mu.Lock()
	c.s.calls.settled = append(c.s.calls.settled, r)
	c.s.calls.mu.Unlock()
	nudge(c.s.calls.more)
}

// Flush stores everything that was settled.
func (c connectorStore) Flush(ctx context.Context) error { return c.s.calls.flush(ctx) }

func (q *callQueue) flush(ctx context.Context) error {
	q.flushing.Lock()
	defer q.flushing.Unlock()
	for stored := false; ; stored = true {
		q.mu.Lock()
		part := slices.Clone(q.settled[:min(len(q.settled), maxSettled)])
		q.mu.Unlock()
		if len(part) == 0 {
			if stored {
				q.project(ctx)
			}
			return nil
		}
		err := q.write(ctx, syncNormal, func(tx *Tx) error {
			for _, r := range part {
				if err := (connectorTx{tx}).AddConnectorReceipt(r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return q.asFault(err)
		}
		q.mu.Lock() // others were only added behind them
		q.settled = slices.Delete(q.settled, 0, len(part))
		q.mu.Unlock()
	}
}

// receiptsKept is how many receipts the canonical file contains; older ones are in the archive beside it.
const receiptsKept = 10_000

// Rotate moves old lines of the receipts file into their month's archive.
func (c connectorStore) Rotate(ctx context.Context) error { return c.rotate(ctx, receiptsKept) }

func (c connectorStore) rotate(ctx context.Context, keep int) error {
	return c.s.Update(ctx, func(tx *Tx) error {
		type line struct {
			CreatedAt string `json:"created_at"`
		}
		old, err := list[line](tx, `SELECT body FROM lines WHERE path=? AND seq NOT IN (SELECT seq FROM lines WHERE path=?
			ORDER BY seq DESC LIMIT ?) ORDER BY seq`, connector.ReceiptsPath, connector.ReceiptsPath, keep)
		if err != nil || len(old) == 0 {
			return err
		}
		months := map[string]bool{}
		for _, l := range old {
			months[l.CreatedAt[:min(len(l.CreatedAt), 7)]] = true
		}
		for month := range months {
			to := fmt.Sprintf("system/mcp/archive/receipts-%s.jsonl", month)
			seq, err := tx.changed(to)
			if err != nil {
				return err
			}
			if _, err := tx.exec(`UPDATE lines SET path=?1 WHERE path=?2 AND substr(json_extract(body,'$.created_at'),1,7)=?3 AND seq NOT IN
				(SELECT seq FROM lines WHERE path=?2 ORDER BY seq DESC LIMIT ?4)`, to, connector.ReceiptsPath, month, keep); err != nil {
				return err
			}
			if _, err := tx.exec(`INSERT INTO files(path, kind, seq, start) VALUES(?1,'jsonl',?2,?2)
				ON CONFLICT(path) DO UPDATE SET kind='jsonl', seq=?2, start=?2, gone=0`, to, seq); err != nil {
				return err
			}
		}
		return tx.rewrite(connector.ReceiptsPath)
	})
}
