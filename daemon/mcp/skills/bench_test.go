package skills_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"showhow/daemon/mcp/skills"
)

// observed is a library whose state is known, as that of many abilities is between two observations.
type observed struct {
	*library
	refs []skills.Ref
}

func (o observed) Usable(context.Context, []string) ([]skills.Ref, error) { return o.refs, nil }

// BenchmarkSkillsList measures all pages of skills/list of 1,000 skills with four files each, from the SDK's client
// over HTTP. The figure is the median.
func BenchmarkSkillsList(b *testing.B) {
	l := newLibrary(b)
	for i := range 1000 {
		s := bundle(b, fmt.Sprintf("skill-%04d", i), "", "references/steps.md", "1. Look.\n", "references/more.md", "More.\n",
			"tests/checks.json", "{}")
		l.approved[s.Name], l.disk[s.Name] = s, s
	}
	refs, err := l.Usable(b.Context(), nil)
	must(b, err)
	h := connect(b, observed{l, refs}, "codex", nil)
	h.pages() // makes the entries
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if n := h.pages(); n != 1000 {
			b.Fatalf("%d skills", n)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "skills_list_ms")
}

// pages lists all skills and counts them.
func (h host) pages() (n int) {
	for cursor := ""; ; {
		p, err := h.page(cursor)
		must(h.t, err)
		n += len(p.Skills)
		if cursor = p.NextCursor; cursor == "" {
			return n
		}
	}
}
