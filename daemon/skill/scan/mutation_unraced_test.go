//go:build !race

package scan

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestNoMutationHelps: a verdict never gets better because text was added, moved or wrapped. Each bundle is tried with a part of the
// mutations; BenchmarkTrustMetamorphic tries all with all.
func TestNoMutationHelps(t *testing.T) {
	all, part := mutations(), 5
	if one := os.Getenv("MUTATION"); one != "" {
		all, part = slices.DeleteFunc(all, func(m mutation) bool { return !strings.Contains(m.name, one) }), 1
	}
	found := better(t, allLabels(t), all, part)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		slices.Sort(found[name])
		t.Errorf("%s: %d better: %s", name, len(found[name]), strings.Join(found[name], ", "))
	}
}

// TestNoPurposeConfirms: a purpose that is added to a description makes nothing malicious a mere permission. What it may do
// is less: to make a block a matter of judgement, where it names whom something goes to.
func TestNoPurposeConfirms(t *testing.T) {
	r, tried := rules(t), 0
	for n, l := range allLabels(t) {
		if !l.evil || n%3 != 0 {
			continue
		}
		m := folder(t, l.fsys)
		f := m["SKILL.md"]
		if f == nil || !judged(t, r, m).AsksJudgement() {
			continue
		}
		head, rest, ok := strings.Cut(string(f.Data), "\ndescription: ")
		if !ok {
			continue
		}
		tried++
		f.Data = []byte(head + "\ndescription: Writes to a Discord channel. " + rest)
		if rep := judged(t, r, m); !rep.AsksJudgement() {
			t.Errorf("%s/%s: %s %+v", l.family, l.name, rep.Verdict, rep.Findings)
		}
	}
	if tried < 50 {
		t.Errorf("%d descriptions", tried)
	}
}
