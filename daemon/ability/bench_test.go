package ability_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/internal/await"
	"showhow/store"
)

// BenchmarkTrustDrift measures the time from a changed byte in a projected folder, without any request, until the last
// copy of the ability is withdrawn; ten abilities are installed. The figure is the median.
func BenchmarkTrustDrift(b *testing.B) {
	dir := b.TempDir()
	db, err := store.Open(b.Context(), store.Options{Dir: filepath.Join(dir, "data")})
	must(b, err)
	defer db.Close()
	targets := []ability.Target{{Name: "openclaw", Dir: filepath.Join(dir, "openclaw")}, {Name: "claude", Dir: filepath.Join(dir, "claude")}}
	s := ability.New(ability.Options{Store: db.Abilities(), MemoryRoot: filepath.Join(dir, "data", "memory"), Targets: targets,
		Env: ability.Environment{LookPath: func(c string) (string, error) { return "/bin/" + c, nil }}})
	_, err = s.Recover(b.Context())
	must(b, err)
	const slug = "the-changed-one"
	for _, name := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", slug} {
		_, err := s.Install(b.Context(), request(name))
		must(b, err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { _ = s.Run(ctx) })
	await.Until(b, "it watches", func() bool { return s.Watching().Folders > 0 })
	var took []float64
	for b.Loop() {
		file := filepath.Join(targets[0].Dir, slug, "SKILL.md")
		must(b, os.Chmod(file, 0o600))
		time.Sleep(150 * time.Millisecond) // bench: what the chmod and the restore before it set off
		if _, err := os.Stat(file); err == nil {
			start := time.Now()
			must(b, os.WriteFile(file, []byte("evil"), 0o600))
			for _, t := range targets {
				for start.Add(time.Minute).After(time.Now()) {
					if _, err := os.Lstat(filepath.Join(t.Dir, slug)); err != nil {
						break
					}
					time.Sleep(200 * time.Microsecond) // bench: it measures how long this takes
				}
			}
			took = append(took, float64(time.Since(start).Microseconds())/1000)
		}
		_, err := s.Restore(b.Context(), slug, nil)
		must(b, err)
	}
	slices.Sort(took)
	if len(took) > 0 {
		b.ReportMetric(took[len(took)/2], "drift_ms")
	}
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
