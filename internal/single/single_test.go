package single

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestTheSecondLeaves(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no flock")
	}
	path := filepath.Join(t.TempDir(), "run", "x.lock")
	l, first, err := Take(path)
	if err != nil || !first {
		t.Fatal(first, err)
	}
	if pid := Holder(path); pid != os.Getpid() {
		t.Errorf("the holder is %d", pid)
	}
	if _, again, err := Take(path); again || err != nil {
		t.Fatal("there were two", err)
	}
	l.Release()
	if pid := Holder(path); pid != 0 {
		t.Errorf("%d holds what was let go of", pid)
	}
	if l, first, err = Take(path); err != nil || !first {
		t.Fatal("the lock outlived its holder", err)
	}
	l.Release()
}

// Checking the lock neither takes it nor reports it free while it is held.
func TestLookersDoNotHoldIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no flock")
	}
	path := filepath.Join(t.TempDir(), "x.lock")
	end := make(chan struct{})
	var lookers sync.WaitGroup
	for range 4 {
		lookers.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
					Holder(path)
				}
			}
		})
	}
	for i := range 500 {
		l, first, err := Take(path)
		if err != nil || !first {
			t.Errorf("take %d: %v, %v", i, first, err)
			break
		}
		if pid := Holder(path); pid != os.Getpid() {
			t.Errorf("take %d: the holder is %d", i, pid)
			break
		}
		l.Release()
	}
	close(end)
	lookers.Wait()
}
