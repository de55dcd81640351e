package imports

import (
	"context"
	"encoding/json"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/skill/scan"
	"showhow/internal/plain"
)

// legacyStates maps states of older versions to current ones (0C.20, migration rules; baseline 1.1P).
var legacyStates = map[string]State{
	"cancelled": Discarded, "needs_adapter": ScanComplete, "promoted_shared": Approved, "promoted": Approved,
	"approved_for_workspace": Approved, "scanned": ScanComplete, "staged": ReadyForReview, "awaiting_review": ReadyForReview,
	"lint_failed": ScanFailed, "failed": ScanFailed,
}

// migrateRecord migrates a record of an older version. changed is false when nothing had to be done.
func migrateRecord(raw []byte) (item Item, what []string, err error) {
	var old struct {
		State     string `json:"stage_state"`
		InputPath string `json:"input_path"`
		RefKind   string `json:"source_ref_kind"`
	}
	if err := json.Unmarshal(raw, &old); err != nil {
		return item, nil, err
	}
	if err := json.Unmarshal(raw, &item); err != nil {
		return item, nil, err
	}
	if old.InputPath != "" {
		item.Legacy = ""
		if old.RefKind == "" {
			item.SourceRefKind, item.SourceRef = RefLegacy, plain.Cut(old.InputPath, 240)
		}
		what = append(what, "input_path")
	}
	if to, ok := legacyStates[old.State]; ok {
		item.StageState = to
		what = append(what, old.State)
	}
	if old.State == "needs_adapter" {
		item.needsAdapter()
	}
	item.SchemaVersion = 1
	return item, what, nil
}

func (i *Item) needsAdapter() {
	i.RequiresAdapter = true
	if i.Report == nil {
		i.Report = &scan.Compatibility{RuleVersion: "legacy", PortabilityGrade: "adapter_needed", ToolShadowingCheck: "clear",
			RecommendedFixes: []string{}, SchemaVersion: 1}
	}
	i.Report.RequiresAdapter = true
	const code = "REQUIRES_ADAPTER"
	if !slices.ContainsFunc(i.Report.Findings, func(f scan.CompatibilityFinding) bool { return f.Code == code }) {
		i.Report.Findings = append(i.Report.Findings, scan.CompatibilityFinding{Code: code, Severity: "warning",
			Message: "The skill needs an adapter before agents here can follow it; an earlier version noted so."})
	}
}

// backfill migrates records of older versions, each with its receipt and the current view (0C.28).
func (s *Upkeep) backfill(ctx context.Context) error {
	return s.o.Store.Update(ctx, func(tx Tx) error {
		rows, err := tx.LegacyImports()
		if err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, 0, len(rows))
		for id := range rows {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range ids {
			item, what, err := migrateRecord(rows[id])
			if err != nil {
				s.o.Log.Warn("a record of an older import cannot be read", "import_id", id)
				continue
			}
			if len(what) == 0 {
				continue
			}
			item.ImportID = id
			c := &change{Tx: tx, s: s.records, item: &item}
			if err := c.tell(journal.MigrationBackfill, "A record of an older import was brought up to date.", what[len(what)-1],
				map[string]any{"migrated": what}); err != nil {
				return err
			}
			if err := c.save(); err != nil {
				return err
			}
		}
		return nil
	})
}

// backfillSessions gives imports and uploads of older versions their learn sessions (decisions A7).
func (s *Upkeep) backfillSessions(ctx context.Context) error {
	if s.o.Mirror == nil {
		return nil
	}
	return s.o.Store.Update(ctx, func(tx Tx) error {
		all, _, err := tx.Imports(Filter{})
		if err != nil {
			return err
		}
		for _, i := range slices.Backward(all) { // oldest first
			if i.LearnSessionID != "" {
				continue
			}
			c := &change{Tx: tx, s: s.records, item: &i}
			over := i.StageState == ScanFailed && i.ExpiresAt == nil
			if err := c.mirror(Transition{From: i.StageState, To: i.StageState, Reason: i.LastErrorCode, Over: over, Backfill: true}); err != nil {
				return err
			}
			if err := tx.PutImport(i); err != nil { // not save: this is no activity
				return err
			}
		}
		return s.backfillUploads(tx)
	})
}

func (s *Upkeep) backfillUploads(tx Tx) error {
	all, err := tx.Uploads()
	for _, u := range all {
		if err != nil || u.SessionID != "" || u.ImportID != "" || u.Gone {
			continue
		}
		var shown Shown
		if shown, err = s.mirror(tx, Transition{Upload: u.TempArtifactRef, From: Uploaded, To: Uploaded, Backfill: true}); err == nil {
			u.SessionID = shown.SessionID
			err = tx.PutUpload(u)
		}
	}
	return err
}
