package imports_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// remote is a registry that has one skill.
type remote struct {
	text string
	from imports.Provenance
}

func (r *remote) Fetch(_ context.Context, q imports.SourceRequest) ([]skill.File, string, imports.Provenance, error) {
	files := []skill.File{{Path: skill.Entry, Data: []byte(goodSkill + r.text)}}
	from := r.from
	from.Reference, from.Digest = q.Reference, "sha256:"+r.text
	if from.TrustHash == "" {
		from.TrustHash = skill.Bundle{Files: files}.Hash()
	}
	return files, "tidy-invoices", from, nil
}

// pulled brings in what the registry has, up to the review.
func (k *kit) pulled(r remote, reference string) imports.Record {
	k.t.Helper()
	k.options.Remote = &r
	k.Service = imports.New(k.options)
	u, err := k.FromSource(ctx, imports.Meta{}, imports.SourceRequest{Kind: "registry", Reference: reference})
	if err != nil {
		k.t.Fatal(err)
	}
	s, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: u.TempArtifact.TempArtifactRef})
	if err != nil {
		k.t.Fatal(err)
	}
	out, err := k.Stage(ctx, imports.Meta{}, imports.StageRequest{ImportID: s.ImportRecord.ImportID})
	if err != nil {
		k.t.Fatal(err)
	}
	return out.ImportRecord
}

func (k *kit) approve(id string) imports.Record {
	k.t.Helper()
	out, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id})
	if err != nil {
		k.t.Fatal(err)
	}
	return out.ImportRecord
}

const tidyAt = "registry.example.com/team/tidy"

// Of two pulls that wait, the one that is approved second replaces the other. It says so, and is not decided on what was
// seen before.
func TestAnApprovalChangesWhatAnotherPullReplaces(t *testing.T) {
	k := newKit(t)
	older, newer := k.pulled(remote{text: "One.\n"}, tidyAt+":1.0"), k.pulled(remote{text: "Two.\n"}, tidyAt+":1.1")
	if d, err := k.Get(ctx, older.ImportID); err != nil || d.Comparison != nil {
		t.Fatalf("%+v %v", d.Comparison, err)
	}
	installed := k.approve(newer.ImportID)
	d, err := k.Get(ctx, older.ImportID)
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Comparison; c == nil || !c.Replaces || c.AbilityID != installed.AbilityID || c.ApprovedHash != newer.ContentHash ||
		len(c.Files) != 1 {
		t.Fatalf("%+v", c)
	}
	seen := older.Revision
	_, err = k.Approve(ctx, imports.Meta{IfMatch: &seen}, imports.ApproveRequest{ImportID: older.ImportID})
	code(t, err, fault.RevisionConflict)
	d, err = k.Get(ctx, older.ImportID)
	if err != nil || d.ImportRecord.StageState != imports.ReadyForReview || d.ImportRecord.Replaces != installed.AbilityID {
		t.Fatalf("%+v", d.ImportRecord)
	}
	_, err = k.Approve(ctx, imports.Meta{IfMatch: &seen}, imports.ApproveRequest{ImportID: older.ImportID})
	code(t, err, fault.RevisionConflict)
	if out := k.approve(older.ImportID); out.AbilityID != installed.AbilityID {
		t.Errorf("it became another ability: %+v", out)
	}
}

// What a person granted the installed version stays granted to the next, where that asks for it too, and the installed
// version is no rival of its own successor.
func TestAnUpdateKeepsWhatWasGranted(t *testing.T) {
	k := newKit(t)
	asks := []string{"times.example.org"}
	k.scan = func(r scan.Report) (scan.Report, error) {
		r.Permissions.Domains = asks
		return r, nil
	}
	first := k.pulled(remote{text: "One.\n"}, tidyAt+":1.0")
	out, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: first.ImportID,
		Permissions: &ability.Permissions{Domains: []string{"gone.example.org", "times.example.org"}}})
	if err != nil {
		t.Fatal(err)
	}
	asks = []string{"more.example.org", "times.example.org"}
	next := k.pulled(remote{text: "Two.\n"}, tidyAt+":1.1")
	d, err := k.Get(ctx, next.ImportID)
	if err != nil || d.Comparison == nil || d.Comparison.Granted == nil {
		t.Fatalf("%+v %v", d.Comparison, err)
	}
	if g := d.Comparison.Granted.Domains; !slices.Contains(g, "times.example.org") {
		t.Errorf("granted %v", g)
	}
	if w := d.Comparison.Wider.Domains; !slices.Equal(w, []string{"more.example.org"}) {
		t.Errorf("wider %v", w)
	}
	for _, f := range d.CompatibilityReport.Findings {
		if f.Code == "SKILL-TRIGGER-TAKEN" {
			t.Errorf("it is its own rival: %s", f.Message)
		}
	}
	k.approve(next.ImportID)
	if p, err := k.abilities.Granted(ctx, out.ImportRecord.AbilityID); err != nil || !slices.Equal(p.Domains, []string{"times.example.org"}) {
		t.Errorf("granted %v %v", p.Domains, err)
	}
	other := k.pulled(remote{text: "One.\n"}, "registry.example.com/others/tidy:1.0")
	if d, err = k.Get(ctx, other.ImportID); err != nil || d.Comparison == nil || d.Comparison.Granted != nil {
		t.Errorf("%+v %v", d.Comparison, err)
	}
	rival := func(f wire.SkillCompatibilityFinding) bool { return f.Code == "SKILL-TRIGGER-TAKEN" }
	if !slices.ContainsFunc(d.CompatibilityReport.Findings, rival) {
		t.Error("a skill from elsewhere has no rival")
	}
}

// An update is made of what is installed. What was approved here meanwhile is not in it, so it is refused; a pull of an
// older push says that it is one.
func TestAnUpdateOfWhatWasChangedSince(t *testing.T) {
	k := newKit(t)
	at := func(hour int) *clock.Time {
		c := clock.At(time.Date(2026, 11, 1, hour, 0, 0, 0, time.UTC))
		return &c
	}
	first := k.pulled(remote{text: "One.\n", from: imports.Provenance{PushedAt: at(1)}}, tidyAt+":1.0")
	k.approve(first.ImportID)
	update := remote{text: "Two.\n", from: imports.Provenance{PushedAt: at(2), Updates: first.ContentHash}}
	waiting := k.pulled(update, tidyAt+":1.1")
	changed := k.pulled(remote{text: "One, as we do it.\n", from: imports.Provenance{PushedAt: at(1)}}, tidyAt+":1.0")
	k.approve(changed.ImportID)
	_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: waiting.ImportID})
	code(t, err, fault.ContentHashMismatch)
	_, err = k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: waiting.ImportID})
	code(t, err, fault.ContentHashMismatch)
	update.from.Updates = changed.ContentHash
	anew := k.pulled(update, tidyAt+":1.1")
	if d, err := k.Get(ctx, anew.ImportID); err != nil || d.Comparison == nil || d.Comparison.Older {
		t.Errorf("%+v %v", d.Comparison, err)
	}
	k.approve(anew.ImportID)
	back := k.pulled(remote{text: "One.\n", from: imports.Provenance{PushedAt: at(1)}}, tidyAt+":1.0")
	if d, err := k.Get(ctx, back.ImportID); err != nil || d.Comparison == nil || !d.Comparison.Older {
		t.Errorf("%+v %v", d.Comparison, err)
	}
}
