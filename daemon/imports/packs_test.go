package imports_test

import (
	"errors"
	"os"
	"path/filepath"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
	"slices"
	"strings"
	"testing"
)

func TestTriggerTestAndPacks(t *testing.T) {
	k := newKit(t)
	id := k.scanned().ImportID
	r, err := k.TriggerTest(ctx, imports.TriggerTestRequest{ImportID: id, TriggerText: "sort my invoices"})
	if err != nil || !r.Matched || r.CandidateImportID != id || r.ReceiptID == "" {
		t.Error(r, err)
	}
	if n := k.receiptsInStore(journal.TriggerTested); n != 1 {
		t.Errorf("%d receipts of the test", n)
	}
	if r, err := k.TriggerTest(ctx, imports.TriggerTestRequest{ImportID: id, TriggerText: "water the plants"}); err != nil || r.Matched {
		t.Error(r, err)
	}
	_, err = k.TriggerTest(ctx, imports.TriggerTestRequest{TriggerText: "x"})
	code(t, err, fault.InvalidRequest)
	k.put(func(i *imports.Item) { i.StageState, i.SkillPack = imports.Approved, "office-pack" })
	p, err := k.Packs(ctx)
	if err != nil || len(p.Packs) != 1 || p.Packs[0].Title != "office pack" || !slices.Equal(p.Packs[0].Skills, []string{"tidy"}) {
		t.Error(p, err)
	}
	dir := filepath.Join(k.dir, "packs")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "office.json"), []byte(`{"pack_id":"office-pack",
		"title":"Office","description":"Invoices and more","skills":["file-taxes"],"default_support_packs":["csv-tools"],
		"recommended_connectors":["tracker"],"schema_version":1}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	if p, err = k.Packs(ctx); err != nil || len(p.Packs) != 1 {
		t.Fatal(p, err)
	}
	if got := p.Packs[0]; got.Title != "Office" || !slices.Equal(got.Skills, []string{"file-taxes", "tidy"}) ||
		!slices.Equal(got.DefaultSupportPacks, []string{"csv-tools"}) || !slices.Equal(got.RecommendedConnectors, []string{"tracker"}) {
		t.Errorf("%+v", got)
	}
}

// A skill should bring three sentences of each kind (baseline 1.1P); fewer are a warning, and counted.
func TestTriggerCoverage(t *testing.T) {
	k := newKit(t)
	look := func(triggers string) imports.Detail {
		t.Helper()
		ref := k.upload(k.zip(skill.File{Path: skill.Entry, Data: []byte(goodSkill)},
			skill.File{Path: skill.TriggerTestFile, Data: []byte(triggers)}))
		r, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: ref})
		if err != nil {
			t.Fatal(err)
		}
		d, err := k.Get(ctx, r.ImportRecord.ImportID)
		if err != nil || d.TriggerCoverage == nil {
			t.Fatal(d, err)
		}
		return d
	}
	warned := func(d imports.Detail) bool {
		return slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, imports.WarnTriggers) })
	}
	few := look(`{"positives":["sort invoices","Sort invoices ","file them"],"paraphrases":["a"],"negatives":[]}`)
	if c := *few.TriggerCoverage; c.Paraphrases != 1 || c.Negatives != 0 || !warned(few) {
		t.Errorf("%+v %v", c, few.Warnings)
	}
	enough := look(`{"positives":["b","c","d"],"paraphrases":["e","f","g"],"negatives":["h","i","j"]}`)
	if c := *enough.TriggerCoverage; c.Positives < 3 || c.Paraphrases != 3 || c.Negatives < 3 || warned(enough) {
		t.Errorf("%+v %v", c, enough.Warnings)
	}
}
