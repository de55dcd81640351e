package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/internal/fault"
)

// edited changes an installed skill and approves the change.
func (k *kit) edited(abilityID, more string) string {
	k.t.Helper()
	dir := filepath.Join(k.dir, "memory", "system", "learning", "installed", "tidy-invoices")
	name := filepath.Join(dir, skill.Entry)
	text, err := os.ReadFile(name)
	if err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, more...), 0o600); err != nil {
		k.t.Fatal(err)
	}
	b, err := skill.ReadDir(dir)
	if err != nil {
		k.t.Fatal(err)
	}
	if _, err := k.abilities.Approve(ctx, abilityID, ability.Approval{ContentHash: b.Hash()}, nil); err != nil {
		k.t.Fatal(err)
	}
	return b.Hash()
}

// A pull that takes the place of what was changed here and approved says so, and the replaced version is set aside.
func TestAPullSetsOwnChangesAside(t *testing.T) {
	k := newKit(t)
	first := k.approve(k.pulled(remote{text: "One.\n"}, tidyAt+":1").ImportID)
	own := k.edited(first.AbilityID, "As we do it.\n")
	merged := k.pulled(remote{text: "Two.\nAs we do it.\n", from: imports.Provenance{Merged: true, Updates: own}}, tidyAt+":2")
	if d, err := k.Get(ctx, merged.ImportID); err != nil || d.Comparison == nil || d.Comparison.ChangedHere {
		t.Errorf("an update with the changes gives them up: %+v %v", d.Comparison, err)
	}
	back := k.pulled(remote{text: "One.\n"}, tidyAt+":1")
	d, err := k.Get(ctx, back.ImportID)
	if err != nil || d.Comparison == nil || !d.Comparison.ChangedHere {
		t.Fatalf("%+v %v", d.Comparison, err)
	}
	out, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: back.ImportID})
	if err != nil || out.SetAside == "" {
		t.Fatalf("set aside in %q: %v", out.SetAside, err)
	}
	kept, err := skill.ReadDir(out.SetAside)
	if err != nil || kept.Hash() != own {
		t.Errorf("%q holds another version: %v", out.SetAside, err)
	}
	next := k.pulled(remote{text: "Three.\n"}, tidyAt+":3")
	if d, err := k.Get(ctx, next.ImportID); err != nil || d.Comparison == nil || d.Comparison.ChangedHere {
		t.Errorf("nothing was changed here: %+v %v", d.Comparison, err)
	}
	out, err = k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: next.ImportID})
	if err != nil || out.SetAside != "" {
		t.Errorf("set aside in %q: %v", out.SetAside, err)
	}
}

// What an approval would refuse is refused before a person is asked to confirm it.
func TestWhatMayNotBeApproved(t *testing.T) {
	k := newKit(t)
	unsigned := k.pulled(remote{text: "Nobody's.\n"}, tidyAt+":0.9")
	approve, install := imports.ApproveRequest{ImportID: unsigned.ImportID}, imports.InstallPrivateRequest{ImportID: unsigned.ImportID}
	for _, err := range []error{k.MayApprove(ctx, imports.Meta{}, approve), k.MayInstall(ctx, imports.Meta{}, install)} {
		if err != nil {
			t.Error(err)
		}
	}
	k.approve(k.pulled(remote{text: "One.\n", from: imports.Provenance{Signer: keyA}}, tidyAt+":1.0").ImportID)
	code(t, k.MayApprove(ctx, imports.Meta{}, approve), fault.RegistryUnsigned)
	code(t, k.MayInstall(ctx, imports.Meta{}, install), fault.RegistryUnsigned)
	if got := k.state(unsigned.ImportID); got != imports.ReadyForReview {
		t.Errorf("looking made it %s", got)
	}
}

// Exactly what waits for a decision, or is installed, is not brought in once more.
func TestTheSamePullAgain(t *testing.T) {
	k := newKit(t)
	again := func(r remote, reference string) *fault.Error {
		t.Helper()
		k.options.Remote = &r
		k.Service = imports.New(k.options)
		_, err := k.FromSource(ctx, imports.Meta{}, imports.SourceRequest{Kind: "registry", Reference: reference})
		if err == nil {
			return nil
		}
		return fault.From(err)
	}
	one := remote{text: "One.\n", from: imports.Provenance{Signer: keyA}}
	waits := k.pulled(one, tidyAt+":1")
	if f := again(one, tidyAt+":1"); f == nil || f.Code != fault.SkillImportWaiting || f.Details["import_id"] != waits.ImportID {
		t.Errorf("%+v", f)
	}
	for name, f := range map[string]*fault.Error{
		"another tag":     again(one, tidyAt+":2"),
		"another signer":  again(remote{text: one.text}, tidyAt+":1"),
		"another content": again(remote{text: "Two.\n", from: one.from}, tidyAt+":1"),
	} {
		if f != nil {
			t.Errorf("%s: %v", name, f)
		}
	}
	installed := k.approve(waits.ImportID)
	if f := again(one, tidyAt+":1"); f == nil || f.Code != fault.SkillImportInstalled || f.Details["skill_slug"] != "tidy-invoices" {
		t.Errorf("%+v", f)
	}
	k.edited(installed.AbilityID, "As we do it.\n")
	if f := again(one, tidyAt+":1"); f != nil {
		t.Errorf("what was changed here can be put back by a pull: %v", f)
	}
}

// A skill keeps the title that it gives itself: one line, of a bounded length, and none of a file with findings.
func TestTheTitleOfAnImport(t *testing.T) {
	for said, want := range map[string]string{
		"Tidy all the invoices":        "Tidy all the invoices",
		" Tidy\\nall \\u202einvoices ": "Tidy all invoices",
		strings.Repeat("long ", 80):    strings.TrimSpace(strings.Repeat("long ", 40)),
		"":                             "tidy invoices",
		"bad":                          "tidy invoices",
	} {
		k := newKit(t)
		const file = "capabilities/tidy.json"
		k.scan = func(r scan.Report) (scan.Report, error) {
			if said == "bad" {
				r.Findings = append(r.Findings, scan.Finding{File: file, Line: 1, Severity: scan.Low})
			}
			return r, nil
		}
		ref := k.upload(k.zip(skill.File{Path: skill.Entry, Data: []byte(goodSkill)},
			skill.File{Path: file, Data: []byte(`{"title": "` + said + `"}`)}))
		s, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: ref})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Stage(ctx, imports.Meta{}, imports.StageRequest{ImportID: s.ImportRecord.ImportID}); err != nil {
			t.Fatal(err)
		}
		out := k.approve(s.ImportRecord.ImportID)
		e, err := k.abilities.AvailabilityOf(ctx, out.AbilityID)
		if err != nil || strings.TrimRight(e.Title, " …") != want && e.Title != want {
			t.Errorf("%q: %q, want %q (%v)", said, e.Title, want, err)
		}
	}
}
