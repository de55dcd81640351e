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
