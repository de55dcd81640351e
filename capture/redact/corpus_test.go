package redact

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

func lines(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}

// TestOrdinaryTextStays: at most 1% of ordinary commands, and of ordinary page texts, may be touched (decisions B14).
func TestOrdinaryTextStays(t *testing.T) {
	for name, least := range map[string]int{"ordinary.txt": 300, "pages.txt": 100} {
		all := lines(t, name)
		if len(all) < least {
			t.Fatalf("%s has %d lines", name, len(all))
		}
		touched := 0
		for _, s := range all {
			if got := shared().Text(s); got != s {
				touched++
				t.Logf("%s: %q -> %q", name, s, got)
			}
		}
		ratio := float64(touched) / float64(len(all))
		t.Logf("%s: %d of %d touched (%.2f%%)", name, touched, len(all), 100*ratio)
		if ratio > 0.01 {
			t.Errorf("%s: %.2f%% false positives, at most 1%%", name, 100*ratio)
		}
	}
}

// TestRecall measures what share of the secrets is found, by class, on sets that no rule was written from. On their first
// run 117 of 122 (heldout.txt) and 45 of 51 (heldout2.txt) were found; what was missed then became rules, so that today's
// figure says that nothing got lost, not how well unseen forms are found.
// Each line: class, tab, text with each secret in « ».
func TestRecall(t *testing.T) {
	found, total := map[string]int{}, map[string]int{}
	for _, line := range append(lines(t, "heldout.txt"), lines(t, "heldout2.txt")...) {
		class, marked, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no class: %q", line)
		}
		marked = strings.ReplaceAll(marked, `\n`, "\n")
		text := strings.NewReplacer("«", "", "»", "").Replace(marked)
		out := shared().Text(text)
		for rest := marked; ; {
			_, after, ok := strings.Cut(rest, "«")
			if !ok {
				break
			}
			secret, tail, _ := strings.Cut(after, "»")
			rest = tail
			total[class]++
			if strings.Contains(out, secret) {
				t.Logf("%s: missed %q in %q -> %q", class, secret, text, out)
			} else {
				found[class]++
			}
		}
	}
	for class, n := range total {
		recall := float64(found[class]) / float64(n)
		t.Logf("%-12s %3d of %3d (%.0f%%)", class, found[class], n, 100*recall)
		if recall < 0.95 {
			t.Errorf("%s: recall %.2f, at least 0.95", class, recall)
		}
	}
}
