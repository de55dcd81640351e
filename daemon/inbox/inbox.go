// Package inbox is everything that waits for a person, in one list: calls and runs that stand still, services that need a sign-in,
// skills that were changed, that failed or that can be repaired, imports that cannot be followed here, and what was done often enough
// to be learned. Each item has one action.
//
// Guarantees: it keeps nothing of its own; an item is there as long as what it is about is so, and is gone with it. A source that
// cannot be read leaves out its items, not those of the others.
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

// The kinds, the most urgent first: what stands still, what agents cannot use, what could be better.
var kinds = []string{"call_waiting", "run_question", "connector_auth", "reapproval", "quarantined", "repair_ready", "degraded",
	"import_needs_adapter", "done_again", "promotion_candidate"}

// Source lists the items of one kind of thing.
type Source func(ctx context.Context) ([]wire.InboxItem, error)

// Inbox reads its sources whenever somebody asks.
type Inbox struct {
	Sources []Source
	Log     *slog.Logger
}

// Items is everything that waits, the most urgent first, and of one kind the oldest.
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
