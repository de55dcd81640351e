package daemon

import (
	"context"
	"path/filepath"

	"showhow/daemon/document"
	"showhow/internal/clock"
	"showhow/store/keys"
)

func documentOptions(data string, ring *keys.Ring, now func() clock.Time) document.Options {
	return document.Options{Dir: filepath.Join(data, "documents"), Now: now, NewID: clock.NewID,
		Key:     func(ctx context.Context) ([]byte, error) { return ring.Key(ctx, document.KeyTarget) },
		DropKey: func(ctx context.Context) error { return ring.Destroy(ctx, document.KeyTarget) }}
}
