package daemon

import (
	"context"
	"net"

	"showhow/capture"
	"showhow/daemon/learn"
	"showhow/store"
)

// observations is learn.Observations: what the store kept, and the sealed values opened with the target's key.
type observations struct {
	s    *store.Store
	keys capture.Keyring
}

func (o observations) Page(ctx context.Context, sessionID string, q learn.PageQuery) ([]capture.Record, int, error) {
	return o.s.ObservationPage(ctx, sessionID, (q.Page-1)*q.PageSize, q.PageSize)
}

func (o observations) Get(ctx context.Context, sessionID, eventID string) (capture.Record, bool, error) {
	return o.s.Observation(ctx, sessionID, eventID)
}

func (o observations) Delete(ctx context.Context, sessionID, eventID string) (bool, error) {
	return o.s.DeleteObservation(ctx, sessionID, eventID)
}

func (o observations) ByTrace(ctx context.Context, traceID string) ([]capture.Record, error) {
	return o.s.TraceRecords(ctx, traceID)
}

func (o observations) Open(ctx context.Context, targetID string) (map[string]string, error) {
	rows, err := o.s.Sealed(ctx, targetID)
	if err != nil || len(rows) == 0 {
		return map[string]string{}, err
	}
	key, err := o.keys.Key(ctx, targetID)
	if err != nil {
		return nil, err
	}
	return capture.OpenSealed(key, rows)
}

// eventLog is api.EventLog.
type eventLog struct{ *store.Store }

func (e eventLog) OldestSeq(ctx context.Context) (int64, error) {
	oldest, _, err := e.EventSpan(ctx)
	return oldest, err
}

func (e eventLog) LatestSeq(ctx context.Context) (int64, error) {
	_, last, err := e.EventSpan(ctx)
	return last, err
}

func dialSocket(path string) bool {
	c, err := net.Dial("unix", path)
	if err != nil {
		return false
	}
	c.Close()
	return true
}
