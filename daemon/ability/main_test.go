package ability_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain puts the tests' folders into memory where possible: nothing here tests the disk, and most of the time would
// be fsync.
func TestMain(m *testing.M) {
	var dir string
	if os.Getenv("TMPDIR") == "" {
		var err error
		if dir, err = os.MkdirTemp("/dev/shm", "ability-test-"); err == nil {
			os.Setenv("TMPDIR", dir)
		}
	}
	if dir == "" {
		dir, _ = os.MkdirTemp("", "ability-test-")
		os.Setenv("TMPDIR", dir)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}
