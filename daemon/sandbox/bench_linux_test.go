package sandbox

import (
	"context"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// BenchmarkTrustSandboxStart measures what the sandbox adds to a command: the program true in a fresh box with a network, from
// Open until it has ended, less true without a box, in turns; the difference of the medians of 20.
func BenchmarkTrustSandboxStart(b *testing.B) {
	needs(b)
	for b.Loop() {
		var bare, boxed []float64
		for range 20 {
			bare = append(bare, took(b, func() error { return exec.Command("true").Run() }))
			var box *Box
			boxed = append(boxed, took(b, func() (err error) {
				if box, err = Open(b.Context(), Spec{Hosts: []string{"shop.example"}}); err == nil {
					_, err = box.Exec(context.WithoutCancel(b.Context()), Command{Args: []string{"true"}})
				}
				return err
			}))
			if err := box.Close(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(median(boxed)-median(bare), "sandbox_start_ms")
	}
}

// took is how long f takes, in milliseconds.
func took(b *testing.B, f func() error) float64 {
	b.Helper()
	start := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(start).Nanoseconds()) / 1e6
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
