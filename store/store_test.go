package store

import (
	"context"
	"testing"

	"showhow/daemon/journal"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestTxIsAJournal(t *testing.T) {
	s := open(t, t.TempDir())
	ctx := context.Background()
	err := s.Update(ctx, func(tx *Tx) error {
		if err := tx.AddReceipt(journal.Receipt{Kind: journal.SessionStarted, Summary: "started"}); err != nil {
			return err
		}
		if err := tx.PutFile("system/a.json", map[string]any{"a": 1}); err != nil {
			return err
		}
		if err := tx.MoveFile("system/a.json", "system/b.json"); err != nil {
			return err
		}
		if err := tx.RemoveFile("system"); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.SessionStarted})
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	open(t, s.opt.Dir)
}
