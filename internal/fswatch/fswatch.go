// Package fswatch is fsnotify for a goroutine that both takes notifications and sets and ends watches.
//
// fsnotify sends some errors while it holds the lock that Add and Remove take: a folder that was renamed and then deleted is enough.
// Whoever calls either while nobody receives from Errors waits for ever. Here errors are always received, and all that is told of them
// is that notifications were lost.
//
// Guaranteed: Add and Remove return; after Close nothing of it runs on. Not guaranteed: that a notification comes at all, which is a
// matter of the system and of the file system.
//
// Every package may import it; it imports nothing of ours. Its tests rename and delete real folders.
package fswatch

import (
	"errors"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// Watcher is a fsnotify.Watcher whose Errors must not be received from.
type Watcher struct {
	*fsnotify.Watcher
	Lost <-chan struct{} // some notifications were lost: look at everything
	done sync.WaitGroup
}

// New makes a watcher that watches nothing yet.
func New() (*Watcher, error) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	lost := make(chan struct{}, 1)
	w := &Watcher{Watcher: fs, Lost: lost}
	w.done.Go(func() {
		for err := range fs.Errors {
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				continue
			}
			select {
			case lost <- struct{}{}:
			default: // it is said already
			}
		}
	})
	return w, nil
}

// Close ends all watches.
func (w *Watcher) Close() error {
	err := w.Watcher.Close()
	w.done.Wait()
	return err
}
