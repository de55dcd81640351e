//go:build unix

package terminal

import (
	"fmt"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

func TestConformance(t *testing.T) {
	for _, shell := range Shells { // not at once: it looks for processes that are left
		t.Run(shell, func(t *testing.T) {
			adaptertest.Run(t, adaptertest.Harness{
				Quiet: 150 * time.Millisecond,
				Start: func(t *testing.T) adaptertest.World {
					dir := newRuntime(t)
					in, off := newTerm(t, dir, termOpts{shell: shell}), newTerm(t, dir, termOpts{shell: shell})
					line := func(i int) string { return fmt.Sprintf("echo act-%d-", i) }
					return adaptertest.World{
						Adapter:  New(dir),
						Scope:    capture.Scope{Shells: []string{in.tty}},
						OffScope: capture.Scope{Shells: []string{off.tty}},
						In:       func(t testing.TB, i int) { in.run(line(i)) },
						Off: func(t testing.TB, canary string) {
							off.run("cd; export X=" + canary + "; echo " + canary + " > " + canary)
						},
						Is: func(o capture.Observation, i int) bool {
							return o.Command != nil && o.Command.Line == line(i)
						},
						Stop: func() { in.stop(); off.stop() },
					}
				},
			})
		})
	}
}
