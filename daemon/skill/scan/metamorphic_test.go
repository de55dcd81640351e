package scan

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/fstest"

	"showhow/capture/redact"
	"showhow/daemon/skill/scan/report"
)

var worth = map[report.Verdict]int{report.Clean: 0, report.Review: 1, report.Blocked: 2}

// judged is the verdict on a bundle.
func judged(t testing.TB, r *redact.Redactor, m fstest.MapFS) report.Report {
	rep, err := Bundle(context.Background(), m, Options{Redactor: r})
	if err != nil {
		t.Error(err)
	}
	return rep
}

// better counts, for every mutation, the malicious bundles that it makes look better. Of every part mutations a bundle has one, a different
// one from its neighbour's; with part 1 it has all.
func better(t testing.TB, bundles []labelled, changes []mutation, part int) map[string][]string {
	r := rules(t)
	out := map[string][]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := range work {
				l := bundles[n]
				before := judged(t, r, l.fsys.(fstest.MapFS))
				for i, c := range changes {
					if (n+i)%part != 0 {
						continue
					}
					m := folder(t, l.fsys)
					c.change(m)
					if after := judged(t, r, m); worth[after.Verdict] < worth[before.Verdict] {
						mu.Lock()
						out[c.name] = append(out[c.name], l.family+"/"+l.name+" "+string(before.Verdict)+">"+string(after.Verdict))
						mu.Unlock()
					}
				}
			}
		})
	}
	for n, l := range bundles {
		if l.evil {
			work <- n
		}
	}
	close(work)
	wg.Wait()
	return out
}

// BenchmarkTrustMetamorphic is the share of mutated malicious bundles whose verdict did not get better.
func BenchmarkTrustMetamorphic(b *testing.B) {
	all, bundles := mutations(), allLabels(b)
	for b.Loop() {
		evil, wrong := 0, 0
		for _, l := range bundles {
			if l.evil {
				evil++
			}
		}
		for _, names := range better(b, bundles, all, 1) {
			wrong += len(names)
		}
		b.ReportMetric(1-float64(wrong)/float64(evil*len(all)), "metamorphic_held")
	}
}
