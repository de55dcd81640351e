package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/connector/askfirst"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
	"showhow/store"
)

// asked is a desk with a call that waits, and how that ends.
func asked(t *testing.T, key func(context.Context) ([]byte, error), args string) (*Desk, string, chan error) {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(t.TempDir(), "data")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	d := New(Options{Store: st.Connectors(), Key: key})
	hash, err := askfirst.HashArguments(json.RawMessage(args))
	if err != nil {
		t.Fatal(err)
	}
	id, done := d.askAgain(t, hash, args)
	return d, id, done
}

// askAgain has another call wait, and returns the question that it waits for.
func (d *Desk) askAgain(t *testing.T, hash, args string) (string, chan error) {
	t.Helper()
	id, done := make(chan string, 100), make(chan error, 1)
	go func() {
		_, err := d.Ask(t.Context(), Call{Binding: askfirst.Binding{Agent: "codex", Server: "notes", Tool: "write", Arguments: hash},
			Session: "one", Args: json.RawMessage(args)}, func(r askfirst.Record) { id <- r.DispatchID })
		done <- err
	}()
	select {
	case x := <-id:
		return x, done
	case err := <-done:
		t.Fatal(err)
		return "", nil
	}
}

// Of identical calls that wait at the same time, an approval for the session covers all. One for a single call covers one of them, and the
// person is asked again for the next.
func TestIdenticalCallsWaitTogether(t *testing.T) {
	const calls = 3
	for decision, asks := range map[string]int{"approve_for_session": 1, "approve_once": calls} {
		t.Run(decision, func(t *testing.T) {
			d, id, done := asked(t, func(context.Context) ([]byte, error) { return []byte(strings.Repeat("k", 32)), nil }, `{"n":1}`)
			hash, err := askfirst.HashArguments(json.RawMessage(`{"n":1}`))
			if err != nil {
				t.Fatal(err)
			}
			ended := []chan error{done}
			for range calls - 1 {
				same, done := d.askAgain(t, hash, `{"n":1}`)
				if ended = append(ended, done); same != id {
					t.Fatal("an identical call asks a question of its own")
				}
			}
			pending := func() string {
				l, err := d.Pending(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if len(l.Dispatches) == 0 {
					return ""
				}
				return l.Dispatches[0].DispatchID
			}
			for range asks {
				await.Until(t, "the next question", func() bool { return pending() != "" })
				if _, err := d.Decide(t.Context(), pending(), wire.MCPAskFirstDecisionRequest{Decision: decision}, "user"); err != nil {
					t.Fatal(err)
				}
			}
			for _, done := range ended {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			if id := pending(); id != "" {
				t.Error("more is asked than the decision left open")
			}
		})
	}
}

// What was in an approved call is not kept once the call is made.
func TestNothingOfADecidedCallStays(t *testing.T) {
	const secret = "canary-4711"
	d, id, done := asked(t, func(context.Context) ([]byte, error) { return []byte(strings.Repeat("k", 32)), nil }, `{"password":"`+secret+`"}`)
	if _, err := d.Decide(t.Context(), id, wire.MCPAskFirstDecisionRequest{Decision: "approve_once"}, "user"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.last) != 1 {
		t.Fatal("what the last call was like is not known")
	}
	if all := fmt.Sprintf("%v %v %v", d.last, d.records, d.grants); strings.Contains(all, secret) {
		t.Error(all)
	}
}

// What cannot be read cannot be allowed, and can be refused.
func TestACallThatCannotBeReadIsNotAllowed(t *testing.T) {
	key := "k"
	d, id, done := asked(t, func(context.Context) ([]byte, error) { return []byte(strings.Repeat(key, 32)), nil }, `{"text":"x"}`)
	d.mu.Lock()
	key = "another"[:1]
	d.mu.Unlock()
	x, err := d.Dispatch(t.Context(), id)
	if err != nil || x.Arguments != nil || len(x.About) != 1 || !strings.Contains(x.About[0], "cannot be read") {
		t.Error(x, err)
	}
	_, err = d.Decide(t.Context(), id, wire.MCPAskFirstDecisionRequest{Decision: "approve_once"}, "user")
	if !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
	if _, err = d.Decide(t.Context(), id, wire.MCPAskFirstDecisionRequest{Decision: "deny"}, "user"); err != nil {
		t.Error(err)
	}
	if err := <-done; !fault.Is(err, fault.MCPAskFirstRequired) {
		t.Error(err)
	}
}
