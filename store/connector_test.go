package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"showhow/daemon/connector"
	"showhow/internal/clock"
)

func callReceipt(id string) connector.Receipt {
	r := connector.NewReceipt(id, "tool_call", "notes", "ok", "a call", "", clock.Now())
	r.Call = &connector.CallRecord{Agent: "codex", Provider: "custom_remote", ToolName: "read", ActionClass: "read", Result: "pending",
		ApprovalMode: "autonomous", IdentityAssertedKind: "unknown", DataClasses: []string{}, Sent: []string{}, Answered: []string{}}
	return r
}

// With many concurrent callers, each intent is stored before Intend returns, and ended calls are no longer open.
func TestCallsShareCommits(t *testing.T) {
	s := open(t, t.TempDir())
	c := s.Connectors()
	var wg sync.WaitGroup
	const callers, each = 8, 50
	for range callers {
		wg.Go(func() {
			for i := range each {
				r := callReceipt(clock.NewID())
				if err := c.Intend(t.Context(), r); err != nil {
					t.Error(err)
				}
				if i%2 == 0 {
					r.Call.Result = "success"
					c.Settle(r)
				}
			}
		})
	}
	wg.Wait()
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := c.View(t.Context(), func(tx connector.Tx) error {
		open, err := tx.Unsettled()
		if err != nil || len(open) != callers*each/2 {
			t.Errorf("%d are open, %v", len(open), err)
		}
		all, err := tx.ConnectorReceipts(connector.ReceiptFilter{Limit: 1000, ServerID: "notes", Kind: "tool_call"})
		if err != nil || len(all) != callers*each {
			t.Errorf("%d receipts, %v", len(all), err)
		}
		rest, err := tx.ConnectorReceipts(connector.ReceiptFilter{Limit: 1000, Before: all[9].ReceiptID})
		if err != nil || len(rest) != callers*each-10 {
			t.Errorf("%d before, %v", len(rest), err)
		}
		first, _ := uuid.Parse(all[len(all)-1].ReceiptID)
		at := clock.At(time.Unix(first.Time().UnixTime()))
		for _, tt := range []struct {
			f    connector.ReceiptFilter
			want bool
		}{
			{connector.ReceiptFilter{Since: at.Ptr()}, true}, {connector.ReceiptFilter{Until: at.Ptr()}, false},
			{connector.ReceiptFilter{Since: clock.Now().Plus(time.Minute).Ptr()}, false},
			{connector.ReceiptFilter{Until: clock.Now().Plus(time.Minute).Ptr()}, true},
		} {
			tt.f.Limit = 1
			if some, err := tx.ConnectorReceipts(tt.f); err != nil || len(some) > 0 != tt.want {
				t.Errorf("since %v until %v: %d receipts, %v", tt.f.Since, tt.f.Until, len(some), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(s.opt.Memory, connector.ReceiptsPath))
	if err != nil || strings.Count(string(b), "\n") != callers*each/2 {
		t.Errorf("%d lines, %v", strings.Count(string(b), "\n"), err)
	}
}

// Old receipts move into their month's archive and exist only once.
func TestReceiptsRotate(t *testing.T) {
	s := open(t, t.TempDir())
	c := s.Connectors()
	for i := range 30 {
		r := callReceipt(fmt.Sprintf("r%02d", i))
		if i < 10 {
			r.CreatedAt, _ = clock.Parse("2026-01-02T00:00:00Z")
		} else {
			r.CreatedAt, _ = clock.Parse("2026-02-02T00:00:00Z")
		}
		c.Settle(r)
	}
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to do
		if err := c.(connectorStore).rotate(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]int{"receipts.jsonl": 5, "archive/receipts-2026-01.jsonl": 10, "archive/receipts-2026-02.jsonl": 15} {
		b, err := os.ReadFile(filepath.Join(s.opt.Memory, "system/mcp", file))
		if n := strings.Count(string(b), "\n"); err != nil || n != want {
			t.Errorf("%s has %d lines, want %d (%v)", file, n, want, err)
		}
	}
}

// Readers of receipts first flush what was settled, while the store also flushes by itself: no receipt is stored
// twice, none is lost.
func TestFlushesDoNotTakeEachOthersReceipts(t *testing.T) {
	s := open(t, t.TempDir())
	c := s.Connectors()
	var wg sync.WaitGroup
	const callers, each = 6, 60
	for range callers {
		wg.Go(func() {
			for range each {
				r := callReceipt(clock.NewID())
				r.Call.Result = "success"
				c.Settle(r)
				if err := c.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, err := os.ReadFile(filepath.Join(s.opt.Memory, connector.ReceiptsPath))
	if err != nil || strings.Count(string(all), "\n") != callers*each {
		t.Errorf("%d lines of %d, %v", strings.Count(string(all), "\n"), callers*each, err)
	}
}
