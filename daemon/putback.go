package daemon

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"showhow/internal/fault"
	"showhow/internal/fswatch"
	"showhow/store"
)

const (
	quietAfterWrite = 50 * time.Millisecond // a burst of writes is one
	putBackEvery    = 10 * time.Minute      // a look at contents, without a notification, which not every file system gives
)

// singleWriter undoes what something else writes into canonical files that only Showhow writes (baseline 0.2G, 1.1J):
// configuration goes through intents.
type singleWriter struct {
	memory string
	store  *store.Store
	log    *slog.Logger
}

func (d singleWriter) run(ctx context.Context) error {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	w, err := fswatch.New()
	if err == nil {
		defer w.Close()
		events, lost = w.Events, w.Lost
	}
	tick := time.NewTicker(putBackEvery)
	defer tick.Stop()
	for contents := false; ; {
		if w != nil {
			d.watch(w)
		}
		var rested <-chan time.Time // a file that was changed again and again may be put back
		if again := d.undo(ctx, contents); again > 0 {
			rested = time.After(again)
		}
		contents = false
		select {
		case <-ctx.Done():
			return nil
		case <-events:
			settle(ctx, events)
		case <-lost:
		case <-rested:
		case <-tick.C:
			contents = true
		}
	}
}

// settle drains the notifications of one moment, for a second at most.
func settle(ctx context.Context, events <-chan fsnotify.Event) {
	end := time.NewTimer(time.Second)
	defer end.Stop()
	for {
		quiet := time.NewTimer(quietAfterWrite)
		select {
		case <-events:
			quiet.Stop()
			continue
		case <-quiet.C:
		case <-end.C:
		case <-ctx.Done():
		}
		quiet.Stop()
		return
	}
}

// watch watches the folders, those that came meanwhile, too. What is watched already is watched once.
func (d singleWriter) watch(w *fswatch.Watcher) {
	_ = w.Add(filepath.Join(d.memory, "system")) // in which the others appear
	for _, dir := range store.SingleWriter {
		_ = filepath.WalkDir(filepath.Join(d.memory, filepath.FromSlash(dir)), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				_ = w.Add(path)
			}
			return nil
		})
	}
}

// undo puts files back; again is when one that rests is due.
func (d singleWriter) undo(ctx context.Context, contents bool) (again time.Duration) {
	paths, again, err := d.store.PutBack(ctx, contents)
	if err != nil && ctx.Err() == nil {
		d.log.Warn("canonical files could not be compared", "code", string(fault.CodeOf(err)))
	}
	if len(paths) > 0 {
		d.log.Warn("files that only Showhow writes were changed by something else, and put back", "files", len(paths))
	}
	return again
}
