package events_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

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
