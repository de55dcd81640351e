package store

import (
	"os"
	"slices"
	"testing"

	"showhow/daemon/journal"
)

// R9 0.2G, 1.1J: what something else writes, empties or removes where only Showhow writes is put back, with a receipt
// each; what Showhow itself writes, and files elsewhere, leave none.
func TestPutBack(t *testing.T) {
	s := open(t, t.TempDir())
	const a, b, c, other = "system/skills/config/user_preference.json", "system/skills/config/skill_config/x.json",
		"system/capabilities/manifests/x.json", "system/learning/current.json"
	update(t, s, func(tx *Tx) error {
		for _, p := range []string{a, b, c, other} {
			if err := tx.PutFile(p, map[string]any{"own": p}); err != nil {
				return err
			}
		}
		return nil
	})
	put := func() []string {
		t.Helper()
		got, err := s.PutBack(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		verify(t, s)
		return got
	}
	if got := put(); len(got) > 0 {
		t.Fatalf("our own writes: %v", got)
	}
	for _, p := range []string{a, c} {
		if err := os.WriteFile(s.pathOf(p), []byte(`{"foreign": true}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(s.pathOf(b)); err != nil {
		t.Fatal(err)
	}
	if got := put(); !slices.Equal(got, []string{c, b, a}) {
		t.Fatalf("%v", got)
	}
	if got := put(); len(got) > 0 {
		t.Errorf("put back twice: %v", got)
	}
	if n := count(t, s, "SELECT count(*) FROM receipts WHERE kind=?", string(journal.DirectWriteReverted)); n != 3 {
		t.Errorf("%d receipts", n)
	}
	if err := os.WriteFile(s.pathOf(other), []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := s.PutBack(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("%v %v", got, err)
	}
}
