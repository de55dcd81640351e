package redact

import (
	"strings"
	"testing"
)

// BenchmarkQuality measures what tests must not: the share of unseen secrets that is found, and of ordinary commands touched.
func BenchmarkQuality(b *testing.B) {
	var recall, wrong float64
	for b.Loop() {
		recall, wrong = unseenRecall(b), falseRatio(b)
	}
	b.ReportMetric(recall, "redact_recall")
	b.ReportMetric(wrong, "redact_false_ratio")
}

func unseenRecall(b *testing.B) float64 {
	found, total := 0, 0
	for _, line := range lines(b, "unseen.txt") {
		class, marked, _ := strings.Cut(line, "\t")
		marked = strings.ReplaceAll(marked, `\n`, "\n")
		before, rest, ok := strings.Cut(marked, "«")
		secret, after, ok2 := strings.Cut(rest, "»")
		if !ok || !ok2 {
			b.Fatalf("no secret marked in a line of class %s", class)
		}
		total++
		if out := shared().Text(before + secret + after); !strings.Contains(out, secret) {
			found++
		} else {
			b.Logf("missed %s: %s", class, marked)
		}
	}
	return float64(found) / float64(total)
}

func falseRatio(b *testing.B) float64 {
	all := lines(b, "ordinary.txt")
	touched := 0
	for _, s := range all {
		if shared().Text(s) != s {
			touched++
		}
	}
	return float64(touched) / float64(len(all))
}
