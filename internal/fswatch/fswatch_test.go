package fswatch

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Renaming and deleting folders while their watches are removed blocks nothing.
func TestRenamedAndDeleted(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var churn sync.WaitGroup
	done := make(chan struct{})
	churn.Go(func() {
		defer close(done)
		for range 2000 {
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			if os.Mkdir(a, 0o700) != nil {
				return
			}
			_ = w.Add(a)
			_ = os.Rename(a, b)
			_ = os.Remove(b)
			_ = w.Remove(a) // of which the system may have told already
		}
	})
	end := time.After(time.Minute)
	for over := false; !over; {
		select {
		case <-w.Events:
		case <-done:
			over = true
		case <-end:
			t.Fatal("it hangs")
		}
	}
	churn.Wait()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
