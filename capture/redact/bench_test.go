package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// BenchmarkQuality measures what tests must not: the share of unseen secrets found, by class, and the share of
// ordinary commands, addresses, titles and file names changed.
func BenchmarkQuality(b *testing.B) {
	var found, total map[string]int
	var wrong float64
	for b.Loop() {
		found, total = recallOf(b, lines(b, "unseen.txt"), false)
		wrong = falseRatio(b)
	}
	files, of := recallOf(b, lines(b, "files_unseen.txt"), false)
	n, m := 0, 0
	for class := range of {
		n, m = n+files[class], m+of[class]
	}
	b.Logf("pieces of leaky files: %d of %d", n, m)
	all, hit := 0, 0
	var classes strings.Builder
	for _, class := range slices.Sorted(maps.Keys(total)) {
		fmt.Fprintf(&classes, "\n    %-14s %3d of %3d", class, found[class], total[class])
		all, hit = all+total[class], hit+found[class]
	}
	b.Log("recall by class:" + classes.String())
	recallOf(b, lines(b, "unseen.txt"), true)
	b.ReportMetric(float64(hit)/float64(all), "redact_recall")
	b.ReportMetric(wrong, "redact_false_ratio")
}

// ordinarySets, each with its content. Those called plain were written before any rule was changed for them; on their
// first run 20 of 1757 lines changed.
var ordinarySets = []string{"ordinary.txt", "pages.txt", "plain_commands.txt", "plain_texts.txt"}

func falseRatio(b *testing.B) float64 {
	all, touched := 0, 0
	for _, name := range ordinarySets {
		n, t := 0, 0
		for _, s := range lines(b, name) {
			n++
			if shared().Text(s) != s {
				t++
			}
		}
		b.Logf("%-18s %d of %d touched", name, t, n)
		all, touched = all+n, touched+t
	}
	return float64(touched) / float64(all)
}

// recallOf counts by class the secrets of marked lines (class, tab, text with each secret in « ») that are removed.
func recallOf(t testing.TB, marked []string, tell bool) (found, total map[string]int) {
	t.Helper()
	found, total = map[string]int{}, map[string]int{}
	for _, line := range marked {
		class, text, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no class: %q", line)
		}
		text = strings.ReplaceAll(text, `\n`, "\n")
		out := shared().Text(strings.NewReplacer("«", "", "»", "").Replace(text))
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, "«")
			if !ok {
				break
			}
			secret, tail, _ := strings.Cut(after, "»")
			rest = tail
			total[class]++
			if !strings.Contains(out, secret) {
				found[class]++
			} else if tell {
				t.Logf("%s: missed %q in %q -> %q", class, secret, text, out)
			}
		}
	}
	return found, total
}
