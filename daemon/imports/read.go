package imports

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
	"showhow/internal/twin"
)

// Warnings of an import or upload (DOC3 0C.20).
const (
	WarnExpiring   = "upload_expiring_soon"
	WarnRetries    = "retry_limit_reached"
	WarnStale      = "review_stale"
	WarnTriggers   = "trigger_tests_missing"
	WarnNamespaced = "name_taken"
	WarnBlocked    = "findings_block_install"
)

// Views reads imports.
type Views struct{ *records }

// Get returns everything that a reviewer needs.
func (s *Views) Get(ctx context.Context, id string) (Detail, error) {
	i, err := s.get(ctx, id)
	if err != nil {
		return Detail{}, err
	}
	part, err := s.missingPart(ctx, i)
	if err != nil {
		return Detail{}, err
	}
	d := Detail{ImportRecord: shown(i.Record), PartialDeployment: part, CompatibilityReport: twin.To[*wire.SkillCompatibilityReport](i.Report),
		ScanReport: twin.To[*wire.ScanReport](i.Scan), Files: i.Files, FilesLeftOut: i.LeftOut,
		ProposalID: i.ProposalID, Reason: i.Reason, Failure: i.failure(), FindingsToRead: toRead(i), Warnings: s.warnings(i), SchemaVersion: 1}
	if i.Scan != nil {
		d.TriggerCoverage = &i.Phrases.Coverage
	}
	if d.Comparison, err = s.compare(ctx, i); err != nil {
		return Detail{}, err
	}
	if d.Refused, err = s.refused(ctx, i); err != nil {
		return Detail{}, err
	}
	if d.Files == nil {
		d.Files = []FileInfo{}
	}
	return d, nil
}

// refused is why an approval of what waits would be refused now, whatever a person confirms.
func (s *Views) refused(ctx context.Context, i Item) (*wire.ImportFailure, error) {
	if i.StageState != ReadyForReview {
		return nil, nil
	}
	err := s.unchanged(ctx, i)
	if err == nil || fault.CodeOf(err) == fault.Internal {
		return nil, err
	}
	f := fault.From(err)
	return &wire.ImportFailure{Code: string(f.Code), Message: f.Message, Hint: f.Hint}, nil
}

// Reading returns a skill as scanned, for the person who decides about it: from the upload, or from its staging
// folder. Content that differs from the scanned one is not shown, and nothing is unpacked for this.
func (s *Views) Reading(ctx context.Context, id string) (skill.Bundle, scan.Report, error) {
	defer s.alone()() // content that is staged or removed meanwhile is read whole or not at all
	i, err := s.get(ctx, id)
	if err != nil {
		return skill.Bundle{}, scan.Report{}, err
	}
	var b skill.Bundle
	switch {
	case i.Scan == nil:
		err = notReadable(i)
	case i.SourceRefKind == RefMaterialized && !Terminal(i.StageState):
		b, err = s.bundle(i)
	case i.Upload != "" && exists(s.uploadPath(i.Upload)):
		var o opened
		if o, err = s.open(ctx, i); err == nil && o.Hash() != i.ContentHash {
			err = changed()
		}
		b = o.Bundle
	default:
		err = notReadable(i)
	}
	if err != nil {
		return skill.Bundle{}, scan.Report{}, err
	}
	return b, *i.Scan, nil
}

func notReadable(i Item) error {
	return fault.New(fault.InvalidImportTransition, "the files of this import are not here").WithDetail("from", string(i.StageState)).
		WithHint("they can be read from the scan until the decision; afterwards read those of the installed skill")
}

// staleReview is the age in hours at which a parked review is called stale; it never ends by itself (rule 8).
const staleReview = 14 * 24

func (s *Views) warnings(i Item) []string {
	out := []string{}
	add := func(when bool, code, text string) {
		if when {
			out = append(out, code+": "+text)
		}
	}
	now := s.o.Now()
	if i.ExpiresAt != nil && !Terminal(i.StageState) && i.ExpiresAt.Sub(now.Time) < expiringSoon {
		out = append(out, WarnExpiring) // a badge by this very name (0C.20)
	}
	add(i.atLimit(), WarnRetries, "three retries of the same kind have failed; discard it and begin again")
	add(i.StageState == ReadyForReview && now.Sub(i.UpdatedAt.Time).Hours() > staleReview, WarnStale,
		"it has waited for a decision for more than two weeks")
	add(i.AssignedNamespace != "", WarnNamespaced, "a skill of this name is there already; it would be installed as "+i.AssignedNamespace)
	add(i.Verdict == "blocked" && !Terminal(i.StageState), WarnBlocked, "the scan found what should not be installed")
	if c := i.Phrases.Coverage; i.Scan != nil && !Terminal(i.StageState) {
		add(min(c.Positives, c.Paraphrases, c.Negatives) < enoughExamples, WarnTriggers, fmt.Sprintf(
			"it brings few example sentences: %d that should find it, %d that say the same in other words, %d that should not find it; "+
				"three of each in its %s are asked for",
			c.Positives, c.Paraphrases, c.Negatives, skill.TriggerTestFile))
	}
	return out
}

// enoughExamples is how many sentences of each kind a skill should bring (baseline 1.1P).
const enoughExamples = 3

// List lists imports, newest first.
func (s *Views) List(ctx context.Context, f Filter) (List, error) {
	if f.Page < 1 {
		f.Page = 1
	}
	if f.PageSize < 1 {
		f.PageSize = 50
	}
	out := List{Items: []Record{}, Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		items, total, err := tx.Imports(f)
		out.Total = total
		for _, i := range items {
			out.Items = append(out.Items, shown(i.Record))
		}
		return err
	})
	return out, err
}

// Proposers lists whose the proposals are that wait for the person, one entry for each.
func (s *Views) Proposers(ctx context.Context) (out []string, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		for _, state := range []State{ReadyForReview, ScanComplete} {
			items, _, err := tx.Imports(Filter{State: string(state), Page: 1, PageSize: 100})
			if err != nil {
				return err
			}
			for _, i := range items {
				if i.Source == OwnGenerated {
					out = append(out, i.By)
				}
			}
		}
		return nil
	})
	return out, err
}

// TriggerTest reports whether a sentence would find an imported skill, before it is installed, or an ability.
func (s *Views) TriggerTest(ctx context.Context, r TriggerTestRequest) (TriggerTestResponse, error) {
	q := ability.ExplainMatchRequest{UserQuery: plain.Cut(r.TriggerText, 500), AbilityID: r.AbilityID, ProjectID: r.ProjectID}
	out := TriggerTestResponse{CandidateAbilityID: r.AbilityID, CandidateImportID: r.ImportID, SchemaVersion: 1}
	var m ability.ExplainMatchResponse
	switch {
	case (r.ImportID == "") == (r.AbilityID == ""):
		return out, fault.New(fault.InvalidRequest, "either import_id or ability_id is required")
	case r.AbilityID != "":
		var err error
		if m, err = s.o.Installer.ExplainMatch(ctx, q); err != nil {
			return out, err
		}
	default:
		i, err := s.get(ctx, r.ImportID)
		if err != nil {
			return out, err
		}
		if i.Scan == nil {
			return out, fault.New(fault.InvalidImportTransition, "the import has not been scanned").WithDetail("from", string(i.StageState))
		}
		if m, err = s.o.Installer.ExplainDraft(ctx, q, ability.Phrases{ID: i.ImportID, Title: i.Phrases.Title,
			TriggerPhrases: i.Phrases.Triggers, NegativeTriggers: i.Phrases.NegativeTriggers}); err != nil {
			return out, err
		}
	}
	out.Matched, out.Score, out.Reasons, out.RejectionReasons = m.Matched, m.Score, m.MatchReasons, m.RejectionReasons
	out.Because = m.Because
	var err error
	out.ReceiptID, err = s.triggerTested(ctx, r.AbilityID, m.Matched)
	return out, err
}

// triggerTested writes the receipt of a test; the sentence itself is not stored.
func (s *Views) triggerTested(ctx context.Context, abilityID string, matched bool) (string, error) {
	reason := "not_matched"
	if matched {
		reason = "matched"
	}
	id := s.o.NewID()
	return id, s.o.Store.Update(ctx, func(tx Tx) error {
		return tx.AddReceipt(journal.Receipt{ReceiptID: id, Kind: journal.TriggerTested, AbilityID: abilityID, Reason: reason,
			Summary: "A sentence was tried on a skill's trigger phrases."})
	})
}

// packManifest is SkillPackManifest (baseline 1.1P).
type packManifest struct {
	PackID      string `json:"pack_id"`
	Title       string `json:"title"`
	Description string `json:"description"`

	Skills                []string `json:"skills"`
	DefaultSupportPacks   []string `json:"default_support_packs"`
	RecommendedConnectors []string `json:"recommended_connectors"`
}

var packForm = lazyre.New(`^[a-z0-9-]{2,64}$`)

// Packs lists the packs that manifests describe or imports name.
func (s *Views) Packs(ctx context.Context) (PackList, error) {
	out := PackList{Packs: []Pack{}, SchemaVersion: 1}
	known := map[string]*Pack{}
	add := func(p Pack) {
		if packForm.MatchString(p.PackID) && known[p.PackID] == nil {
			p.ActiveBuildSurface, p.SchemaVersion = true, 1
			known[p.PackID] = &p
		}
	}
	for _, m := range s.manifests() {
		add(Pack{PackID: m.PackID, Title: plain.Cut(m.Title, 120), Description: plain.Cut(m.Description, 500),
			Skills: clipped(m.Skills, 80), DefaultSupportPacks: clipped(m.DefaultSupportPacks, 120),
			RecommendedConnectors: clipped(m.RecommendedConnectors, 120)})
	}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		items, _, err := tx.Imports(Filter{})
		for _, i := range items {
			add(Pack{PackID: i.SkillPack, Title: plain.Cut(strings.ReplaceAll(i.SkillPack, "-", " "), 120), Skills: []string{},
				DefaultSupportPacks: []string{}, RecommendedConnectors: []string{}})
			if p := known[i.SkillPack]; p != nil && i.Slug != "" && !over(i.StageState) && !slices.Contains(p.Skills, i.Slug) {
				p.Skills = append(p.Skills, i.Slug)
			}
		}
		return err
	})
	for _, p := range known {
		slices.Sort(p.Skills)
		out.Packs = append(out.Packs, *p)
	}
	slices.SortFunc(out.Packs, func(a, b Pack) int { return strings.Compare(a.PackID, b.PackID) })
	return out, err
}

// over reports whether nothing of an import is left here.
func over(s State) bool { return s == Rejected || s == Discarded || s == Expired }

// clipped limits a list's length, and each name to n characters; it is never null.
func clipped(names []string, n int) []string {
	out := []string{}
	for _, name := range names[:min(len(names), 200)] {
		if name = plain.Cut(name, n); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// manifests reads the pack folder; files that are no manifests are skipped.
func (s *Views) manifests() []packManifest {
	var out []packManifest
	if s.o.PackDir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.o.PackDir)
	if err != nil {
		return nil
	}
	for _, e := range entries[:min(len(entries), 200)] {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(s.o.PackDir, e.Name()))
		var m packManifest
		if err == nil && len(b) < 64<<10 && json.Unmarshal(b, &m) == nil {
			out = append(out, m)
		}
	}
	return out
}
