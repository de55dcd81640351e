package relevance_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/ability/relevance"
)

// BenchmarkLookup25k measures one request among 25,199 abilities: those of the tools set, and made ones with descriptions of 200
// characters whose words are as unevenly frequent as in a language. One caller, warm. The memory is what the heap grows by.
func BenchmarkLookup25k(b *testing.B) {
	tools, asked := readSet(b, "tools-en"), readSet(b, "home-en")
	r := rand.New(rand.NewPCG(1, 2))
	said := described(r, 25_199-len(tools.Skills), tools)
	before := heap()
	x := tools.index()
	for i, d := range said {
		x.Put(fmt.Sprint("made-", i), relevance.Text{Title: d[:24], Description: d})
	}
	grown := heap() - before
	for _, q := range asked.Requests[:50] {
		x.Search(q.Q, 10)
	}
	var took []float64
	for b.Loop() {
		for _, q := range asked.Requests[50:] {
			start := time.Now()
			x.Search(q.Q, 10)
			took = append(took, float64(time.Since(start).Nanoseconds())/1000)
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "lookup_25k_p50_us")
	b.ReportMetric(took[len(took)*99/100], "lookup_25k_p99_us")
	b.ReportMetric(grown/1e6, "lookup_25k_mb")
	runtime.KeepAlive(x)
	runtime.KeepAlive(said)
}

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// described makes descriptions: real words first, the most frequent ones of the set, then made ones, by Zipf's law.
func described(r *rand.Rand, n int, like set) []string {
	var words []string
	for _, k := range like.Skills {
		words = append(words, strings.Fields(k.Description)...)
	}
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	slices.SortFunc(words, func(a, b string) int { return counts[b] - counts[a] })
	words = slices.Compact(words)
	syllables := strings.Fields("ka lo mi ren tu sor vel dra pin os fa gel hu ist jor kem lan mor nep qui rus ta ul vor wex yan zo")
	for len(words) < 40_000 {
		w := ""
		for range 2 + r.IntN(3) {
			w += syllables[r.IntN(len(syllables))]
		}
		words = append(words, w)
	}
	out := make([]string, n)
	for i := range out {
		var s strings.Builder
		for s.Len() < 200 {
			s.WriteString(words[int(math.Pow(float64(len(words)), r.Float64()))-1])
			s.WriteByte(' ')
		}
		out[i] = s.String()[:200]
	}
	return out
}
