package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/events"
	"showhow/daemon/events/contract"
)

// A text is recognised as ours by its first line, also after a crash before its mark; a foreign text is moved aside.
func TestTexts(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const file = "system/events/reports/a.md"
	put := func(text string) { update(t, s, func(tx *Tx) error { return tx.PutText(file, text) }) }
	put("# One\n")
	var seq, size, mtime int64
	var sum string
	must(t, s.View(t.Context(), func(tx *Tx) error {
		return tx.tx.QueryRowContext(tx.ctx, `SELECT disk_seq, disk_size, disk_mtime, disk_hash FROM files WHERE path=?`, file).Scan(&seq, &size,
			&mtime, &sum)
	}))
	put("# Two\n")
	must(t, s.write(t.Context(), syncFull, func(tx *Tx) error { // a crash took the mark of the second, and a third followed
		if _, err := tx.exec(`UPDATE files SET disk_seq=?, disk_size=?, disk_mtime=?, disk_hash=? WHERE path=?`, seq, size, mtime, sum,
			file); err != nil {
			return err
		}
		return tx.PutText(file, "# Three\n")
	}))
	s.Close()
	s = open(t, dir)
	verify(t, s)
	b, err := os.ReadFile(s.pathOf(file))
	if err != nil || !strings.HasPrefix(string(b), "<!-- outbox_seq: ") || !strings.HasSuffix(string(b), " -->\n# Three\n") {
		t.Errorf("%s, %v", b, err)
	}
	if found, _ := filepath.Glob(s.pathOf(file) + ".foreign-*"); len(found) > 0 {
		t.Error("our own text was taken for foreign")
	}
	must(t, os.WriteFile(s.pathOf(file), []byte("mine"), 0o600))
	put("# Four\n")
	verify(t, s)
	if found, _ := filepath.Glob(s.pathOf(file) + ".foreign-*"); len(found) != 1 {
		t.Error("a foreign text was not moved aside")
	}
	update(t, s, func(tx *Tx) error { return tx.RemoveFile(file) })
	verify(t, s)
	if err := s.Update(t.Context(), func(tx *Tx) error { return tx.PutText("../x.md", "") }); err == nil {
		t.Error("a text left the memory root")
	}
}

// An interrupted deletion is finished at the next start.
func TestRuntimeSessionDeletionIsFinished(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const plain = "quokka seventy-seven"
	must(t, RuntimeEvents(s).Update(t.Context(), func(tx events.Tx) error {
		for _, id := range []string{"gone", "kept"} {
			e := contract.Envelope{EnvelopeID: "e-" + id, Event: contract.Event{EventID: "v-" + id, SessionID: id, Task: id + plain}}
			if id == "kept" {
				e.Event.Task = id
			}
			if err := tx.PutOriginal(events.Original{DeliveryID: "d-" + id, ReceivedAt: s.opt.Now(), Sealed: []byte("sealed-" + id)}); err != nil {
				return err
			}
			if err := tx.AddEnvelope(events.Kept{Envelope: e, DeliveryID: "d-" + id}); err != nil {
				return err
			}
			if _, err := tx.AddFeedback(events.Feedback{FeedbackID: "f-" + id, SessionID: id}); err != nil {
				return err
			}
			if err := tx.PutSession(events.StoredSession{}); err != nil {
				return err
			}
			if err := tx.AppendLine(events.EnvelopesPath, e); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, s.write(t.Context(), syncFull, func(tx *Tx) error {
		_, err := tx.exec(`INSERT INTO purges(purge_id, sessions, events, targets, runtime, created_at) VALUES('p','[]','[]','[]','["gone"]','')`)
		return err
	}))
	s.Close()
	s = open(t, dir)
	verify(t, s)
	for _, table := range []string{"runtime_envelopes", "runtime_feedback", "runtime_deliveries", "lines WHERE path LIKE '%envelopes%'"} {
		if n := count(t, s, "SELECT count(*) FROM "+table); n != 1 {
			t.Errorf("%s: %d rows", table, n)
		}
	}
	must(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if strings.Contains(string(b), plain) || strings.Contains(string(b), "sealed-gone") {
			t.Errorf("it is still in %s", filepath.Base(name))
		}
		return err
	}))
}
