// Package inbox collects everything that waits for a person in one list: stopped calls and runs, services that need a
// sign-in, skills that changed, failed or can be repaired, skills and notes that wait for a review, and routines that may
// be learned. Each item has one action.
//
// Guarantees: it stores nothing; an item exists as long as its cause. A source that cannot be read loses its own
// items, not those of the others.
//
// Package daemon wires the sources. To test it, give it sources.
package inbox

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// The kinds, most urgent first: what is stopped, what agents cannot use, what could be better.
var kinds = []string{"call_waiting", "run_question", "agent_question", "remote_sign_in", "remote_task", "connector_auth", "reapproval",
	"quarantined", "repair_ready", "degraded", "import_needs_adapter", "agent_proposal", "review_waiting", "note_proposal", "done_again",
	"promotion_candidate"}

// Source lists the items of one kind of thing.
type Source func(ctx context.Context) ([]wire.InboxItem, error)

// Inbox reads its sources on every request.
type Inbox struct {
	Sources []Source
	Log     *slog.Logger
}

// Items lists everything that waits, most urgent first, and within a kind the oldest first.
func (b *Inbox) Items(ctx context.Context) (wire.Inbox, error) {
	out := wire.Inbox{Items: []wire.InboxItem{}, SchemaVersion: 1}
	for _, s := range b.Sources {
		items, err := s(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			b.Log.Warn("a part of the inbox could not be read", "code", string(fault.CodeOf(err)))
			continue
		}
		for _, i := range items {
			i.ItemID = plain.Cut(i.Kind+":"+i.Ref, 240)
			i.Title, i.Detail = plain.Cut(i.Title, 240), plain.Cut(i.Detail, 600)
			out.Items = append(out.Items, i)
		}
	}
	slices.SortStableFunc(out.Items, func(a, b wire.InboxItem) int {
		if c := cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)); c != 0 || a.Since == nil || b.Since == nil {
			return c
		}
		return a.Since.Compare(b.Since.Time)
	})
	return out, nil
}
