package store

import (
	"fmt"
	"slices"
	"testing"

	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// What SQLite leaves out is what state.MirrorsImport says, whatever of a session is set.
func TestLearningSessionsMirrorNoImport(t *testing.T) {
	s := open(t, t.TempDir())
	learn := s.Learn()
	var want []string
	err := learn.Update(t.Context(), func(tx state.Tx) error {
		n := 0
		for _, mode := range []state.EntryMode{state.ImportSkill, state.DemonstratingSkill} {
			for _, imported := range []string{"", "11111111-1111-4111-8111-111111111111"} {
				for _, artifact := range []string{"", "temp:1"} {
					for _, ended := range []bool{false, true} {
						n++
						v := state.Session{LearnSessionID: fmt.Sprintf("session-%02d", n), EntryMode: mode, State: state.Armed, ImportID: imported,
							TempArtifactRef: artifact, Ended: ended, CreatedAt: clock.Now(), UpdatedAt: clock.Now(), SchemaVersion: 1}
						if !ended && !state.MirrorsImport(v) {
							want = append(want, v.LearnSessionID)
						}
						if err := tx.PutSession(v); err != nil {
							return err
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = learn.View(t.Context(), func(tx state.Tx) error {
		open, err := tx.LearningSessions()
		var got []string
		for _, v := range open {
			got = append(got, v.LearnSessionID)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || len(want) != 5 {
			t.Errorf("got %v, want %v", got, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
