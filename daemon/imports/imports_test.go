package imports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/internal/fault"
)

var ctx = context.Background()

// Every command in every state: it moves the import along the graph, or answers that it cannot and changes nothing.
func TestR11_2_SkillImportCommandsInEveryState(t *testing.T) {
	k := newKit(t)
	commands := map[string]struct {
		from imports.State
		run  func(id string) error
	}{
		"stage": {imports.ScanComplete, func(id string) error {
			_, err := k.Stage(ctx, imports.Meta{}, imports.StageRequest{ImportID: id})
			return err
		}},
		"approve": {imports.ReadyForReview, func(id string) error {
			_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id})
			return err
		}},
		"install": {imports.ReadyForReview, func(id string) error {
			_, err := k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: id})
			return err
		}},
		"reject": {imports.ReadyForReview, func(id string) error {
			_, err := k.Reject(ctx, imports.Meta{}, imports.RejectRequest{ImportID: id, Reason: "no"})
			return err
		}},
		"discard": {"", func(id string) error {
			_, err := k.Discard(ctx, imports.Meta{}, imports.DiscardRequest{ImportID: id})
			return err
		}},
		"retry scan": {imports.ScanFailed, func(id string) error {
			_, err := k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: "scan"})
			return err
		}},
		"retry stage": {imports.StageFailed, func(id string) error {
			_, err := k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: "stage"})
			return err
		}},
		"retry install": {imports.InstallFailed, func(id string) error {
			_, err := k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: "install"})
			return err
		}},
	}
	discardable := []imports.State{imports.ScanComplete, imports.Staging, imports.ReadyForReview}
	for name, c := range commands {
		for _, from := range imports.States {
			id := k.put(func(i *imports.Item) { i.StageState = from })
			err := c.run(id)
			if from == c.from || name == "discard" && slices.Contains(discardable, from) {
				if fault.Is(err, fault.InvalidImportTransition) {
					t.Errorf("%s in %s: %v", name, from, err)
				}
				continue
			}
			code(t, err, fault.InvalidImportTransition)
			if got := k.state(id); got != from {
				t.Errorf("%s in %s left it %s", name, from, got)
			}
		}
		_, err := k.Get(ctx, "0199e5d1-0000-7000-8000-000000000000")
		code(t, err, fault.SkillImportNotFound)
	}
}

// From upload to approval: the ability is there, for exactly this content, and nothing is left of the import but its record.
func TestR11_2_SkillImportHappyPath(t *testing.T) {
	k := newKit(t)
	item := k.staged()
	if item.SourceRefKind != imports.RefMaterialized || item.ContentHash == "" || item.SkillName != "tidy-invoices" ||
		item.Dialect != "baseline" {
		t.Errorf("%+v", item)
	}
	r, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: item.ImportID, ContentHash: item.ContentHash})
	if err != nil {
		t.Fatal(err)
	}
	if r.ImportRecord.StageState != imports.Approved || r.ReceiptID == "" || r.SagaID == "" {
		t.Errorf("%+v", r)
	}
	a, err := k.abilities.AvailabilityOf(ctx, r.ImportRecord.AbilityID)
	if err != nil || !a.UsableNow || a.InstallLane != ability.LaneApproved || a.Source != "imported" || a.ContentHash != item.ContentHash {
		t.Errorf("%+v %v", a, err)
	}
	approved, err := skill.ReadDir(filepath.Join(k.dir, "memory", "system", "learning", "installed", "tidy-invoices"))
	if err != nil || approved.Hash() != item.ContentHash {
		t.Fatal(approved.Hash(), err)
	}
	form, _, err := skill.Emit(approved, skill.TargetOf("agents"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := skill.ReadDir(filepath.Join(k.target, "tidy-invoices"))
	if err != nil || b.File("capabilities/imported.tidy-invoices.json") == nil {
		t.Errorf("the agent's copy has no manifest: %v", err)
	}
	b.Files = slices.DeleteFunc(b.Files, func(f skill.File) bool { return f.Path == "capabilities/imported.tidy-invoices.json" })
	if b.Hash() != form.Hash() {
		t.Error("the agent's copy is not the skill")
	}
	if left := k.files(); len(left) != 0 {
		t.Error("left:", left)
	}
	for _, s := range []imports.State{imports.Uploaded, imports.Scanning, imports.ScanComplete, imports.Staging, imports.ReadyForReview,
		imports.Approved} {
		want := 1
		if s == imports.Uploaded {
			want = 2 // the upload's own, and the import's
		}
		if n := k.receipts(journal.ImportState(string(s))); n != want {
			t.Errorf("%d receipts for %s", n, s)
		}
	}
}

func TestSkillImportInstallPrivate(t *testing.T) {
	k := newKit(t)
	item := k.staged()
	r, err := k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: item.ImportID})
	if err != nil || r.ImportRecord.StageState != imports.InstalledPrivate {
		t.Fatal(r, err)
	}
	a, err := k.abilities.AvailabilityOf(ctx, r.ImportRecord.AbilityID)
	if err != nil || a.InstallLane != ability.LanePrivate {
		t.Error(a, err)
	}
	// DOC3 0C.28: nothing is said while all parts are there; a copy that somebody took away is named.
	if d, err := k.Get(ctx, item.ImportID); err != nil || d.PartialDeployment != nil {
		t.Errorf("all is there, and it says %+v (%v)", d.PartialDeployment, err)
	}
	if err := os.RemoveAll(filepath.Join(k.target, a.SkillSlug)); err != nil {
		t.Fatal(err)
	}
	d, err := k.Get(ctx, item.ImportID)
	if p := d.PartialDeployment; err != nil || p == nil || p.State != "degraded" || !p.Blocking || p.ReasonCode != "projection_missing" ||
		p.UpdatedAt.IsZero() {
		t.Errorf("its copy is gone, and it says %+v (%v)", p, err)
	}
}

// DOC3 0C.28: each part that can be missing has its state.
func TestDeploymentNamesTheMissingPart(t *testing.T) {
	whole := func() (ability.AvailabilitySnapshot, ability.Catalog, ability.Bridge) {
		return ability.AvailabilitySnapshot{Abilities: []ability.AvailabilityEntry{{AbilityID: "a", PrimaryCapabilityID: "c", UsableNow: true}}},
			ability.Catalog{Items: []ability.CatalogEntry{{AbilityID: "a"}}}, ability.Bridge{
				State: "current", Entries: []ability.BridgeEntry{{CapabilityID: "c"}}}
	}
	for want, harm := range map[string]func(*ability.AvailabilitySnapshot, *ability.Catalog, *ability.Bridge){
		"": func(*ability.AvailabilitySnapshot, *ability.Catalog, *ability.Bridge) {},
		"removed": func(s *ability.AvailabilitySnapshot, c *ability.Catalog, _ *ability.Bridge) {
			s.Abilities, c.Items = nil, nil
		},
		"availability_pending not_in_snapshot": func(s *ability.AvailabilitySnapshot, _ *ability.Catalog, _ *ability.Bridge) {
			s.Abilities = nil
		},
		"availability_pending snapshot_stale": func(s *ability.AvailabilitySnapshot, _ *ability.Catalog, _ *ability.Bridge) { s.Stale = true },
		"catalog_pending not_in_catalog":      func(_ *ability.AvailabilitySnapshot, c *ability.Catalog, _ *ability.Bridge) { c.Items = nil },
		"bridge_pending not_in_bridge":        func(_ *ability.AvailabilitySnapshot, _ *ability.Catalog, b *ability.Bridge) { b.Entries = nil },
		"bridge_pending bridge_degraded": func(_ *ability.AvailabilitySnapshot, _ *ability.Catalog, b *ability.Bridge) {
			b.State = "degraded"
		},
	} {
		s, c, b := whole()
		harm(&s, &c, &b)
		got := ""
		if p := imports.Deployment("a", s, c, b); p != nil {
			got = p.State + " " + p.ReasonCode
		}
		if want == "removed" {
			want = ""
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestR11_2_skill_import_retry_idempotent(t *testing.T) {
	k := newKit(t)
	item := k.staged()
	k.install = fault.New(fault.BridgeRebuildFailed, "no")
	_, err := k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: item.ImportID})
	code(t, err, fault.BridgeRebuildFailed)
	if k.state(item.ImportID) != imports.InstallFailed {
		t.Fatal(k.state(item.ImportID))
	}
	for range 3 {
		_, err = k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: item.ImportID, RetryKind: "install"})
		code(t, err, fault.BridgeRebuildFailed)
	}
	d, _ := k.Get(ctx, item.ImportID)
	if d.ImportRecord.RetryCount != 3 || d.ImportRecord.LastErrorCode != "BRIDGE_REBUILD_FAILED" ||
		!slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, "retry_limit_reached") }) {
		t.Errorf("%+v", d)
	}
	if d.Failure == nil || d.Failure.Code != d.ImportRecord.LastErrorCode || d.Failure.Message != "no" {
		t.Errorf("%+v", d.Failure)
	}
	k.install = nil
	if _, err := k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: item.ImportID, RetryKind: "install"}); err != nil {
		t.Fatal(err)
	}
	if d, _ := k.Get(ctx, item.ImportID); d.Failure != nil {
		t.Errorf("what was mended is still told: %+v", d.Failure)
	}
	// another request: there is nothing to do again
	_, err = k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: item.ImportID, RetryKind: "install"})
	code(t, err, fault.InvalidImportTransition)
}

func TestR11_2_skill_import_upload_expiring_warning(t *testing.T) {
	k := newKit(t)
	id := k.scanned().ImportID
	lone := k.upload(k.zip())
	if d, _ := k.Get(ctx, id); slices.Contains(d.Warnings, imports.WarnExpiring) {
		t.Error(d.Warnings)
	}
	k.pass(22*time.Hour + time.Minute)
	if d, _ := k.Get(ctx, id); !slices.Contains(d.Warnings, "upload_expiring_soon") {
		t.Error(d.Warnings)
	}
	l, _ := k.Uploads(ctx)
	if len(l.Uploads) != 2 || !slices.Contains(l.Uploads[1].Warnings, "upload_expiring_soon") {
		t.Error(l)
	}
	k.pass(2 * time.Hour)
	_, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: lone})
	code(t, err, fault.SkillImportUploadExpired)
	if err := k.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	if got := k.state(id); got != imports.Discarded {
		t.Error(got)
	}
	if l, _ := k.Uploads(ctx); len(l.Uploads) != 0 || len(k.files()) != 0 {
		t.Error(l, k.files())
	}
}

// What waits for a person never goes by itself (rule 8).
func TestReadyForReviewDoesNotExpire(t *testing.T) {
	k := newKit(t)
	id := k.staged().ImportID
	k.pass(60 * 24 * time.Hour)
	if err := k.Tidy(ctx); err != nil {
		t.Fatal(err)
	}
	d, _ := k.Get(ctx, id)
	if d.ImportRecord.StageState != imports.ReadyForReview || len(d.Warnings) == 0 || !strings.HasPrefix(d.Warnings[0], "review_stale") {
		t.Errorf("%+v", d)
	}
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id}); err != nil {
		t.Error(err)
	}
}

func TestSkillImportExpiresWhileScanIsRetried(t *testing.T) {
	k := newKit(t)
	k.scan = func(scan.Report) (scan.Report, error) { return scan.Report{}, errors.New("no memory") }
	_, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: k.upload(k.zip())})
	id, _ := fault.From(err).Details["import_id"].(string)
	if k.state(id) != imports.ScanFailed {
		t.Fatal(k.state(id))
	}
	k.pass(25 * time.Hour)
	_, err = k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: "scan"})
	code(t, err, fault.SkillImportUploadExpired)
	if k.state(id) != imports.Expired {
		t.Error(k.state(id))
	}
}

// An archive that must not be unpacked: refused with its reason, and gone from the disk at once.
func TestSkillImportOfAnAttackLeavesNothing(t *testing.T) {
	k := newKit(t)
	evil := k.zip(skill.File{Path: skill.Entry, Data: []byte(goodSkill)}, skill.File{Path: "../../evil", Data: []byte("x")})
	_, err := k.Scan(ctx, imports.Meta{}, imports.ScanRequest{TempArtifactRef: k.upload(evil)})
	code(t, err, fault.SkillArchiveRefused)
	id, _ := fault.From(err).Details["import_id"].(string)
	d, _ := k.Get(ctx, id)
	if d.ImportRecord.StageState != imports.ScanFailed || d.ImportRecord.LastErrorCode != "path_traversal" || len(k.files()) != 0 {
		t.Errorf("%+v %v", d.ImportRecord, k.files())
	}
	if d.Failure == nil || d.Failure.Message != fault.From(err).Message || d.Failure.Hint == "" {
		t.Errorf("it does not say what was wrong with it: %+v", d.Failure)
	}
}

func TestSkillImportUploadRules(t *testing.T) {
	k := newKit(t)
	for _, c := range []struct {
		name, mime string
		body       string
		want       fault.Code
	}{
		{"a.tar.gz", "application/gzip", "x", fault.SkillImportUnsupportedExtension},
		{"a.exe", "application/zip", "x", fault.SkillImportUnsupportedExtension},
		{"a.zip.exe", "application/octet-stream", "x", fault.SkillImportUnsupportedExtension},
		{"a.zip", "text/plain", "x", fault.SkillImportUnsupportedMIME},
		{"a.zip", "", "x", fault.SkillImportUnsupportedMIME},
		{"a.zip", "application/zip", "not a zip", fault.SkillImportArchiveRequired},
		{"a.zip", "application/zip", "", fault.SkillImportArchiveRequired},
		{"a.skillbundle.zip", "application/octet-stream", string(k.zip()), ""},
		{"A.ZIP", "application/x-zip-compressed", string(k.zip()), ""},
	} {
		_, err := k.Upload(ctx, imports.Meta{}, imports.Bundle{Filename: c.name, ContentType: c.mime, Body: strings.NewReader(c.body)}, meta(""))
		if got := fault.CodeOf(err); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.mime, got, c.want)
		}
	}
	k.options.Limits.Upload = 1000
	small := imports.New(k.options)
	_, err := small.Upload(ctx, imports.Meta{},
		imports.Bundle{Filename: "a.zip", ContentType: "application/zip", Body: bytes.NewReader(append(k.zip(), make([]byte, 2000)...))},
		meta(""))
	code(t, err, fault.SkillImportFileTooLarge)
	if n := len(k.files()); n != 2 {
		t.Errorf("%d files", n)
	}
}

func TestSkillImportUploadIsIdempotent(t *testing.T) {
	k := newKit(t)
	up := func(id string, data []byte) (string, error) {
		r, err := k.Upload(ctx, imports.Meta{}, imports.Bundle{Filename: "a.zip", ContentType: "application/zip", Body: bytes.NewReader(data)},
			meta(id))
		return r.TempArtifact.TempArtifactRef, err
	}
	one, err := up("r1", k.zip())
	two, err2 := up("r1", k.zip())
	if err != nil || err2 != nil || one != two {
		t.Fatal(one, two, err, err2)
	}
	_, err = up("r1", k.zip(skill.File{Path: skill.Entry, Data: []byte(goodSkill)}))
	code(t, err, fault.IdempotencyMismatch)
	if three, _ := up("r2", k.zip()); three == one || len(k.files()) != 2 {
		t.Error(three, k.files())
	}
}

func TestDeleteUploadFailsClosed(t *testing.T) {
	k := newKit(t)
	ref := k.upload(k.zip())
	if r, err := k.DeleteUpload(ctx, imports.Meta{}, ref); err != nil || !r.Deleted || len(k.files()) != 0 {
		t.Fatal(r, err)
	}
	_, err := k.DeleteUpload(ctx, imports.Meta{}, ref)
	code(t, err, fault.SkillImportNotFound)
	_, err = k.DeleteUpload(ctx, imports.Meta{}, "../../../etc/passwd")
	code(t, err, fault.SkillImportNotFound)
	for _, s := range []imports.State{imports.Scanning, imports.Staging, imports.InstallQueued} {
		ref := k.upload(k.zip())
		id := k.put(func(i *imports.Item) { i.StageState, i.Upload = s, ref })
		err := k.store.Imports().Update(ctx, func(tx imports.Tx) error {
			u, _, err := tx.Upload(ref)
			u.ImportID = id
			return errors.Join(err, tx.PutUpload(u))
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = k.DeleteUpload(ctx, imports.Meta{}, ref)
		code(t, err, fault.SkillImportUploadInUse)
	}
}

// What the scan found it to use is shown, and granted only as far as the person says so; a retry grants what was decided.
func TestImportGetsWhatThePersonNamed(t *testing.T) {
	for name, c := range map[string]struct {
		says *ability.Permissions
		want []string
	}{
		"nothing":  {nil, nil},
		"one host": {&ability.Permissions{Domains: []string{"a.example"}}, []string{"a.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			k.scan = func(r scan.Report) (scan.Report, error) {
				r.Permissions = scan.Permissions{Tools: []string{"curl"}, Domains: []string{"a.example", "b.example"}, Credentials: []string{"KEY"}}
				return r, nil
			}
			k.install = fault.New(fault.BridgeRebuildFailed, "not now")
			id := k.staged().ImportID
			if _, err := k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: id, Permissions: c.says}); err == nil {
				t.Fatal("it was installed")
			}
			k.install = nil
			r, err := k.Retry(ctx, imports.Meta{}, imports.RetryRequest{ImportID: id, RetryKind: imports.RetryInstall})
			if err != nil {
				t.Fatal(err)
			}
			g, err := k.abilities.Granted(ctx, r.ImportRecord.AbilityID)
			if err != nil || !slices.Equal(g.Domains, c.want) || len(g.Credentials) != 0 || (len(g.Tools) == 1) != (c.says == nil) {
				t.Errorf("granted %+v, %v", g, err)
			}
		})
	}
}

// What the skill tells the agent and only a person can judge is ticked one by one.
func TestInstructionsForReviewAreTicked(t *testing.T) {
	k := newKit(t)
	k.scan = func(r scan.Report) (scan.Report, error) {
		r.Verdict = scan.Review
		r.Findings = []scan.Finding{
			{RuleID: "prompt-no-consent", Severity: scan.Medium, File: "SKILL.md", Line: 8},
			{RuleID: "prompt-hijack", Severity: scan.Medium, File: "SKILL.md", Line: 9},
			{RuleID: "prompt-hijack", Severity: scan.Low, File: "SKILL.md", Line: 10},
			{RuleID: "secret-inside", Severity: scan.Medium, File: "SKILL.md", Line: 11},
		}
		return r, nil
	}
	id := k.staged().ImportID
	d, err := k.Get(ctx, id)
	want := []string{"prompt-no-consent SKILL.md:8", "prompt-hijack SKILL.md:9"}
	if err != nil || !slices.Equal(d.FindingsToRead, want) {
		t.Fatal(d.FindingsToRead, err)
	}
	for _, read := range [][]string{want[:1], {"prompt-no-consent SKILL.md:8", "prompt-hijack SKILL.md:10"}} {
		_, err = k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id, FindingsRead: read})
		code(t, err, fault.SkillImportBlocked)
		if left := fault.From(err).Details["findings"]; !reflect.DeepEqual(left, want[1:]) {
			t.Error(left)
		}
	}
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id, FindingsRead: want}); err != nil {
		t.Fatal(err)
	}
}

// The scan says that it must not be installed: only a person who says so all the same can.
func TestBlockedImportNeedsItsFindingsAccepted(t *testing.T) {
	k := newKit(t)
	k.scan = func(r scan.Report) (scan.Report, error) { r.Verdict = scan.Blocked; return r, nil }
	id := k.staged().ImportID
	_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id})
	code(t, err, fault.SkillImportBlocked)
	_, err = k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: id})
	code(t, err, fault.SkillImportBlocked)
	_, err = k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id, ContentHash: strings.Repeat("0", 64)})
	code(t, err, fault.ContentHashMismatch)
	one := 1
	_, err = k.Approve(ctx, imports.Meta{IfMatch: &one}, imports.ApproveRequest{ImportID: id})
	code(t, err, fault.RevisionConflict)
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id, AcceptFindings: true}); err != nil {
		t.Fatal(err)
	}
	if k.state(id) != imports.Approved {
		t.Error(k.state(id))
	}
}

func TestRestartFailsWhatWasInFlight(t *testing.T) {
	k := newKit(t)
	scanning := k.put(func(i *imports.Item) { i.StageState = imports.Scanning })
	staging := k.put(func(i *imports.Item) { i.StageState = imports.Staging })
	queued := k.put(func(i *imports.Item) {
		i.StageState, i.SagaID = imports.InstallQueued, "0199e5d1-0000-7000-8000-000000000001"
	})
	parked := k.staged().ImportID
	stray := filepath.Join(k.dir, "imports", "staged", ".staging-crashed")
	os.MkdirAll(stray, 0o700)
	lost := filepath.Join(k.dir, "imports", "uploads", "0199e5d1-0000-7000-8000-000000000002.zip")
	os.WriteFile(lost, []byte("PK"), 0o600)
	k.restart()
	for id, want := range map[string]imports.State{scanning: imports.ScanFailed, staging: imports.StageFailed, queued: imports.InstallFailed,
		parked: imports.ReadyForReview} {
		d, err := k.Get(ctx, id)
		if err != nil || d.ImportRecord.StageState != want || want != imports.ReadyForReview &&
			d.ImportRecord.LastErrorCode != "DAEMON_RESTARTED" {
			t.Errorf("%+v, want %s (%v)", d.ImportRecord, want, err)
		}
	}
	for _, p := range []string{stray, lost} {
		if _, err := os.Lstat(p); err == nil {
			t.Error(p, "is still there")
		}
	}
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: parked}); err != nil {
		t.Error(err)
	}
}

// Records of older versions (0C.20, migration rules; 0C.28): brought up to date at the start, with a receipt, and never shown a path.
func TestR11_2_SkillImportBackfill(t *testing.T) {
	k := newKit(t)
	ids := map[string]imports.State{}
	for old, want := range map[string]imports.State{"cancelled": imports.Discarded, "promoted_shared": imports.Approved,
		"needs_adapter": imports.ScanComplete, "rejected": imports.Rejected} {
		ids[k.put(func(i *imports.Item) {
			i.StageState, i.Legacy, i.SourceRefKind, i.Report = imports.State(old), "/home/somebody/skills/x", "", nil
		})] = want
	}
	before := k.receipts(journal.MigrationBackfill)
	k.restart()
	for id, want := range ids {
		d, err := k.Get(ctx, id)
		if err != nil || d.ImportRecord.StageState != want || d.ImportRecord.SourceRefKind != imports.RefLegacy ||
			strings.Contains(d.ImportRecord.SourceRef, "somebody") {
			t.Errorf("%+v %v", d.ImportRecord, err)
		}
		if want == imports.ScanComplete && (!d.ImportRecord.RequiresAdapter || !d.CompatibilityReport.RequiresAdapter ||
			len(d.CompatibilityReport.Findings) != 1) {
			t.Errorf("%+v", d.CompatibilityReport)
		}
	}
	if n := k.receipts(journal.MigrationBackfill) - before; n != 4 {
		t.Errorf("%d receipts", n)
	}
	b, err := os.ReadFile(filepath.Join(k.dir, "memory", filepath.FromSlash(imports.CurrentPath)))
	var view imports.List
	if err != nil || json.Unmarshal(b, &view) != nil || len(view.Items) != 4 || strings.Contains(string(b), "somebody") {
		t.Error(string(b), err)
	}
	k.restart()
	if n := k.receipts(journal.MigrationBackfill) - before; n != 4 {
		t.Errorf("migrated twice: %d", n)
	}
}

// Uploads that agents made take a share of the places, and leave the person's free.
func TestAgentsUploadsAreAShare(t *testing.T) {
	k := newKit(t)
	upload := func(source string) error {
		_, err := k.Upload(ctx, imports.Meta{}, imports.Bundle{Filename: "tidy.zip", ContentType: "application/zip",
			Body: bytes.NewReader(k.zip())}, func() (imports.UploadMetadata, error) {
			return imports.UploadMetadata{Source: source, SchemaVersion: 1}, nil
		})
		return err
	}
	fill := func(source string) (n int) {
		for n = range 100 {
			if err := upload(source); err != nil {
				code(t, err, fault.TooManyRequests)
				break
			}
		}
		return n
	}
	if agents, person := fill(imports.OwnGenerated), fill(imports.ManualUpload); agents != 12 || person != 20 {
		t.Errorf("agents have %d places, the person %d", agents, person)
	}
}
