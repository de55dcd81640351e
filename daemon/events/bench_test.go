package events_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"showhow/daemon/events"
	"showhow/daemon/events/contract"
)

// message is a list of events that nobody has sent yet.
func message(b *testing.B, round, n int) []byte {
	b.Helper()
	list := make([]any, n)
	for i := range list {
		list[i] = map[string]any{"contract_name": contract.Name, "contract_version": "1.0", "event": map[string]any{
			"event_kind": "session_feedback", "session_id": fmt.Sprintf("s-%d-%d", round, i), "task": "review postgres migration rollback safety",
			"status": "failure", "score": .2, "comment": "missed rollback coverage", "selected_skill_ids": []any{"code_review"},
			"missing_capabilities": []any{"database migrations"}}}
	}
	out, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// BenchmarkTake is 500 events of as many sessions in one message.
func BenchmarkTake(b *testing.B) {
	p := newPlace(b, 1)
	round := 0
	for b.Loop() {
		if _, err := p.s.Take(b.Context(), events.Sender{Agents: []string{"scout"}}, message(b, round, 500)); err != nil {
			b.Fatal(err)
		}
		round++
	}
}

// BenchmarkGovernance is the report over 10,000 sessions.
func BenchmarkGovernance(b *testing.B) {
	p := newPlace(b, 1)
	for round := range 20 {
		if _, err := p.s.Take(b.Context(), events.Sender{Agents: []string{"scout"}}, message(b, round, 500)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := p.s.Governance(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLargestMessage is all the text that a runtime can send, in the largest pieces, which is refused after it was cleaned.
func BenchmarkLargestMessage(b *testing.B) {
	p := newPlace(b, 1)
	text := strings.Repeat("the token was refused at 10.0.0.1, user 4711; ", 1500)[:64<<10-1]
	list := make([]string, 15)
	for i := range list {
		list[i] = text
	}
	message, err := json.Marshal(map[string]any{"x": list})
	if err != nil || len(message) > contract.MaxSent {
		b.Fatal(len(message), err)
	}
	for b.Loop() {
		if _, err := p.s.Take(b.Context(), events.Sender{Agents: []string{"scout"}}, message); err == nil {
			b.Fatal("it was taken")
		}
	}
}

// BenchmarkLongSession is one session of 10,000 events, each sent by itself: what the last hundred take, each.
func BenchmarkLongSession(b *testing.B) {
	for b.Loop() {
		p := newPlace(b, 1)
		send := func(i int) {
			kind := `"session_started"`
			if i%10 == 9 {
				kind = `"session_feedback", "status": "partial", "score": 0.5`
			}
			body := fmt.Sprintf(`{"contract_name":%q,"contract_version":"1.0","event":{"event_kind":%s,"session_id":"long","task":"step %d"}}`,
				contract.Name, kind, i)
			if _, err := p.s.Take(b.Context(), events.Sender{Agents: []string{"scout"}}, []byte(body)); err != nil {
				b.Fatal(err)
			}
		}
		const n = 10_000
		began := time.Now()
		for i := range n - 100 {
			send(i)
			if i == 99 {
				b.ReportMetric(float64(time.Since(began).Microseconds())/100, "first-us/event")
			}
		}
		last := time.Now()
		for i := range 100 {
			send(n - 100 + i)
		}
		b.ReportMetric(float64(time.Since(last).Microseconds())/100, "last-us/event")
	}
}
