package ability_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// edit changes a read-only file of a copy, as a determined person or program would.
func (h *house) edit(path, text string) {
	h.t.Helper()
	h.ok(os.Chmod(path, 0o644))
	h.ok(os.WriteFile(path, []byte(text), 0o644))
}

// snapshotFile is the canonical file, which must equal what the service answers.
func (h *house) snapshotFile() ability.AvailabilitySnapshot {
	h.t.Helper()
	var s ability.AvailabilitySnapshot
	if !h.file(ability.AvailabilityPath, &s) {
		h.t.Fatal("no availability file")
	}
	return s
}

func TestWhyNotUsable(t *testing.T) {
	const slug = "export-orders"
	cases := map[string]struct {
		do       func(h *house)
		code     string
		withdraw bool
		undo     func(h *house)
	}{
		"disabled": {func(h *house) { _, err := h.s.Deactivate(h.ctx(), slug, nil); h.ok(err) }, "disabled", true,
			func(h *house) { _, err := h.s.Activate(h.ctx(), slug, nil); h.ok(err) }},
		"quarantined": {func(h *house) { _, err := h.s.Quarantine(h.ctx(), slug, "looks odd", nil); h.ok(err) }, "quarantined", true,
			func(h *house) { _, err := h.s.Unquarantine(h.ctx(), slug, nil); h.ok(err) }},
		"bundle drifted": {func(h *house) { h.edit(h.bundle(slug), "---\nname: x\n---\nother") }, "drifted", true,
			func(h *house) {
				_, hash, err := h.s.Content(h.ctx(), slug)
				h.ok(err)
				_, err = h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: hash}, nil)
				h.ok(err)
			}},
		"copy drifted": {func(h *house) { h.edit(filepath.Join(h.path(1, slug), "SKILL.md"), "evil") }, "drifted", true,
			func(h *house) {
				_, err := h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash}, nil)
				h.ok(err)
			}},
		"file added to a copy": {func(h *house) {
			h.ok(os.WriteFile(filepath.Join(h.path(0, slug), "scripts", "more.sh"), nil, 0o755))
		}, "drifted", true,
			func(h *house) {
				_, err := h.s.Approve(h.ctx(), slug, ability.Approval{ContentHash: h.entry(slug).ContentHash}, nil)
				h.ok(err)
			}},
		"command missing": {func(h *house) { h.missing["jq"] = true }, "command_missing", false, func(h *house) { h.missing["jq"] = false }},
		"copies deleted": {func(h *house) {
			h.ok(os.RemoveAll(h.path(0, slug)))
			h.ok(os.RemoveAll(h.path(1, slug)))
		}, "projection_missing", true, func(h *house) { _, err := h.s.Activate(h.ctx(), slug, nil); h.ok(err) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			other := request("other-skill")
			other.RequiredCommands = nil
			h.install(other)
			h.install(request(slug))
			hash := h.entry(slug).ContentHash
			c.do(h)
			e := h.entry(slug)
			if e.UsableNow || e.ReasonUnusable == "" || e.ReasonCode != c.code {
				t.Errorf("entry: %+v", e)
			}
			if h.there(h.path(0, slug)) == c.withdraw || h.there(h.path(1, slug)) == c.withdraw {
				t.Errorf("withdrawn: %v %v", !h.there(h.path(0, slug)), !h.there(h.path(1, slug)))
			}
			if i := slices.IndexFunc(h.snapshotFile().Abilities, func(a ability.AvailabilityEntry) bool {
				return a.AbilityID == e.AbilityID
			}); i < 0 ||
				h.snapshotFile().Abilities[i].UsableNow {
				t.Error("the file says something else")
			}
			if other := h.entry("other-skill"); !other.UsableNow {
				t.Errorf("another ability suffered: %+v", other)
			}
			c.undo(h)
			if e := h.entry(slug); !e.UsableNow || !h.there(h.path(0, slug)) || !h.there(h.path(1, slug)) {
				t.Errorf("not back: %+v", e)
			}
			if name == "copy drifted" && hash != h.entry(slug).ContentHash {
				t.Error("the tampered copy was adopted")
			}
			h.restart()
			if e := h.entry(slug); !e.UsableNow {
				t.Errorf("not usable after a start: %+v", e)
			}
		})
	}
}

func (h *house) bundle(slug string) string {
	return filepath.Join(h.opt.MemoryRoot, "system", "learning", "installed", slug, "SKILL.md")
}

// Approval is for exactly one content (decisions C3), and what somebody changed is kept aside, never thrown away.
func TestApprovalIsForOneContent(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	h.edit(filepath.Join(h.path(0, "export-orders"), "SKILL.md"), "somebody's edit")
	h.edit(h.bundle("export-orders"), "other content")
	if e := h.entry(res.AbilityID); e.Trust != ability.TrustNeedsReapproval || h.events()[journal.AbilityDrifted] != 1 ||
		h.receipts()[journal.AbilityDrifted] != 1 {
		t.Errorf("%+v", e)
	}
	aside, _ := filepath.Glob(filepath.Join(h.opt.MemoryRoot, "system/learning/set-aside/*/SKILL.md"))
	if len(aside) != 1 {
		t.Fatalf("set aside: %v", aside)
	}
	if b, _ := os.ReadFile(aside[0]); string(b) != "somebody's edit" {
		t.Error("the edit is lost")
	}
	old := h.entry(res.AbilityID).ApprovedHash
	_, err := h.s.Approve(h.ctx(), res.AbilityID, ability.Approval{ContentHash: old}, nil)
	h.wantCode(err, fault.ContentHashMismatch)
	_, now, err := h.s.Content(h.ctx(), res.AbilityID)
	h.ok(err)
	e, err := h.s.Approve(h.ctx(), res.AbilityID, ability.Approval{ContentHash: now}, nil)
	h.ok(err)
	if !e.UsableNow || e.ContentHash != now || now == old {
		t.Errorf("%+v", e)
	}
}

// A change of the same size whose modification time was set back is found.
func TestDriftIgnoresModificationTimes(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	f := h.bundle("export-orders")
	info, err := os.Stat(f)
	h.ok(err)
	await.Until(t, "content that rested, which alone is remembered", func() bool { return time.Since(info.ModTime()) >= 100*time.Millisecond })
	h.entry("export-orders")
	b, err := os.ReadFile(f)
	h.ok(err)
	h.ok(os.WriteFile(f, append(b[:len(b)-1:len(b)-1], '!'), 0o644))
	h.ok(os.Chtimes(f, info.ModTime(), info.ModTime()))
	if e := h.entry("export-orders"); e.Trust != ability.TrustNeedsReapproval {
		t.Errorf("%+v", e)
	}
}

func TestRevisions(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	rev := h.entry(res.AbilityID).Revision
	_, err := h.s.Deactivate(h.ctx(), res.AbilityID, &rev)
	h.ok(err)
	_, err = h.s.Activate(h.ctx(), res.AbilityID, &rev)
	h.wantCode(err, fault.RevisionConflict)
	if got := fault.From(err).Details["current_revision"]; got != rev+1 {
		t.Errorf("current revision %v", got)
	}
	h.wantCode(h.s.Delete(h.ctx(), res.AbilityID, &rev), fault.RevisionConflict)
	before := h.receipts()[journal.RouteDisabled]
	e, err := h.s.Deactivate(h.ctx(), res.AbilityID, nil)
	h.ok(err)
	if e.Revision != rev+1 || h.receipts()[journal.RouteDisabled] != before {
		t.Error("an edit that changes nothing left a trace")
	}
	_, err = h.s.Deactivate(h.ctx(), "nobody", nil)
	h.wantCode(err, fault.AbilityNotFound)
}

// DOC3 0C.11B: the snapshot is made anew on every trigger.
func TestRebuildOnEveryTrigger(t *testing.T) {
	triggers := map[ability.Trigger]func(h *house){
		ability.TriggerInstallCompleted: func(h *house) { h.install(request("another")) },
		ability.TriggerInstallFailed: func(h *house) {
			ability.Probe(h.s, func(p string) error {
				if p == "verify" {
					return errInjected
				}
				return nil
			})
			_, err := h.s.Install(h.ctx(), request("another"))
			if err == nil {
				h.t.Error("no failure")
			}
		},
		ability.TriggerActivation: func(h *house) { _, err := h.s.Deactivate(h.ctx(), "export-orders", nil); h.ok(err) },
		ability.TriggerQuarantine: func(h *house) { _, err := h.s.Quarantine(h.ctx(), "export-orders", "x", nil); h.ok(err) },
		ability.TriggerPromoted:   func(h *house) { _, err := h.s.PromoteShared(h.ctx(), "export-orders", nil); h.ok(err) },
		ability.TriggerRemoved:    func(h *house) { h.ok(h.s.Delete(h.ctx(), "export-orders", nil)) },
		ability.TriggerCapabilityHealth: func(h *house) {
			_, err := h.s.VerifyCheckpoint(h.ctx(), ability.VerifyCheckpointRequest{AbilityID: "export-orders", CheckpointID: "cp-01",
				Status: "failed", DispatchID: "d1"}, ability.Reporter{Kind: "agent"})
			h.ok(err)
		},
		ability.TriggerStart: func(h *house) { h.restart() },
	}
	for _, t := range []ability.Trigger{ability.TriggerConnectorHealth, ability.TriggerBridgeRebuilt, ability.TriggerProjectBinding,
		ability.TriggerNightly} {
		triggers[t] = func(h *house) { _, err := h.s.Rebuild(h.ctx(), t); h.ok(err) }
	}
	for trigger, do := range triggers {
		t.Run(string(trigger), func(t *testing.T) {
			h := newHouse(t)
			h.install(request("export-orders"))
			was, events := h.snapshotFile(), h.events()[journal.SnapshotUpdated]
			do(h)
			now := h.snapshotFile()
			if now.SnapshotAsOf.Before(was.SnapshotAsOf.Time) || h.events()[journal.SnapshotUpdated] <= events {
				t.Error("not rebuilt")
			}
			r := lines[journal.Receipt](h, "system/learning/receipts.jsonl")
			if !slices.ContainsFunc(r, func(r journal.Receipt) bool { return r.Kind == journal.SnapshotUpdated && r.Reason == string(trigger) }) {
				t.Error("no receipt names the trigger")
			}
		})
	}
}

// A bridge that cannot be rebuilt stays as it was and says so; a snapshot that cannot be written is answered as stale.
func TestFailedRebuildKeepsTheLastGood(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	good, err := h.s.BridgeEntries(h.ctx())
	h.ok(err)
	ability.Probe(h.s, failAt("bridge"))
	_, err = h.s.Deactivate(h.ctx(), "export-orders", nil)
	h.ok(err)
	b, err := h.s.BridgeEntries(h.ctx())
	h.ok(err)
	if b.State != "stale" || b.StateReason == "" || b.Entries[0].HealthStatus != good.Entries[0].HealthStatus ||
		h.events()[journal.BridgeRebuildFailed] == 0 {
		t.Errorf("%+v", b)
	}
	var file ability.Bridge
	if !h.file(ability.BridgePath, &file) || file.State != "stale" {
		t.Errorf("file: %+v", file)
	}
	ability.Probe(h.s, failAt("snapshot"))
	if _, err := h.s.Activate(h.ctx(), "export-orders", nil); err == nil {
		t.Fatal("no error")
	}
	snap, err := h.s.Availability(h.ctx())
	h.ok(err)
	if !snap.Stale || snap.StaleSince == nil || snap.Abilities[0].UsableNow {
		t.Errorf("%+v", snap)
	}
	ability.Probe(h.s, nil)
	snap, err = h.s.Rebuild(h.ctx(), ability.TriggerNightly)
	h.ok(err)
	if b, _ := h.s.BridgeEntries(h.ctx()); snap.Stale || b.State != "current" || b.Entries[0].HealthStatus != "disabled" {
		t.Errorf("%+v %+v", snap, b)
	}
}

func failAt(point string) func(string) error {
	return func(p string) error {
		if p == point {
			return errInjected
		}
		return nil
	}
}

func TestAdapterMissing(t *testing.T) {
	h := newHouse(t)
	h.opt.Env.Adapter = func(kind string) (bool, string) { return kind != "browser", "no Chromium was found" }
	h.restart()
	r := request("export-orders")
	r.RequiredAdapters = []string{"browser"}
	h.install(r)
	if e := h.entry("export-orders"); e.UsableNow || e.ReasonCode != "adapter_missing" {
		t.Errorf("%+v", e)
	}
}

// A skill that somebody else put there is listed and left alone (decisions C5).
func TestNativeSkillsAreListed(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	skills := map[string]string{
		"tidy-desk": "---\nname: tidy-desk\ndescription: Tidies the desk when papers lie about.\ntriggers: [tidy]\n---\n# Tidy\n",
		"broken":    "no head at all",
	}
	for name, text := range skills {
		h.ok(os.MkdirAll(filepath.Join(h.path(0, name)), 0o755))
		h.ok(os.WriteFile(filepath.Join(h.path(0, name), "SKILL.md"), []byte(text), 0o644))
	}
	h.ok(os.MkdirAll(h.path(0, ".hidden"), 0o755))
	h.ok(os.MkdirAll(h.path(0, "no-skill"), 0o755))
	h.ok(os.Symlink(h.path(0, "tidy-desk"), h.path(1, "tidy-desk")))
	c, err := h.s.Catalog(h.ctx())
	h.ok(err)
	byName := map[string]ability.CatalogEntry{}
	for _, i := range c.Items {
		byName[i.SkillSlug] = i
	}
	tidy, broken := byName["tidy-desk"], byName["broken"]
	if len(c.Items) != 3 || tidy.Source != "native" || !tidy.ReadOnly || !tidy.UsableNow || tidy.Description == "" || len(tidy.FoundIn) != 2 {
		t.Errorf("%+v", c.Items)
	}
	if broken.UsableNow || broken.ReasonUnusable == "" {
		t.Errorf("%+v", broken)
	}
	if _, err := h.s.Deactivate(h.ctx(), tidy.AbilityID, nil); !fault.Is(err, fault.AbilityNotFound) {
		t.Error(err)
	}
	var file ability.Catalog
	if !h.file(ability.CatalogPath, &file) || len(file.Items) != 3 {
		t.Error("the file does not list them")
	}
	var slugs []string
	for _, i := range c.Items {
		slugs = append(slugs, i.SkillSlug)
	}
	if taken, err := h.s.TakenSlugs(h.ctx()); err != nil || len(taken) != 3 || !slices.Contains(taken, "tidy-desk") ||
		!slices.Equal(slices.Sorted(slices.Values(taken)), slices.Sorted(slices.Values(slugs))) {
		t.Errorf("taken: %v, in the catalog: %v: %v", taken, slugs, err)
	}
	if _, err := h.s.Install(h.ctx(), request("tidy-desk")); !fault.Is(err, fault.SlugTaken) {
		t.Error(err)
	}
}

// A target that is configured later gets its copies at the next start; one that is no target any more loses them.
func TestTargetsChange(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	old := h.path(1, "export-orders")
	h.opt.Targets[1] = ability.Target{Name: "agents", Dir: filepath.Join(h.dir, "home", ".agents", "skills")}
	h.restart()
	if h.there(old) || !h.there(h.path(1, "export-orders")) || !h.entry("export-orders").UsableNow {
		t.Error("copies are where the old configuration wanted them")
	}
}

func TestUnchangedReadsWriteNothing(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	h.entry("export-orders")
	_, last, err := h.db.EventSpan(h.ctx())
	h.ok(err)
	for range 3 {
		h.entry("export-orders")
		_, err := h.s.Catalog(h.ctx())
		h.ok(err)
		_, err = h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "export orders"})
		h.ok(err)
	}
	_, now, err := h.db.EventSpan(h.ctx())
	h.ok(err)
	if now != last {
		t.Errorf("%d changes", now-last)
	}
}
