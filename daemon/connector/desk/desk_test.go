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
	id, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := d.Ask(t.Context(), Call{Binding: askfirst.Binding{Agent: "codex", Server: "notes", Tool: "write", Arguments: hash},
			Args: json.RawMessage(args)}, func(r askfirst.Record) {
			select {
			case id <- r.DispatchID:
			default:
			}
		})
		done <- err
	}()
	select {
	case x := <-id:
		return d, x, done
	case err := <-done:
		t.Fatal(err)
		return nil, "", nil
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
