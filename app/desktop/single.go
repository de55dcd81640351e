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

// Single is the claim to be the one window. Whoever connects to it wants to see the window; nothing is said.
type Single struct {
	listener net.Listener
	lock     *single.Lock
	done     sync.WaitGroup
}

// Claim makes this process the one window and calls raise each time that another one starts. ok is false when there is a
// window already, which was then brought to the front.
func Claim(ctx context.Context, runtimeDir string, raise func()) (s *Single, ok bool, err error) {
	if err := os.MkdirAll(runtimeDir, 0o700); err != nil {
		return nil, false, err
	}
	// The lock ends with its process, however that ends: with it in hand, a socket that is there is a dead one's.
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

// Close gives the claim up and waits until raise is called no more.
func (s *Single) Close() {
	s.listener.Close()
	s.done.Wait()
	s.lock.Release()
}
