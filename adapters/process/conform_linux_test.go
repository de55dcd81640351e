package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

func TestConformance(t *testing.T) {
	needEvents(t)
	adaptertest.Run(t, adaptertest.Harness{
		Quiet: 150 * time.Millisecond,
		Start: func(t *testing.T) adaptertest.World {
			dir := t.TempDir()
			in, off := program(t, dir, "sleep", "inapp"), program(t, dir, "sh", "offapp")
			arg := func(i int) string { return fmt.Sprintf("0.1500%d", i) }
			return adaptertest.World{
				Adapter:  nobody(),
				Scope:    capture.Scope{Apps: []string{"inapp"}},
				OffScope: capture.Scope{Apps: []string{"offapp"}},
				In:       func(t testing.TB, i int) { run(t, exec.Command(in, arg(i))) },
				Off: func(t testing.TB, canary string) {
					cwd := filepath.Join(dir, canary)
					if err := os.MkdirAll(cwd, 0o700); err != nil {
						t.Fatal(err)
					}
					cmd := exec.Command(off, "-c", "sleep 0.03; : "+canary, canary, "--password="+canary)
					cmd.Dir, cmd.Env = cwd, append(os.Environ(), "X="+canary)
					run(t, cmd)
					run(t, exec.Command(program(t, cwd, "sleep", canary), "0.03"))
				},
				Is: func(o capture.Observation, i int) bool {
					return o.Command != nil && strings.HasSuffix(o.Command.Line, " "+arg(i))
				},
			}
		},
	})
}
