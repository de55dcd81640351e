package ability_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func TestR11_2_28_InstallSagaIsComplete(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	finished := false
	r.Finish = func(w journal.Writer, res ability.InstallResult) error {
		finished = res.AbilityID != ""
		return w.PutFile("system/categories/categories_current.json",
			map[string]any{"categories": []any{}, "ability_id": res.AbilityID, "schema_version": 1})
	}
	res := h.install(r)
	if !finished {
		t.Error("Finish was not called")
	}
	for _, dir := range []string{res.CanonicalPath, h.path(0, r.Slug), h.path(1, r.Slug)} {
		b, err := skill.ReadDir(dir)
		h.ok(err)
		if own(b).Hash() != r.ContentHash {
			t.Errorf("%s holds other content", dir)
		}
	}
	for name, want := range map[string]os.FileMode{"SKILL.md": 0o444, "scripts/run.sh": 0o555} {
		info, err := os.Stat(filepath.Join(h.path(0, r.Slug), name))
		h.ok(err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
	var manifest skill.Manifest
	var sidecar map[string]any
	var bridge ability.Bridge
	var catalog ability.Catalog
	var avail ability.AvailabilitySnapshot
	for path, v := range map[string]any{
		"system/capabilities/manifests/" + r.CapabilityID + ".json": &manifest, "system/capabilities/metadata/" + r.CapabilityID +
			".json": &sidecar,
		ability.BridgePath: &bridge, ability.CatalogPath: &catalog, ability.AvailabilityPath: &avail,
		"system/categories/categories_current.json": &map[string]any{},
	} {
		if !h.file(path, v) {
			t.Errorf("%s is missing", path)
		}
	}
	if manifest.CapabilityID != r.CapabilityID || sidecar["capability_id"] != r.CapabilityID || len(bridge.Entries) != 1 ||
		len(catalog.Items) != 1 {
		t.Errorf("files disagree: %v %v %v %v", manifest.CapabilityID, sidecar, bridge, catalog)
	}
	// R11.2-29
	if len(avail.Abilities) != 1 || !avail.Abilities[0].UsableNow || avail.Abilities[0].AbilityID != res.AbilityID || avail.Stale {
		t.Errorf("availability: %+v", avail)
	}
	events, receipts := h.events(), h.receipts()
	for _, k := range []journal.EventKind{journal.InstallStarted, journal.InstallCompleted, journal.SnapshotUpdated} {
		if events[k] == 0 || receipts[k] == 0 {
			t.Errorf("%s: %d events, %d receipts", k, events[k], receipts[k])
		}
	}
	if events[journal.RouteEnabled] != 1 || events[journal.BridgeRebuildStarted] == 0 || receipts[journal.BridgeRebuildCompleted] == 0 {
		t.Errorf("events %v receipts %v", events, receipts)
	}
	again, err := h.s.Install(h.ctx(), r) // the same saga
	if err != nil || again.AbilityID != res.AbilityID {
		t.Errorf("repeated: %+v %v", again, err)
	}
	out, err := h.s.Saga(h.ctx(), r.SagaID)
	if err != nil || out.State != ability.SagaCompleted || out.Result.AbilityID != res.AbilityID {
		t.Errorf("saga: %+v %v", out, err)
	}
}

// points are all the places where an installation can fail or a process can die; after the last one nothing can fail.
func points() []string {
	steps := ability.StepNames(ability.New(ability.Options{}))
	inside := []string{"bundle:", "copy:openclaw", "copy:claude", "manifest", "bridge", "snapshot", "finish"}
	return append(append(steps[:len(steps)-1:len(steps)-1], inside...), "register")
}

var errInjected = errors.New("injected")

// eachScenario runs a test for a first installation and for a new version of an installed ability, with another
// ability installed.
func eachScenario(t *testing.T, run func(t *testing.T, h *house, r ability.InstallRequest)) {
	for _, name := range []string{"first", "next version"} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.install(request("other-skill"))
			r := request("export-orders")
			if name == "next version" {
				h.install(r)
				r = changed(r)
			}
			run(t, h, r)
		})
	}
}

// A file where an agent's folder has to be made: it stays, everything else is rolled back, and the draft's newest
// installation says where it failed and what to do.
func TestInstallWithoutAWritableTarget(t *testing.T) {
	h := newHouse(t)
	inTheWay := filepath.Join(h.dir, "home", ".agents")
	h.opt.Targets = append(h.opt.Targets, ability.Target{Name: "agents", Dir: filepath.Join(inTheWay, "skills")})
	h.ok(os.MkdirAll(filepath.Dir(inTheWay), 0o700))
	h.ok(os.WriteFile(inTheWay, []byte("mine"), 0o600))
	h.restart()
	before := h.tree()
	r := request("export-orders")
	if _, err := h.s.Install(h.ctx(), r); fault.From(err).Details["step"] != "project" {
		t.Fatalf("error: %v", err)
	}
	h.sameTree(before)
	last, err := h.s.LastSaga(h.ctx(), r.ProposalID)
	if err != nil || last == nil || last.State != ability.SagaCompensated || last.FailedStep != "project" || last.FailedMessage == "" ||
		last.FailedHint == "" {
		t.Errorf("the newest installation: %+v %v", last, err)
	}
	h.ok(os.Remove(inTheWay))
	r.SagaID = clock.NewID()
	h.install(r)
}

// R11.2-36: whatever step fails, what was there before is there again, the previous bridge intact.
func TestR11_2_36_CompensationAfterEveryStep(t *testing.T) {
	eachScenario(t, func(t *testing.T, h *house, r ability.InstallRequest) {
		before := h.tree()
		for i, point := range points() {
			if point == "register" {
				break
			}
			r.SagaID = clock.NewID()
			ability.Probe(h.s, func(p string) error { // once: taking back rebuilds too
				if p != point {
					return nil
				}
				ability.Probe(h.s, nil)
				return errInjected
			})
			_, err := h.s.Install(h.ctx(), r)
			if !errors.Is(err, errInjected) || fault.From(err).Details["step"] == nil {
				t.Fatalf("%s: error: %v %v", point, err, fault.From(err).Details)
			}
			if point == "bridge" {
				h.wantCode(err, fault.BridgeRebuildFailed)
			}
			h.sameTree(before)
			if last, err := h.s.LastSaga(h.ctx(), r.ProposalID); r.ProposalID != "" &&
				(err != nil || last == nil || last.SagaID != r.SagaID || last.FailedMessage == "" || last.FailedHint == "") {
				t.Errorf("%s: the newest installation of the draft: %+v %v", point, last, err)
			}
			out, err := h.s.Saga(h.ctx(), r.SagaID)
			if err != nil || out.State != ability.SagaCompensated || out.FailedStep == "" || h.events()[journal.InstallFailed] != i+1 {
				t.Errorf("%s: saga: %+v %v", point, out, err)
			}
			if t.Failed() {
				t.Fatalf("at %s", point)
			}
		}
		r.SagaID = clock.NewID()
		h.install(r) // nothing stands in the way of another try
		if e := h.entry(r.Slug); !e.UsableNow || e.ContentHash != r.ContentHash {
			t.Errorf("after another try: %+v", e)
		}
	})
}

type crash struct{}

// die ends the service's work at a point as the death of the process would.
func (h *house) die(point string, r ability.InstallRequest) {
	h.t.Helper()
	ability.Probe(h.s, func(p string) error {
		if p == point {
			panic(crash{})
		}
		return nil
	})
	defer func() {
		if v := recover(); v != (crash{}) {
			h.t.Fatalf("%s: %v", point, v)
		}
	}()
	_, _ = h.s.Install(h.ctx(), r)
}

// A process that dies anywhere leaves a state that the next start puts right.
func TestRecoverAfterACrashAnywhere(t *testing.T) {
	eachScenario(t, func(t *testing.T, h *house, r ability.InstallRequest) {
		before := h.tree()
		for _, point := range points() {
			r.SagaID = clock.NewID()
			h.die(point, r)
			ended := h.restart()
			out, err := h.s.Saga(h.ctx(), r.SagaID)
			h.ok(err)
			if point == "register" {
				if len(ended) != 0 || out.State != ability.SagaCompleted || !h.entry(r.Slug).UsableNow {
					t.Errorf("committed, then died: %v %+v", ended, out)
				}
			} else {
				if len(ended) != 1 || out.State != ability.SagaCompensated || out.ProposalID != r.ProposalID {
					t.Errorf("%s: ended %v, saga %+v", point, ended, out)
				}
				h.sameTree(before)
			}
			for i := range h.opt.Targets {
				if left, _ := filepath.Glob(filepath.Join(h.opt.Targets[i].Dir, ".showhow-*")); left != nil {
					t.Errorf("left over: %v", left)
				}
			}
			if t.Failed() {
				t.Fatalf("at %s", point)
			}
		}
		if again := h.restart(); len(again) != 0 {
			t.Errorf("another start found %v", again)
		}
	})
}

func TestForeignFoldersAreNeverTouched(t *testing.T) {
	h := newHouse(t)
	theirs := filepath.Join(h.path(1, "export-orders"), "SKILL.md")
	h.ok(os.MkdirAll(filepath.Dir(theirs), 0o755))
	h.ok(os.WriteFile(theirs, []byte("theirs"), 0o644))
	before := h.tree()
	_, err := h.s.Install(h.ctx(), request("export-orders"))
	h.wantCode(err, fault.SlugTaken)
	if got := fault.From(err).Details["suggested_slug"]; got != "export-orders-2" {
		t.Errorf("suggested %v", got)
	}
	h.sameTree(before)

	// One that appears while the saga runs is not touched either.
	r := request("close-month")
	ability.Probe(h.s, func(p string) error {
		if p == "copy:openclaw" {
			h.ok(os.MkdirAll(h.path(1, "close-month"), 0o755))
			h.ok(os.WriteFile(filepath.Join(h.path(1, "close-month"), "x"), []byte("theirs"), 0o644))
		}
		return nil
	})
	_, err = h.s.Install(h.ctx(), r)
	h.wantCode(err, fault.SlugTaken)
	if b, _ := os.ReadFile(filepath.Join(h.path(1, "close-month"), "x")); string(b) != "theirs" {
		t.Error("a foreign folder was changed")
	}
	if h.there(h.path(0, "close-month")) || h.there(filepath.Join(h.opt.MemoryRoot, "system/learning/installed/close-month")) {
		t.Error("not compensated")
	}
	ability.Probe(h.s, nil)
	h.restart()
	if !h.there(filepath.Join(h.path(1, "close-month"), "x")) {
		t.Error("a start removed a foreign folder")
	}
}

func TestInstallRefusals(t *testing.T) {
	h := newHouse(t)
	good := request("export-orders")
	h.install(good)
	for name, c := range map[string]struct {
		change func(*ability.InstallRequest)
		code   fault.Code
	}{
		"other content":        {func(r *ability.InstallRequest) { r.ContentHash = good.ContentHash[:63] + "0" }, fault.ContentHashMismatch},
		"no slug":              {func(r *ability.InstallRequest) { r.Slug = "../evil" }, fault.InvalidRequest},
		"bundle of other name": {func(r *ability.InstallRequest) { r.Bundle.Name = "x" }, fault.InvalidRequest},
		"quarantine lane":      {func(r *ability.InstallRequest) { r.Lane = ability.LaneQuarantined }, fault.InstallLaneDenied},
		"capability in use":    {func(r *ability.InstallRequest) { r.CapabilityID = good.CapabilityID }, fault.SlugTaken},
		"capability is a path": {func(r *ability.InstallRequest) {
			r.CapabilityID, r.Manifest.CapabilityID = "../x", "../x"
		}, fault.BridgeRebuildFailed},
		"manifest out of scope": {func(r *ability.InstallRequest) { r.Manifest.SurfaceOrder = nil }, fault.BridgeRebuildFailed},
	} {
		t.Run(name, func(t *testing.T) {
			before := h.tree()
			r := request("another-one")
			c.change(&r)
			_, err := h.s.Install(h.ctx(), r)
			h.wantCode(err, c.code)
			h.sameTree(before)
		})
	}
	r := request("export-orders") // the same name from another proposal
	_, err := h.s.Install(h.ctx(), r)
	h.wantCode(err, fault.SlugTaken)
}

// A written copy that is not what was reviewed fails the saga.
func TestTamperingWhileInstalling(t *testing.T) {
	h := newHouse(t)
	ability.Probe(h.s, func(p string) error {
		if p == "project" {
			f := filepath.Join(h.path(0, "export-orders"), "SKILL.md")
			h.ok(os.Chmod(f, 0o644))
			h.ok(os.WriteFile(f, []byte("evil"), 0o644))
		}
		return nil
	})
	_, err := h.s.Install(h.ctx(), request("export-orders"))
	h.wantCode(err, fault.ContentHashMismatch)
	if len(h.allAbilities()) != 0 {
		t.Error("it was registered")
	}
}

func (h *house) allAbilities() []ability.AvailabilityEntry {
	snap, err := h.s.Availability(h.ctx())
	h.ok(err)
	return snap.Abilities
}

// Installed privately, then approved: the same proposal moves on without anything being written twice.
func TestSameProposalMovesToAnotherLane(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	r.Lane = ability.LanePrivate
	first := h.install(r)
	info, _ := os.Stat(h.path(0, r.Slug))
	r.SagaID, r.Lane = clock.NewID(), ability.LaneApproved
	second := h.install(r)
	now, _ := os.Stat(h.path(0, r.Slug))
	if first.AbilityID != second.AbilityID || !os.SameFile(info, now) {
		t.Error("another ability or another folder")
	}
	if e := h.entry(first.AbilityID); e.InstallLane != ability.LaneApproved || e.Revision != 2 || !e.UsableNow {
		t.Errorf("%+v", e)
	}
}

func TestReplaceKeepsIdAndRemovesTheOldFiles(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	first := h.install(r)
	next := changed(r)
	next.ProposalID, next.Replaces = clock.NewID(), first.AbilityID
	next.CapabilityID, next.Manifest.CapabilityID = "desk.renamed", "desk.renamed"
	res := h.install(next)
	if res.AbilityID != first.AbilityID || h.entry(res.AbilityID).ContentHash != next.ContentHash {
		t.Error("not replaced")
	}
	if h.file("system/capabilities/manifests/"+r.CapabilityID+".json", &map[string]any{}) {
		t.Error("the old manifest is still there")
	}
	for _, dir := range []string{h.opt.Targets[0].Dir, filepath.Join(h.opt.MemoryRoot, "system/learning/installed")} {
		names, _ := os.ReadDir(dir)
		if len(names) != 1 {
			t.Errorf("%s holds %v", dir, names)
		}
	}
}

func TestCancelledInstallation(t *testing.T) {
	h := newHouse(t)
	before := h.tree()
	ctx, cancel := context.WithCancel(h.ctx())
	ability.Probe(h.s, func(p string) error {
		if p == "materialize" {
			cancel()
		}
		return nil
	})
	_, err := h.s.Install(ctx, request("export-orders"))
	h.wantCode(err, fault.Cancelled)
	h.sameTreeBut(before, ability.AvailabilityPath, ability.CatalogPath, ability.BridgePath)
}

func (h *house) sameTreeBut(before map[string]string, but ...string) {
	h.t.Helper()
	after := h.tree()
	for p := range after {
		if _, ok := before[p]; !ok && !slices.ContainsFunc(but, func(b string) bool { return filepath.Base(b) == filepath.Base(p) }) {
			h.t.Errorf("%s is left over", p)
		}
	}
}

func TestDeleteLeavesReceiptsOnly(t *testing.T) {
	h := newHouse(t)
	before := h.tree()
	res := h.install(request("export-orders"))
	h.ok(h.s.Delete(h.ctx(), "export-orders", nil))
	for p := range h.tree() {
		if _, ok := before[p]; !ok && filepath.Ext(p) != "" &&
			!slices.Contains([]string{"availability_current.json", "catalog_current.json", "bridge_entries_current.json"}, filepath.Base(p)) {
			t.Errorf("%s is left over", p)
		}
	}
	if _, err := h.s.AvailabilityOf(h.ctx(), res.AbilityID); !fault.Is(err, fault.AbilityNotFound) {
		t.Error(err)
	}
	if h.there(h.path(0, "export-orders")) || h.there(res.CanonicalPath) || h.receipts()[journal.AbilityRemoved] != 1 {
		t.Error("not removed, or without a receipt")
	}
	led, err := h.s.Ledger(h.ctx())
	h.ok(err)
	for _, l := range led {
		if l.Kind != ability.PathFolder {
			t.Errorf("ledger: %+v", l)
		}
	}
	h.wantCode(h.s.Delete(h.ctx(), "export-orders", nil), fault.AbilityNotFound)
}

// Leaving takes away exactly what was put outside: what somebody else keeps there stays (decisions D8).
func TestLeave(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	theirs := filepath.Join(h.opt.Targets[1].Dir, "theirs", "SKILL.md")
	h.ok(os.MkdirAll(filepath.Dir(theirs), 0o755))
	h.ok(os.WriteFile(theirs, []byte("x"), 0o644))
	h.ok(h.s.Leave(h.ctx()))
	if h.there(filepath.Join(h.dir, "home", ".openclaw")) || h.there(h.path(1, "export-orders")) || !h.there(theirs) ||
		!h.there(res.CanonicalPath) {
		t.Error("not exactly what was put there")
	}
	led, err := h.s.Ledger(h.ctx())
	h.ok(err)
	for _, l := range led {
		if !h.there(l.Path) {
			t.Errorf("ledger: %+v", l)
		}
	}
	h.install(request("count-orders")) // any change of the registry, while the daemon ends
	if h.there(h.path(0, "export-orders")) || h.there(h.path(1, "export-orders")) {
		t.Error("copies are put back after leaving")
	}
	h.restart()
	if !h.entry("export-orders").UsableNow {
		t.Error("not put back")
	}
}

// full is a store that takes no more while the disk is full.
type full struct {
	ability.Store
	full bool
}

func (f *full) Update(ctx context.Context, fn func(ability.Tx) error) error {
	if f.full {
		return errors.New("the disk is full")
	}
	return f.Store.Update(ctx, fn)
}

// A daemon that could not leave puts missing copies back when a person switches the skill on.
func TestLeavingFails(t *testing.T) {
	h := newHouse(t)
	disk := &full{Store: h.opt.Store}
	h.opt.Store = disk
	h.restart()
	res := h.install(request("export-orders"))
	disk.full = true
	if err := h.s.Leave(h.ctx()); err == nil {
		t.Fatal("it left")
	}
	disk.full = false
	_, err := h.s.Activate(h.ctx(), res.AbilityID, nil)
	h.ok(err)
	if !h.there(h.path(0, "export-orders")) || !h.there(h.path(1, "export-orders")) {
		t.Error("nothing is put back")
	}
}
