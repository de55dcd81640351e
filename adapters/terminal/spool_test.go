package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Closing the last spool removes the folder of all of them; opening one at that moment succeeds all the same.
func TestSpoolsComeAndGo(t *testing.T) {
	base := filepath.Join(t.TempDir(), "spools")
	var all sync.WaitGroup
	for who := range 4 {
		all.Go(func() {
			for i := range 100 {
				s, err := openSpool(base, fmt.Sprintf("%d.%d", who, i), time.Now, func([]record, int64) {})
				if err != nil {
					t.Errorf("spool %d of %d: %v", i, who, err)
					return
				}
				s.close()
			}
		})
	}
	all.Wait()
}

// A base that can never be created is an error, not a wait.
func TestSpoolWithoutPlace(t *testing.T) {
	base := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(base, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	if err := os.Symlink(nowhere+"2", nowhere); err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{filepath.Join(base, "spools"), nowhere} {
		if s, err := openSpool(base, "1.a", time.Now, nil); err == nil {
			s.close()
			t.Errorf("a spool in %s", base)
		}
	}
}
