package store

import (
	"encoding/json"
	"fmt"
	"testing"

	"showhow/daemon/imports"
	"showhow/internal/clock"
)

// What the current view shows is written with an import, and made of the import where an older version wrote it.
func TestListedImports(t *testing.T) {
	s := open(t, t.TempDir())
	at := clock.Now()
	all := s.Imports()
	must(t, all.Update(t.Context(), func(tx imports.Tx) error {
		for i := range 3 {
			err := tx.PutImport(imports.Item{Upload: "not shown", Record: imports.Record{ImportID: fmt.Sprint(i), SkillName: "a & <b>",
				SourceRefKind: imports.RefLegacy, SourceRef: "/home/somebody", StageState: imports.ScanComplete, CreatedAt: at, SchemaVersion: 1}})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	update(t, s, func(tx *Tx) error {
		_, err := tx.exec(`UPDATE skill_imports SET listed=NULL WHERE import_id='1'`)
		return err
	})
	must(t, all.View(t.Context(), func(tx imports.Tx) error {
		got, total, err := tx.ListedImports(2)
		if err != nil || total != 3 || len(got) != 2 {
			t.Fatalf("%d of %d, %v", len(got), total, err)
		}
		for i, b := range got {
			want := fmt.Sprint(2 - i)
			var r imports.Record
			must(t, json.Unmarshal(b, &r))
			if r.ImportID != want || r.SkillName != "a & <b>" || r.SourceRef != "legacy" || len(r.AllowedActions) != 2 {
				t.Errorf("import %s is listed as %s", want, b)
			}
		}
		if string(got[0][len(`{"import_id":"2"`):]) != string(got[1][len(`{"import_id":"1"`):]) {
			t.Errorf("listed differently:\n%s\n%s", got[0], got[1])
		}
		return nil
	}))
}
