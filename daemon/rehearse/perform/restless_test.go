package perform

import (
	"context"
	"testing"
	"testing/synctest"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// slipway is a site that is still at it: each time that its page is opened it shows the next rows, and the last ones from then on.
type slipway struct {
	berths
	next [][]port.Row
}

func (s *slipway) Peek(ctx context.Context, at string) (port.Page, error) {
	if s.now = s.next[0]; len(s.next) > 1 {
		s.next = s.next[1:]
	}
	return s.berths.Peek(ctx, at)
}

// A column in which a site worked for a while after one effect is not one that changes by itself when the next one is looked up.
func TestWhatWasSlowIsNotRestless(t *testing.T) {
	t.Parallel()
	const at = "https://x.example/slipway"
	boats := []string{"Heron", "Avocet", "Curlew", "Dunlin", "Egret"}
	rows := func(states ...string) (out []port.Row) {
		for i, boat := range boats {
			out = append(out, port.Row{List: "|Boat|State", Text: boat + " " + states[i], Columns: []string{"Boat", "State"},
				Cells: []string{boat, states[i]}})
		}
		return out
	}
	synctest.Test(t, func(t *testing.T) {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.guard = policy.NewGuard(record.TestPolicy{}, nil)
		p.tab.state = capture.State{URL: at}
		p.trail.things = []proof.Thing{{Name: "boat", Value: "Heron", Address: at}}
		look := func(was []port.Row, next ...[]port.Row) *proof.Review {
			p.tab.browser = &slipway{berths{mailbox{state: p.tab.state}, was}, next}
			p.trail.sights = nil
			p.trail.remember(at, was)
			return p.reviewer.lookUntilKept(t.Context(), workflow.Checkpoint{}, workflow.Step{}, &check.Scene{})
		}
		ashore := rows("ashore", "ashore", "ashore", "ashore", "ashore")
		first := look(ashore, rows("ashore", "afloat", "afloat", "ashore", "ashore"), rows("ashore", "afloat", "afloat", "afloat", "afloat"))
		if first.Proof() != "" {
			t.Errorf("the others are afloat: %q", first.Proof())
		}
		if second := look(ashore, rows("moored", "moored", "ashore", "ashore", "ashore")); second.More == "" {
			t.Errorf("another one was moored as well: %q", second.Proof())
		}
	})
}
