package ability

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/capability/health"
	"showhow/daemon/skill"
	"showhow/internal/plain"
)

// world is everything a decision depends on: the records, and what was observed on the disk. It is loaded, changed in
// memory, and written by commit.
type world struct {
	abilities  []Ability
	ledger     map[string]LedgerEntry // by path
	counts     map[string]CheckpointCounts
	seen       map[string]sight // by ability id
	native     []nativeSkill
	categories map[string][]string // by item id
	configs    []ConfigRecord
	homeless   bool // no target is configured

	snapshot AvailabilitySnapshot // as stored
	catalog  Catalog
	bridge   Bridge

	dirty   map[string]bool // ability ids whose record changed
	kept    map[string]bool // ability ids whose changed copy was set aside
	drifted []Ability       // whose trust ended in this look

	outcomes []health.Outcome // counted, and not written yet
	fared    []fared          // whose health they changed
}

// sight is the observation of one ability.
type sight struct {
	bundle  place
	copies  map[string]place // by target name
	foreign map[string]bool  // targets in which another folder has the name
	nowhere bool             // no target gets a copy: none is that of an agent that it is approved for
	overMCP bool             // an agent that it is approved for reads it over MCP
	missing string           // what of the machine is missing, "" for nothing
	code    string
}

// Names of the kept states.
const (
	stateAvailability = "availability"
	stateCatalog      = "catalog"
	stateBridge       = "bridge"
)

// owns reports whether the content at the entry's path is what Showhow wrote.
func (r LedgerEntry) owns(p place) bool { return r.State == PathPresent || p.hash == r.Hash }

// wanted reports whether the ability belongs into the targets (decisions C4).
func wanted(a Ability) bool {
	return a.Enabled && a.Lane != LaneQuarantined && a.Trust == TrustApproved
}

func (t Target) path(slug string) string { return filepath.Join(t.Dir, slug) }

// entry is the current state of an ability.
func (w *world) entry(a Ability) AvailabilityEntry {
	reason, code := w.unusable(a)
	configured, packs := told(configuration(w.configs, a.CapabilityID), a)
	return AvailabilityEntry{Configured: configured, SupportPacks: packs,
		AbilityID: a.AbilityID, Title: a.Title, Family: a.Family, Source: shownSource(a), SkillSlug: a.Slug,
		PrimaryCapabilityID: a.CapabilityID, BuiltIn: a.BuiltIn,
		InstallLane: a.Lane, Enabled: a.Enabled, UsableNow: reason == "", ReasonUnusable: plain.Clip(reason,
			textLimit),
		ReasonCode: code, TriggerPhrases: list(a.TriggerPhrases), NegativeTriggers: list(a.NegativeTriggers), Aliases: list(a.Aliases),
		ProjectScopes: list(a.ProjectScopes), PreferredControlSurfaces: list(a.ControlSurfaces), SupportPackRefs: list(a.SupportPackRefs),
		CheckpointHealth: checkpointHealth(a, w.counts[a.AbilityID]), Health: shownHealth(a),
		Trust: a.Trust, ContentHash: w.contentHash(a), ApprovedHash: a.ApprovedHash,
		ChangedIn: a.Drift, RejectReason: a.RejectReason, Permissions: normal(a.Permissions), Checkpoints: list(a.Checkpoints),
		LastValidatedAt: a.LastValidatedAt, LastUsedAt: a.LastUsedAt, Revision: a.Revision, SchemaVersion: 1}
}

// shownSource is the source of an ability as agents and people see it: promoted for one in the shared lane (0B.9's
// Bundle), whatever its origin. The record keeps its origin, for when it leaves the lane.
func shownSource(a Ability) string {
	if a.Lane == LaneShared {
		return "promoted"
	}
	return a.Source
}

// contentHash is the content that a person who reads it now would approve: what is on the disk, unless that is what is
// trusted.
func (w *world) contentHash(a Ability) string {
	if g, ok := w.seen[a.AbilityID]; ok && a.Trust != TrustApproved && g.bundle.hash != "" {
		return g.bundle.hash
	}
	return a.installedHash()
}

// unusable returns why the ability cannot be used now, "" when it can.
func (w *world) unusable(a Ability) (reason, code string) {
	g := w.seen[a.AbilityID]
	switch {
	case a.Lane == LaneQuarantined:
		return strings.TrimSuffix("quarantined: "+a.QuarantineReason, ": "), "quarantined"
	case !a.Enabled:
		return "disabled", "disabled"
	case a.Trust == TrustPendingReview && a.RejectedAt != nil:
		return strings.TrimSuffix("a person looked at it and rejected it: "+a.RejectReason, ": "), "rejected"
	case a.Trust == TrustPendingReview:
		return "nobody has approved it yet", "not_approved"
	case a.Trust == TrustNeedsReapproval && a.Drift == "bundle":
		return "its files were changed after they were approved", "drifted"
	case a.Trust == TrustNeedsReapproval && a.Drift == driftPermissions:
		return "it asks for other permissions than were approved", "permissions_changed"
	case a.Trust == TrustNeedsReapproval && a.Drift == "":
		return "nobody has approved it as it is", "not_approved"
	case a.Trust == TrustNeedsReapproval:
		return fmt.Sprintf("its copy for %s was changed after it was approved", a.Drift), "drifted"
	case !g.bundle.there:
		return "its files are gone", "missing"
	case g.missing != "":
		return g.missing, g.code
	case len(g.copies) == 0 && g.overMCP:
		return "", ""
	case w.homeless:
		return "no agent folder is configured to hold it", "projection_missing"
	case g.nowhere:
		return "no agent that it is approved for has a skill folder here", "projection_missing"
	case len(g.copies) == 0 && len(g.foreign) > 0:
		return "another folder of this name stands where agents would look", "projection_missing"
	case len(g.copies) == 0:
		return "its copy for agents is gone; activate it to put it back", "projection_missing"
	}
	return "", ""
}

// checkpointHealth rates receipts; strong requires two or more receipts without a failure (decisions C7).
func checkpointHealth(a Ability, c CheckpointCounts) string {
	if a.Lane == LaneQuarantined {
		return "quarantined"
	}
	n := c.Reached + c.Skipped + c.Failed
	if len(a.Checkpoints) == 0 { // what was reported of an earlier content, or before ids had to be declared
		n = 0
	}
	switch rate := float64(c.Reached) / float64(max(n, 1)); {
	case n == 0:
		return "no_data"
	case rate >= 0.9 && n >= 2:
		return "strong"
	case rate >= 0.6:
		return "moderate"
	}
	return "weak"
}

// entries lists the current state, oldest ability first.
func (w *world) entries() []AvailabilityEntry {
	out := make([]AvailabilityEntry, 0, len(w.abilities))
	for _, a := range w.abilities {
		out = append(out, w.entry(a))
	}
	return out
}

// items lists the catalog: Showhow's skills, then native ones by name.
func (w *world) items() []CatalogEntry {
	out := make([]CatalogEntry, 0, len(w.abilities)+len(w.native))
	for _, a := range w.abilities {
		e := w.entry(a)
		var in []string
		if wanted(a) {
			in = slices.Sorted(maps.Keys(w.seen[a.AbilityID].copies))
		}
		out = append(out, CatalogEntry{AbilityID: a.AbilityID, Title: a.Title, Description: a.Description, Family: a.Family,
			Source:    shownSource(a),
			SkillSlug: a.Slug, BuiltIn: a.BuiltIn,
			InstallLane: a.Lane, Enabled: a.Enabled, UsableNow: e.UsableNow, ReasonUnusable: e.ReasonUnusable, Trust: a.Trust,
			FoundIn: list(in), Tags: []string{}, CategoryIDs: list(w.categories[a.AbilityID]), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
			Scan: a.Scan, SchemaVersion: 1})
	}
	for _, n := range w.native {
		e := n.entry()
		e.CategoryIDs = list(w.categories[e.AbilityID])
		out = append(out, e)
	}
	return out
}

// description is the bundle's own description.
func description(b skill.Bundle) string {
	doc, err := skill.Parse(b)
	if err != nil {
		return ""
	}
	r := []rune(doc.Description)
	return string(r[:min(len(r), 1024)])
}

// inputsOf lists the names of the inputs that the bundle declares.
func inputsOf(b skill.Bundle) (names []string) {
	doc, err := skill.Parse(b)
	if err != nil {
		return nil
	}
	for name := range strings.SplitSeq(doc.Metadata["showhow-inputs"], ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// routes compares with the stored snapshot: which abilities became usable and which ceased to be.
func (w *world) routes(now []AvailabilityEntry) (enabled, disabled []AvailabilityEntry) {
	before := map[string]bool{}
	for _, e := range w.snapshot.Abilities {
		before[e.AbilityID] = e.UsableNow
	}
	for _, e := range now {
		switch was := before[e.AbilityID]; {
		case e.UsableNow && !was:
			enabled = append(enabled, e)
		case !e.UsableNow && was:
			disabled = append(disabled, e)
		}
		delete(before, e.AbilityID)
	}
	return enabled, disabled
}

func joinFile(dir, file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }

// where names a ledger entry's place without revealing its path.
func where(r LedgerEntry) string {
	if r.Target != "" {
		return r.Target
	}
	return r.Kind
}
