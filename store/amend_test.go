package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"showhow/capture"
)

func TestAmend(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	in := []capture.Record{record("s1", "t1", 0), record("s1", "t1", 1), record("s1", "t1", 2)}
	if err := s.Append(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	seal := func(link string) []capture.SealedRow {
		return []capture.SealedRow{{LinkID: link, Target: "g", SessionID: "s1", Kind: capture.KindText, Nonce: []byte{1}, Sealed: []byte{2},
			CreatedAt: time.Now()}}
	}
	with, gone := in[1], in[2]
	with.Before, with.After = nil, &capture.State{Files: []capture.File{{Name: "a.csv", Size: 3, Change: "created"}}}
	with.Sealed, gone.Sealed = seal("kept"), seal("gone")
	if err := s.Update(t.Context(), func(tx *Tx) error {
		_, err := tx.tx.ExecContext(t.Context(), `DELETE FROM observations WHERE event_id=?`, eventKey(gone.Event.EventID))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Amend(t.Context(), []capture.Record{with, gone}); err != nil {
		t.Fatal(err)
	}
	s.Close()

	s = open(t, dir)
	got, err := s.TraceRecords(t.Context(), "t1")
	if err != nil {
		t.Fatal(err)
	}
	with.Sealed = nil
	if d := cmp.Diff([]capture.Record{in[0], with}, got); d != "" {
		t.Error(d)
	}
	if n := count(t, s, "SELECT count(*) FROM sealed WHERE link_id='kept'"); n != 1 {
		t.Errorf("%d rows of the value that the evidence mentions", n)
	}
	if n := count(t, s, "SELECT count(*) FROM sealed WHERE link_id='gone'"); n != 0 {
		t.Errorf("%d rows for an observation that was deleted", n)
	}
}
