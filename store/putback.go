package store

import (
	"context"
	"path"
	"slices"

	"showhow/daemon/journal"
)

// SingleWriter are the folders of canonical files that only Showhow writes (baseline 0.2G, 0.3, 1.1J): what something
// else writes there is put back.
var SingleWriter = []string{"system/skills/config", "system/capabilities", "system/abilities", "system/projects", "system/mcp"}

// PutBack compares the canonical JSON files below SingleWriter with the database, writes those again that something
// else changed or removed, with a receipt for each, and returns their paths.
func (s *projection) PutBack(ctx context.Context) ([]string, error) {
	strange, err := s.strange(ctx)
	if err != nil || len(strange) == 0 {
		return nil, err
	}
	err = s.write(ctx, syncFull, func(tx *Tx) error {
		for _, p := range strange {
			if _, err := tx.changed(p); err != nil {
				return err
			}
			if err := tx.AddReceipt(journal.Receipt{Kind: journal.DirectWriteReverted, Reason: "direct_write",
				Summary: "A file that only Showhow writes was changed by something else, and put back: " + p + "."}); err != nil {
				return err
			}
			if err := tx.Emit(journal.Event{Kind: journal.DirectWriteReverted, Payload: map[string]any{"path": p}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.projectCommitted(ctx)
	}
	return strange, s.asFault(err)
}

// strange lists the files that are not as the projector left them. While it looks nothing is projected: a file whose
// change is committed and not yet written is as its old row says, and is left out.
func (s *projection) strange(ctx context.Context) (out []string, err error) {
	select {
	case s.projector <- struct{}{}:
		defer func() { <-s.projector }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var rows []fileRow
	err = s.View(ctx, func(tx *Tx) (err error) {
		rows, err = tx.fileRows(`SELECT ` + fileColumns + `, 0 FROM files f WHERE gone=0 AND kind='json'
			AND NOT EXISTS(SELECT 1 FROM outbox o WHERE o.path=f.path) ORDER BY path`)
		return err
	})
	for _, f := range rows {
		if guarded(f.path) && !s.untouched(f) && s.equal(ctx, f) != nil {
			out = append(out, f.path)
		}
	}
	return out, err
}

func guarded(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(SingleWriter, dir) {
			return true
		}
	}
	return false
}
