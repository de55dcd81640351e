package notes_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"showhow/daemon/wire"
)

// BenchmarkNotes measures among 1,000 notes, one caller, warm: a search, and a task that is created, committed and
// indexed.
func BenchmarkNotes(b *testing.B) {
	h := newHouse(b)
	for i := range 20 {
		var actions []wire.NoteAction
		for k := range 50 {
			actions = append(actions, action("append_note", map[string]any{"title": fmt.Sprintf("note %d of topic%d", k, i),
				"body": "会议 about delivery dates and prices", "sources": []any{map[string]any{"type": "text", "value": "bench"}}}))
		}
		p, err := h.propose(person, user, actions...)
		if err == nil {
			_, err = h.commit(p.ChangeSetID)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	var search, commit []float64
	n := 0
	for b.Loop() {
		n++
		began := time.Now()
		if got := h.find(person, fmt.Sprintf("会议 topic%d", n%20)); len(got) < 50 {
			b.Fatal(len(got))
		}
		search = append(search, float64(time.Since(began).Microseconds())/1000)
		began = time.Now()
		h.task("bench", nil)
		commit = append(commit, float64(time.Since(began).Microseconds())/1000)
	}
	for key, took := range map[string][]float64{"notes_search_p50_ms": search, "notes_commit_p50_ms": commit} {
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], key)
	}
}
