package desktop

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"

	"showhow/internal/ownsocket"
	"showhow/internal/single"
)

func windowSocket(runtimeDir string) string { return filepath.Join(runtimeDir, "window.sock") }

// Raise brings the open window to the front; false: there is none.
func Raise(ctx context.Context, runtimeDir string) bool {
	c, err := ownsocket.Dial(ctx, windowSocket(runtimeDir))
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Single is the claim to be the only window. A connection to it is a request to show the window; no data is sent.
type Single struct {
	listener net.Listener
	lock     *single.Lock
	done     sync.WaitGroup
}

// Claim makes this process the only window and calls raise each time another one starts. ok is false if there is a
// window already, which was then brought to the front.
func Claim(ctx context.Context, runtimeDir string, raise func()) (s *Single, ok bool, err error) {
	if err := os.MkdirAll(runtimeDir, 0o700); err != nil {
		return nil, false, err
	}
	// The kernel releases the lock with its process: whoever holds it may remove an existing socket as stale.
	lock, held, err := single.Take(filepath.Join(runtimeDir, "window.lock"))
	if err != nil {
		return nil, false, err
	}
	if !held {
		Raise(ctx, runtimeDir)
		return nil, false, nil
	}
	path := windowSocket(runtimeDir)
	os.Remove(path)
	l, err := net.Listen("unix", path)
	if err != nil {
		lock.Release()
		return nil, false, err
	}
	s = &Single{listener: l, lock: lock}
	s.done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
			raise()
		}
	})
	return s, true, nil
}

// Close gives up the claim and waits until raise is no longer called.
func (s *Single) Close() {
	s.listener.Close()
	s.done.Wait()
	s.lock.Release()
}
