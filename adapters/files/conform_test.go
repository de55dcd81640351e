package files

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Harness{Start: func(t *testing.T) adaptertest.World {
		in, off := t.TempDir(), t.TempDir()
		var last string
		return adaptertest.World{
			Adapter:  New(),
			Scope:    capture.Scope{Folders: []string{in}},
			OffScope: capture.Scope{Folders: []string{off}},
			In: func(t testing.TB, i int) {
				last = fmt.Sprintf("act-%d.csv", i)
				write(t, filepath.Join(in, last), fmt.Sprintf("row %d\n", i))
			},
			Off: func(t testing.TB, canary string) {
				write(t, filepath.Join(off, canary+".csv"), canary)
				if err := os.Symlink(filepath.Join(off, canary+".csv"), filepath.Join(off, "link")); err != nil && !os.IsExist(err) {
					t.Fatal(err)
				}
			},
			Is: func(o capture.Observation, i int) bool {
				return o.File != nil && o.File.Name == fmt.Sprintf("act-%d.csv", i)
			},
		}
	}})
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
