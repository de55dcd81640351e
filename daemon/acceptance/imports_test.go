package acceptance_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

const foreignSkill = "---\nname: sort-receipts\ndescription: Sorts the receipts of a folder by month. Use when somebody asks to sort " +
	"receipts.\n---\n\n# Sort receipts\n\nMove each PDF into a folder named after the month of its date, then tell how many were moved.\n"

// member is one file of a zip, with whatever name and mode.
type member struct {
	name, text string
	mode       fs.FileMode
}

func zipped(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range append([]member{{"SKILL.md", foreignSkill, 0o644}}, members...) {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(m.mode)
		_, err := got(w.CreateHeader(h))(t).Write([]byte(m.text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func (w *world) bringIn(data []byte) (client.SkillScan, error) {
	w.t.Helper()
	up := got(w.c.UploadSkill(w.t.Context(), "sort-receipts.zip", bytes.NewReader(data), client.SkillUploadMetadata{}))(w.t)
	return w.c.ScanSkillImport(w.t.Context(), up.TempArtifact.TempArtifactRef)
}

// Upload, scan, stage, approve through the daemon: the skill is where agents look, and the learn session that shows
// the import moved along (decisions A7).
func TestR11_2_ImportSkillSession(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	s := got(w.c.CreateSession(ctx, client.CreateRequest{EntryMode: "import_skill", ObservationMode: "none", TargetKind: "imported_skill",
		Goal: "sort receipts"}))(t).Session
	state := func(want string) {
		t.Helper()
		if x := got(w.c.Session(ctx, s.LearnSessionID))(t); string(x.State) != want {
			t.Errorf("the session is %s, want %s", x.State, want)
		}
	}
	state("armed")
	up := got(w.c.UploadSkill(ctx, "sort-receipts.zip", bytes.NewReader(zipped(t)), client.SkillUploadMetadata{}))(t)
	state("stopped")
	r := got(w.c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef))(t)
	state("reviewing")
	if r.ImportRecord.Verdict == "blocked" || r.ImportRecord.LearnSessionID != s.LearnSessionID {
		t.Errorf("%+v %+v", r.ImportRecord, r.ScanReport.Findings)
	}
	id := r.ImportRecord.ImportID
	got(w.c.StageSkillImport(ctx, id, client.IfMatch(r.ImportRecord.Revision)))(t)
	state("ready_for_review")
	out := got(w.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: id, ContentHash: r.ImportRecord.ContentHash}))(t)
	state("approved")
	for _, target := range w.o.Config.Targets {
		b := got(os.ReadFile(filepath.Join(target.Dir, "sort-receipts", "SKILL.md")))(t)
		if string(b) != foreignSkill {
			t.Errorf("%s has another text", target.Name)
		}
	}
	if a := got(w.c.Ability(ctx, out.ImportRecord.AbilityID))(t); !a.UsableNow || a.Source != "imported" {
		t.Errorf("%+v", a)
	}
	if x := got(w.c.Session(ctx, s.LearnSessionID))(t); x.AbilityID != out.ImportRecord.AbilityID || !x.Ended {
		t.Errorf("%+v", x)
	}
}

// An import without a session of its own gets one, beside a demonstration; session and draft decide nothing, for a
// person or an agent.
func TestImportsAreSessions(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	demo := got(w.c.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "none"}))(t).Session
	r := got(w.bringIn(zipped(t)))(t)
	id := r.ImportRecord.ImportID
	got(w.c.StageSkillImport(ctx, id))(t)
	d := got(w.c.SkillImport(ctx, id))(t)
	s := got(w.c.Session(ctx, d.ImportRecord.LearnSessionID))(t)
	if s.EntryMode != "import_skill" || s.State != "ready_for_review" || s.ImportID != id || s.ProposalID != d.ProposalID ||
		d.ProposalID == "" {
		t.Errorf("%+v %+v", s, d.ImportRecord)
	}
	p := got(w.c.Proposal(ctx, d.ProposalID))(t).Proposal
	bot := w.agent("bot")
	for _, c := range []*client.Client{w.c, client.Unix(w.o.Roots.Socket())} { // nobody is even asked to confirm it
		_, err := c.Install(ctx, p.ProposalID, client.InstallRequest{InstallLane: "approved_workspace", Revision: 1, ContentHash: p.ContentHash})
		refused(t, err, fault.DecidedOnImport)
	}
	_, err := w.c.CancelSession(ctx, s.LearnSessionID, "")
	refused(t, err, fault.DecidedOnImport)
	_, err = bot.Install(ctx, p.ProposalID, client.InstallRequest{InstallLane: "approved_workspace", Revision: 1, ContentHash: p.ContentHash})
	refused(t, err, fault.Forbidden)
	_, err = bot.CancelSession(ctx, s.LearnSessionID, "")
	refused(t, err, fault.Forbidden)
	got(w.c.RejectSkillImport(ctx, id, "not mine"))(t)
	h := got(w.c.History(ctx, client.HistoryFilter{}))(t)
	if len(h.Items) != 2 || h.Items[0].ImportID != id || h.Items[0].Outcome != "rejected" || h.Items[1].LearnSessionID != demo.LearnSessionID {
		t.Errorf("%+v", h.Items)
	}
}

// What decides needs a person: without presence nothing is approved, installed or rejected, and an agent cannot even look.
func TestImportDecisionsNeedAPerson(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	r := got(w.bringIn(zipped(t)))(t)
	id := r.ImportRecord.ImportID
	got(w.c.StageSkillImport(ctx, id))(t)
	alone := client.Unix(w.o.Roots.Socket())
	_, err := alone.ApproveSkillImport(ctx, client.ImportDecision{ImportID: id})
	f := refused(t, err, fault.PresenceRequired)
	if f.Details["content_hash"] != r.ImportRecord.ContentHash || f.Details["subject_id"] != id {
		t.Errorf("bound to %v", f.Details)
	}
	_, err = alone.InstallSkillImport(ctx, client.ImportDecision{ImportID: id})
	refused(t, err, fault.PresenceRequired)
	_, err = alone.RejectSkillImport(ctx, id, "no")
	refused(t, err, fault.PresenceRequired)
	bot := w.agent("bot")
	_, err = bot.SkillImport(ctx, id)
	refused(t, err, fault.Forbidden)
	_, err = bot.ApproveSkillImport(ctx, client.ImportDecision{ImportID: id})
	refused(t, err, fault.Forbidden)
	_, err = bot.UploadSkill(ctx, "x.zip", bytes.NewReader(zipped(t)), client.SkillUploadMetadata{})
	refused(t, err, fault.Forbidden)
	_, err = w.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: id}, client.IfMatch(1))
	refused(t, err, fault.RevisionConflict)
	if d := got(w.c.SkillImport(ctx, id))(t); d.ImportRecord.StageState != "ready_for_review" {
		t.Errorf("it is %s", d.ImportRecord.StageState)
	}
}

// everything is what lies below a folder, but for what a daemon writes all the time.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		if err != nil || d.IsDir() || strings.HasPrefix(filepath.Base(p), "showhow.db") ||
			strings.Contains(rel, "memory"+string(filepath.Separator)) {
			return err
		}
		out[rel] = d.Type().String()
		return nil
	}))
	return out
}

// Attacks through the real daemon: each is refused with its reason, and the installation is as it was, to the file.
func TestRefusedImportsLeaveNothing(t *testing.T) {
	w := begin(t)
	root := filepath.Dir(w.o.Roots.Home)
	canary := filepath.Join(root, "canary")
	must(t, os.WriteFile(canary, []byte("here before"), 0o600))
	got(w.c.SkillImports(t.Context(), client.SkillImportFilter{}))(t)
	must(t, os.MkdirAll(filepath.Join(w.o.Roots.Data, "imports", "uploads"), 0o700))
	before := everything(t, root)
	for why, data := range map[string][]byte{
		"path_traversal": zipped(t, member{"../../../canary", "gotcha", 0o644}),
		"path_absolute":  zipped(t, member{canary, "gotcha", 0o644}),
		"link":           zipped(t, member{"d", root, 0o777 | fs.ModeSymlink}, member{"d/canary", "gotcha", 0o644}),
		"special_file":   zipped(t, member{"p", "", 0o644 | fs.ModeNamedPipe}),
		"setuid":         zipped(t, member{"s", "x", 0o755 | fs.ModeSetuid}),
		"path_collision": zipped(t, member{"skill.md", "gotcha", 0o644}),
		"path_reserved":  zipped(t, member{"aux.md", "x", 0o644}),
		"bomb":           zipped(t, member{"zeros", strings.Repeat("\x00", 900<<10), 0o644}),
		"file_too_large": zipped(t, member{"large", strings.Repeat("0123456789", 120<<10), 0o644}),
		"foreign_data":   append(zipped(t), "hidden"...),
		"path_invisible": zipped(t, member{"a\u202eb", "x", 0o644}),
		"bomb_nested": zipped(t, member{"in.zip",
			string(zipped(t, member{"in.zip", string(zipped(t, member{"in.zip", string(zipped(t)), 0o644})), 0o644})), 0o644}),
		"path_too_long":  zipped(t, member{strings.Repeat("a/", 30) + "b", "x", 0o644}),
		"several_skills": zipWithout(t, member{"a/SKILL.md", foreignSkill, 0o644}, member{"b/SKILL.md", foreignSkill, 0o644}),
		"no_skill":       zipWithout(t, member{"README.md", "x", 0o644}),
		"path_unsafe":    zipped(t, member{"a//b", "x", 0o644}),
	} {
		_, err := w.bringIn(data)
		f := fault.From(err)
		if f.Details["reason"] != why {
			t.Errorf("%s: %v %v", why, f.Code, f.Details)
		}
	}
	w.until("no trace", func() bool { return maps.Equal(before, everything(t, root)) })
	if b := got(os.ReadFile(canary))(t); string(b) != "here before" {
		t.Errorf("the canary is %q", b)
	}
	if l := got(w.c.SkillImports(t.Context(), client.SkillImportFilter{State: "scan_failed"}))(t); l.Total != 16 {
		t.Errorf("%d imports failed", l.Total)
	}
}

func zipWithout(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		_, err := got(w.Create(m.name))(t).Write([]byte(m.text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// A repeat of a request is answered, not done again (DOC3 0C.28, skill_import_retry_idempotent, on the wire).
func TestR11_2_ImportRequestsAreIdempotent(t *testing.T) {
	w := begin(t)
	up := got(w.c.UploadSkill(t.Context(), "a.zip", bytes.NewReader(zipped(t)), client.SkillUploadMetadata{ClientRequestID: "r-1"}))(t)
	again := got(w.c.UploadSkill(t.Context(), "a.zip", bytes.NewReader(zipped(t)), client.SkillUploadMetadata{ClientRequestID: "r-1"}))(t)
	if up.TempArtifact.TempArtifactRef != again.TempArtifact.TempArtifactRef {
		t.Error("uploaded twice")
	}
	body := `{"source":"manual_upload","staged_upload_ref":"` + up.TempArtifact.TempArtifactRef +
		`","client_request_id":"r-2","schema_version":1}`
	one, two := w.send("POST", "/api/skills/import/scan", body, false), w.send("POST", "/api/skills/import/scan", body, false)
	if one.status != 200 || !bytes.Equal(one.body, two.body) {
		t.Errorf("%d %s\n%d %s", one.status, one.body, two.status, two.body)
	}
	if l := got(w.c.SkillImports(t.Context(), client.SkillImportFilter{}))(t); l.Total != 1 {
		t.Errorf("%d imports", l.Total)
	}
	// A retry that is sent twice is done once: what stood in the way of unpacking is gone, and the second one finds the first.
	var scanned client.SkillScan
	must(t, json.Unmarshal(one.body, &scanned))
	id := scanned.ImportRecord.ImportID
	staged := filepath.Join(w.o.Roots.Data, "imports", "staged")
	must(t, errors.Join(os.RemoveAll(staged), os.WriteFile(staged, nil, 0o600)))
	if a := w.send("POST", "/api/skills/import/stage", `{"import_id":"`+id+`","client_request_id":"r-3","schema_version":1}`,
		false); a.status < 400 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	must(t, os.Remove(staged))
	body = `{"import_id":"` + id + `","retry_kind":"stage","client_request_id":"r-4","schema_version":1}`
	one, two = w.send("POST", "/api/skills/import/retry", body, false), w.send("POST", "/api/skills/import/retry", body, false)
	if one.status != 200 || !bytes.Equal(one.body, two.body) {
		t.Errorf("%d %s\n%d %s", one.status, one.body, two.status, two.body)
	}
	if d := got(w.c.SkillImport(t.Context(), id))(t).ImportRecord; d.RetryCount != 1 || d.StageState != "ready_for_review" {
		t.Errorf("%+v", d)
	}
	if a := w.send("POST", "/api/skills/import/retry", strings.Replace(body, "r-4", "r-5", 1), false); a.status == 200 {
		t.Errorf("another retry of what is done: %s", a.body)
	}
	bad := w.send("POST", "/api/skills/import/uploads", `{}`, false)
	if bad.fault(t).Code != fault.MalformedJSON {
		t.Errorf("%s", bad.body)
	}
}

// The routes and schemas of 0C.20 are in the document, under the names that the mission gives them.
func TestR11_2_skill_import_routes_not_appendix_only(t *testing.T) {
	d := openAPI(t)
	for path, methods := range map[string]string{
		"/api/skills/import/uploads": "post", "/api/skills/import/uploads/{tempArtifactRef}": "delete", "/api/skills/import/scan": "post",
		"/api/skills/import/stage": "post", "/api/skills/import/approve": "post", "/api/skills/import/reject": "post",
		"/api/skills/import/install-private": "post", "/api/skills/import/discard": "post", "/api/skills/import/retry": "post",
		"/api/skills/import/{importId}": "get", "/api/skills/import/list": "get", "/api/skills/trigger-test": "post", "/api/skills/packs": "get",
	} {
		if _, ok := d.Paths[path][methods]; !ok {
			t.Errorf("no %s %s", methods, path)
		}
	}
	for _, name := range []string{"ImportedSkillRecord", "SkillCompatibilityReport", "SkillImportUploadMetadata", "TempArtifactRef",
		"SkillImportScanRequest",
		"SkillImportDetailResponse", "SkillImportListResponse", "SkillTriggerTestRequest", "SkillPacksListResponse",
		"LearnPartialDeploymentState"} {
		if d.Components.Schemas[name] == nil {
			t.Errorf("no schema %s", name)
		}
	}
}
