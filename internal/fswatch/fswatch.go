// Package fswatch wraps fsnotify for a goroutine that both receives notifications and adds and removes watches.
//
// fsnotify sends some errors while it holds the lock that Add and Remove take: a folder that was renamed and then
// deleted is enough. A caller of either waits for ever if nobody receives from Errors. Here errors are always
// received, and are reported only as lost notifications.
//
// Guaranteed: Add and Remove return; after Close none of its goroutines runs. Not guaranteed: that a notification
// comes at all, which is up to the system and the file system.
//
// Any package may import it; it imports nothing of ours. Its tests rename and delete real folders.
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

// New returns a watcher without watches.
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
