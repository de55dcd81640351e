package imports

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
	"showhow/internal/twin"
)

// Scans scans uploads.
type Scans struct{ *records }

// Scan makes an import of an upload: unpacked in memory, scanned, and reported. Nothing of the skill is on the disk
// afterwards.
func (s *Scans) Scan(ctx context.Context, m Meta, r ScanRequest) (ScanResponse, error) {
	defer s.work()()
	ref := r.TempArtifactRef
	if ref == "" {
		ref = r.StagedUploadRef
	}
	if r.StagedUploadRef != "" && r.TempArtifactRef != "" && r.StagedUploadRef != r.TempArtifactRef || !refForm.MatchString(ref) {
		return ScanResponse{}, uploadNotFound()
	}
	item, err := s.begin(ctx, m, ref, r.Source)
	if err != nil {
		return ScanResponse{}, err
	}
	return s.scanned(ctx, m, item)
}

// begin makes the import of an upload, in state scanning.
func (s *Scans) begin(ctx context.Context, m Meta, ref, source string) (Item, error) {
	var out Item
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		u, ok, err := tx.Upload(ref)
		if err != nil {
			return err
		}
		switch {
		case !ok:
			return uploadNotFound()
		case u.ImportID != "":
			return fault.New(fault.InvalidImportTransition, "this upload has been scanned").WithDetail("import_id", u.ImportID).
				WithHint("`showhow skill imports show` has the report")
		case u.Gone:
			return uploadNotFound()
		case !s.o.Now().Before(u.ExpiresAt.Time):
			return expired()
		}
		if source == "" || source == ManualUpload {
			source = u.Source
		}
		now := s.o.Now()
		item := Item{Upload: ref, Within: u.Within, Notes: u.Notes, By: m.Principal,
			Record: Record{ImportID: s.o.NewID(), LearnSessionID: u.SessionID, Source: source, SourceRefKind: RefTemp,
				SourceRef: ref, OriginalFilename: u.OriginalFilename, StageState: UploadPending, SkillPack: u.Pack, Provenance: u.Provenance,
				ExpiresAt: &u.ExpiresAt, CreatedAt: now, SchemaVersion: 1}}
		u.ImportID = item.ImportID
		c := &change{Tx: tx, s: s.records, m: m, item: &item}
		for _, to := range []State{Uploaded, Scanning} {
			if err := c.enter(to, "", ""); err != nil {
				return err
			}
		}
		out = item
		return errors.Join(tx.PutUpload(u), c.save())
	})
	return out, err
}

// scanned performs the scan of an import and records the outcome.
func (s *Scans) scanned(ctx context.Context, m Meta, item Item) (ScanResponse, error) {
	if err := s.at("scanning"); err != nil {
		return ScanResponse{}, err
	}
	work := context.WithoutCancel(ctx) // its end is recorded, whoever still waits for it
	if !s.o.Now().Before(item.ExpiresAt.Time) || !exists(s.uploadPath(item.Upload)) {
		_, _, err := s.update(work, m, item.ImportID, func(c *change) error {
			c.item.LastErrorCode = string(fault.SkillImportUploadExpired)
			return errors.Join(c.enter(Expired, "", "upload_expired"), s.drop(c))
		})
		return ScanResponse{}, errors.Join(err, with(expired(), item.ImportID))
	}
	b, err := s.open(ctx, item)
	var report scan.Report
	if err == nil {
		report, err = s.judge(ctx, item, b)
	}
	var at place
	if err == nil {
		at, err = s.placeOf(work, item, b.Name, b.Hash()) // outside the transaction: a look at the catalog may write
	}
	if err != nil {
		return ScanResponse{}, s.scanFailed(work, m, item, err)
	}
	item, receipt, err := s.update(work, m, item.ImportID, func(c *change) error {
		c.item.describe(b.Bundle, report, b.left)
		c.item.settle(at)
		c.item.LastErrorCode = ""
		return c.enter(ScanComplete, "", string(report.Verdict))
	})
	if err != nil {
		return ScanResponse{}, err
	}
	return ScanResponse{ImportRecord: shown(item.Record), CompatibilityReport: twin.To[wire.SkillCompatibilityReport](*item.Report),
		ScanReport: twin.To[*wire.ScanReport](item.Scan), ReceiptID: receipt, SchemaVersion: 1}, nil
}

// scanFailed records the failure. A refused archive is not kept: no retry could make it safe.
func (s *Scans) scanFailed(ctx context.Context, m Meta, item Item, cause error) error {
	_, _, err := s.update(ctx, m, item.ImportID, func(c *change) error {
		c.item.failed(cause)
		c.failedRetry(RetryScan)
		if err := c.enter(ScanFailed, "", c.item.LastErrorCode); err != nil {
			return err
		}
		if archive.ReasonOf(cause) == "" {
			return nil
		}
		return errors.Join(c.over(c.item.LastErrorCode), s.drop(c))
	})
	if archive.ReasonOf(cause) != "" {
		err = errors.Join(err, removeFile(s.uploadPath(item.Upload)))
	}
	if err != nil {
		return err
	}
	return with(cause, item.ImportID)
}

// judge scans the bundle through a zip in memory that presents it as a folder.
func (s *Scans) judge(ctx context.Context, item Item, b opened) (scan.Report, error) {
	fsys, err := folderOf(b.Bundle)
	if err != nil {
		return scan.Report{}, fault.Wrap(err, fault.Internal, "the skill could not be scanned")
	}
	name := b.Name
	if strings.ContainsFunc(b.called, func(c rune) bool { return c > unicode.MaxASCII }) {
		name = b.called // which is judged as it was spelt
	}
	r, err := s.o.Scan(ctx, fsys, name)
	if err != nil {
		return r, err
	}
	return r, s.collide(ctx, item, b.Bundle, &r)
}

// collide warns about phrases that an installed ability answers better, or nearly as well, by lookup's matcher. The one
// that the import replaces is none of them.
func (s *Scans) collide(ctx context.Context, item Item, b skill.Bundle, r *scan.Report) error {
	doc, err := skill.Parse(b)
	if err != nil {
		return nil // which the report says
	}
	p := phrases(doc, b, *r)
	rivals, err := s.o.Installer.Collisions(ctx, ability.Phrases{Title: p.Title, TriggerPhrases: p.Triggers})
	if err != nil {
		return err
	}
	told := map[string]bool{}
	if len(rivals) > 0 {
		all, err := s.o.Installer.Origins(ctx)
		if err != nil {
			return err
		}
		if at := item.predecessor(all); at >= 0 {
			told[all[at].AbilityID] = true
		}
	}
	c := &r.Compatibility
	for _, x := range rivals {
		if told[x.AbilityID] {
			continue
		}
		told[x.AbilityID] = true
		how := "about as well"
		if x.Better {
			how = "better"
		}
		c.Findings = append(c.Findings, scan.CompatibilityFinding{Code: "SKILL-TRIGGER-TAKEN", Severity: "warning", PathHint: "triggers",
			Message: fmt.Sprintf("%q is answered %s by the installed %s", plain.Clip(x.Phrase, 80), how, plain.Clip(x.Title, 80))})
	}
	return nil
}

func folderOf(b skill.Bundle) (fs.FS, error) {
	packed, err := archive.Pack(b.Files)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
}

// describe stores what was found.
func (i *Item) describe(b skill.Bundle, r scan.Report, left int) {
	doc, _ := skill.Parse(b)
	i.SkillName, i.Slug, i.ContentHash, i.LeftOut, i.AssignedNamespace = b.Name, b.Name, b.Hash(), left, ""
	i.Dialect = dialect(doc)
	i.Phrases = phrases(doc, b, r)
	i.Scan, i.Report = &r, &r.Compatibility
	i.Verdict, i.RequiresAdapter = string(r.Verdict), r.Compatibility.RequiresAdapter
	i.CompatibilityReportRef = "skill-import:" + i.ImportID
	if i.SkillPack == "" {
		i.SkillPack = cutPack(r.Compatibility.SuggestedPackID)
	}
	i.Files = []FileInfo{}
	for _, f := range b.Files {
		sum := sha256.Sum256(f.Data)
		i.Files = append(i.Files, FileInfo{Path: f.Path, Bytes: len(f.Data), SHA256: hex.EncodeToString(sum[:]), Executable: f.Mode&0o111 != 0})
	}
}

func cutPack(id string) string { return id[:min(len(id), 64)] }

// dialect names the family of skills that the frontmatter was written for.
func dialect(d skill.Document) string {
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(d.OtherKeys, k) })
	}
	for k := range d.Metadata {
		if strings.HasPrefix(k, "openclaw.") || strings.HasPrefix(k, "clawdbot.") || strings.HasPrefix(k, "clawdis.") {
			return "openclaw"
		}
	}
	switch {
	case has("triggers", "negative_triggers", "negative-triggers", "support_packs", "support-packs", "skill-pack", "estimated_cost_class"):
		return "baseline"
	case has("user-invocable", "disable-model-invocation", "model", "context", "agent", "hooks", "argument-hint"):
		return "claude"
	}
	return "agentskills"
}

// phraseLength is the maximum length of a trigger phrase in the canonical files, in characters.
const phraseLength = 120

// titleLength is the maximum length of a title in a manifest, in characters.
const titleLength = 200

// phrases are the sentences in a skill's frontmatter and trigger tests.
func phrases(d skill.Document, b skill.Bundle, r scan.Report) Phrases {
	tests, _ := skill.TriggerTestsOf(b)
	positives, negatives := union(d.Triggers, tests.Positives), union(d.NegativeTriggers, tests.Negatives)
	p := Phrases{Title: titleOf(b, r), Triggers: cutAll(positives), NegativeTriggers: cutAll(negatives),
		Coverage: Coverage{Positives: len(positives), Paraphrases: len(union(tests.Paraphrases)), Negatives: len(negatives)}}
	if len(p.Triggers) == 0 && d.Description != "" { // its own description is how it will be asked for
		p.Triggers = []string{plain.Cut(d.Description, phraseLength)}
	}
	return p
}

// titleOf is the title that a skill gives itself in its capability file, else its name in words. It comes from elsewhere, so it
// is one line of what can be seen, of a bounded length, and of a file in which the scan found nothing: agents read titles.
func titleOf(b skill.Bundle, r scan.Report) string {
	for _, f := range b.Files { // in order of path
		var m struct {
			Title string `json:"title"`
		}
		if !strings.HasPrefix(f.Path, "capabilities/") || !strings.HasSuffix(f.Path, ".json") || json.Unmarshal(f.Data, &m) != nil ||
			slices.ContainsFunc(r.Findings, func(x scan.Finding) bool { return x.File == f.Path }) {
			continue
		}
		if title := plain.VisibleLine(m.Title); title != "" {
			return plain.Cut(title, titleLength)
		}
	}
	return plain.Cut(strings.ReplaceAll(b.Name, "-", " "), titleLength)
}

// union returns each sentence once, in order.
func union(lists ...[]string) []string {
	out, seen := []string{}, map[string]bool{}
	for _, s := range slices.Concat(lists...) {
		if s = strings.TrimSpace(s); s != "" && !seen[strings.ToLower(s)] {
			seen[strings.ToLower(s)], out = true, append(out, s)
		}
	}
	return out
}

func cutAll(in []string) []string {
	out := []string{}
	for _, s := range in[:min(len(in), 50)] {
		out = append(out, plain.Cut(s, phraseLength))
	}
	return out
}
