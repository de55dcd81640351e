package query

import (
	"context"
	"strings"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// History returns a page of all sessions that were not deleted, newest first.
func (s *Reader) History(ctx context.Context, f wire.HistoryFilter) (wire.LearnHistoryResponse, error) {
	q := f.OrDefault()
	out := wire.LearnHistoryResponse{Items: []wire.HistoryItem{}, Page: q.Page, PageSize: q.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		if f.Outcome == "" && f.Search == "" {
			out.Items, out.Total, err = historyPage(tx, q)
			return err
		}
		all, err := searchHistory(tx, f)
		out.Total = len(all)
		from := min((q.Page-1)*q.PageSize, len(all))
		out.Items = append(out.Items, all[from:min(from+q.PageSize, len(all))]...)
		return err
	})
	return out, err
}

func historyPage(tx state.Tx, q wire.PageQuery) ([]wire.HistoryItem, int, error) {
	list, total, err := tx.History(q)
	out := make([]wire.HistoryItem, len(list))
	for i, v := range list {
		out[i] = wire.HistoryItem{
			LearnSessionID: v.LearnSessionID, EntryMode: v.EntryMode, State: v.State, Title: titleOf(v), CreatedAt: v.CreatedAt,
			CompletedAt: v.EndedAt, ProposalID: v.ProposalID, AbilityID: v.AbilityID, ImportID: v.ImportID, Outcome: state.Outcome(v),
		}
	}
	return out, total, err
}

// searchHistory filters the whole history, because an outcome is computed and not stored.
func searchHistory(tx state.Tx, f wire.HistoryFilter) (found []wire.HistoryItem, err error) {
	for page, seen := 1, 0; ; page++ {
		some, total, err := historyPage(tx, wire.PageQuery{Page: page, PageSize: 100})
		if err != nil {
			return nil, err
		}
		for _, i := range some {
			if matches(f, i) {
				found = append(found, i)
			}
		}
		if seen += len(some); len(some) == 0 || seen >= total {
			return found, nil
		}
	}
}

func titleOf(sess state.Session) string {
	if sess.Title != "" {
		return sess.Title
	}
	return plain.Clip(sess.Goal, 200)
}

func matches(f wire.HistoryFilter, i wire.HistoryItem) bool {
	outcome := i.Outcome
	if outcome == "" {
		outcome = string(i.State)
	}
	return (f.Outcome == "" || outcome == f.Outcome) &&
		strings.Contains(strings.ToLower(i.Title), strings.ToLower(strings.TrimSpace(f.Search)))
}
