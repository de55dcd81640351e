package capturing

import (
	"context"
	"slices"
	"sync"
	"time"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// memoryLog holds records until a transaction stores them.
type memoryLog struct {
	mu      sync.Mutex
	records []capture.Record
}

func (l *memoryLog) Append(_ context.Context, records []capture.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, records...)
	return nil
}

// Keep implements port.Recordings: observations made elsewhere pass the same pipeline as those made here.
func (c *Capturer) Keep(ctx context.Context, s state.Session, trace string, seen []capture.Observation) ([]capture.Record,
	[]capture.Withheld, error) {
	v, err := c.vault(ctx, s.TargetID)
	if err != nil {
		return nil, nil, err
	}
	log := &memoryLog{}
	v.log = log
	run, err := c.prepare(ctx, s, trace, v)
	if err != nil {
		return nil, nil, err
	}
	run.live, run.failed = func([]capture.Record) {}, func(state.PauseReason) {}
	run.pipe.Switch(pipeline.Capturing, c.o.Now().Add(-24*time.Hour))
	for batch := range slices.Chunk(seen, 1000) { // the queue holds twice as many
		for _, o := range batch {
			run.pipe.Emit(o)
		}
		if err := run.pipe.Flush(ctx); err != nil {
			run.end()
			return nil, nil, fault.Wrap(err, fault.Cancelled, "the import was broken off")
		}
	}
	run.end()
	return log.records, run.pipe.Withheld(), nil
}
