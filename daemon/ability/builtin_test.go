package ability_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// program is the skills of a version of the program: one, with two capabilities.
func program(t *testing.T, body string) func() ([]ability.BuiltIn, error) {
	t.Helper()
	b, err := skill.New("read-maps", []skill.File{
		{Path: "SKILL.md", Data: []byte("---\nname: read-maps\ndescription: Reads a map and says where things are.\n" +
			"allowed-tools: Bash(maps *)\n---\n\n# Read maps\n\n" + body + "\n")},
		{Path: "tests/triggers.json", Data: []byte(`{"positives":["where is it on the map","read the map of a town"]}`)}})
	if err != nil {
		t.Fatal(err)
	}
	one := ability.Plain(b, skill.Document{}).Manifest
	one.CapabilityID, one.Title = "maps.read", "Read a map"
	two := one
	two.CapabilityID, two.Title = "maps.measure", "Measure a distance"
	return func() ([]ability.BuiltIn, error) {
		return []ability.BuiltIn{{Title: "Maps", Family: "maps", Bundle: b, Manifests: []skill.Manifest{one, two}, Checkpoints: []string{"cp-01"},
			RequiredAdapters: []string{"atlas"}}}, nil
	}
}

func (h *house) withProgram(all func() ([]ability.BuiltIn, error)) {
	h.t.Helper()
	h.opt.BuiltIns = all
	h.restart()
}

const atlas = "built-in-read-maps"

func TestComesWithTheProgram(t *testing.T) {
	h := newHouse(t)
	own := h.install(request("export-orders"))
	h.withProgram(program(t, "Look."))
	snap, err := h.s.Availability(h.ctx())
	h.ok(err)
	if len(snap.Abilities) != 2 || snap.Abilities[0].AbilityID != own.AbilityID {
		t.Fatalf("what is the person's own comes first: %+v", snap.Abilities)
	}
	e := snap.Abilities[1]
	if !e.BuiltIn || !e.UsableNow || e.Trust != ability.TrustApproved || e.SkillSlug != "read-maps" || e.Title != "Maps" {
		t.Errorf("%+v", e)
	}
	bridge, err := h.s.BridgeEntries(h.ctx())
	h.ok(err)
	var ids []string
	for _, b := range bridge.Entries {
		ids = append(ids, b.CapabilityID)
	}
	if !slices.Contains(ids, "maps.read") || !slices.Contains(ids, "maps.measure") {
		t.Errorf("bridge: %v", ids)
	}
	for _, f := range []string{"manifests/maps.read.json", "manifests/maps.measure.json", "metadata/maps.measure.json"} {
		if _, err := os.Stat(filepath.Join(h.opt.MemoryRoot, "system", "capabilities", filepath.FromSlash(f))); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	r, err := h.s.Lookup(h.ctx(), ability.LookupQuery{UserQuery: "where is the station on the map", SchemaVersion: 1})
	h.ok(err)
	if len(r.Matches) == 0 || r.Matches[0].AbilityID != atlas || !r.Matches[0].UsableNow {
		t.Errorf("lookup: %+v", r.Matches)
	}
	b, _, err := h.s.Open(h.ctx(), "read-maps", []string{"claude"})
	h.ok(err)
	if !strings.Contains(string(b.File(skill.Entry).Data), "Look.") {
		t.Error("an agent does not get the program's text")
	}
}

// No copy of it is on the disk, where it could be changed or become old.
func TestBuiltInIsOnNoDisk(t *testing.T) {
	h := newHouse(t)
	h.withProgram(program(t, "Look."))
	_, err := h.s.Availability(h.ctx())
	h.ok(err)
	for _, dir := range []string{h.dir} {
		h.ok(filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if d != nil && (d.Name() == "read-maps" || d.Name() == skill.Entry) {
				t.Errorf("%s is there", p)
			}
			return err
		}))
	}
}

func TestBuiltInIsNotUsableAndSaysWhy(t *testing.T) {
	h := newHouse(t)
	there := false
	h.opt.Env.Adapter = func(kind string) (bool, string) {
		return there || kind != "atlas", "atlas-utils is not installed: sudo apt-get install atlas-utils"
	}
	h.withProgram(program(t, "Look."))
	if e := h.entry(atlas); e.UsableNow || e.ReasonCode != "adapter_missing" ||
		!strings.Contains(e.ReasonUnusable, "apt-get install atlas-utils") {
		t.Errorf("%+v", e)
	}
	there = true
	if e := h.entry(atlas); !e.UsableNow {
		t.Errorf("it is installed by now: %+v", e)
	}
}

// A service is connected under a name that a person chose: what counts is the service.
func TestBuiltInNeedsAService(t *testing.T) {
	h := newHouse(t)
	why, code := "Maps Online is not connected: showhow maps connect", "connector_missing"
	h.opt.Env.Provider = func(name string) (string, string) {
		if name != "maps-online" {
			t.Errorf("asked about %q", name)
		}
		return why, code
	}
	one := program(t, "Look.")
	h.withProgram(func() ([]ability.BuiltIn, error) {
		all, err := one()
		all[0].RequiredProviders = []string{"maps-online"}
		return all, err
	})
	if e := h.entry(atlas); e.UsableNow || e.ReasonCode != code || e.ReasonUnusable != why {
		t.Errorf("%+v", e)
	}
	why, code = "", ""
	h.ok(h.s.ConnectorsChanged(h.ctx()))
	if e := h.entry(atlas); !e.UsableNow {
		t.Errorf("it is connected by now: %+v", e)
	}
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		if r.Kind == "ability.route.enabled" && r.AbilityID == atlas {
			return
		}
	}
	t.Error("no receipt says that it can be used")
}

// What a person decided stays when the program is another version; the content and its record are the new version's.
func TestBuiltInFollowsTheProgram(t *testing.T) {
	h := newHouse(t)
	h.withProgram(program(t, "Look."))
	_, err := h.s.Deactivate(h.ctx(), "read-maps", nil)
	h.ok(err)
	_, err = h.s.Report(h.ctx(), atlas, "", nil, health.Outcome{Source: health.Run, Result: health.Failed, Step: "cp-01", Code: "x"})
	h.ok(err)
	before := h.entry(atlas)
	h.restart()
	if again := h.entry(atlas); again.Revision != before.Revision || again.Enabled {
		t.Errorf("a start changed it: %+v", again)
	}
	h.withProgram(program(t, "Look twice."))
	after := h.entry(atlas)
	if after.Enabled || after.ContentHash == before.ContentHash || after.ContentHash != after.ApprovedHash ||
		after.Trust != ability.TrustApproved {
		t.Errorf("%+v", after)
	}
	a, _, err := h.s.Health(h.ctx(), atlas)
	h.ok(err)
	if a.Health.Failures(clock.Now()) != 0 {
		t.Error("the failures of another content count")
	}
	_, err = h.s.Activate(h.ctx(), "read-maps", nil)
	h.ok(err)
	b, _, err := h.s.Open(h.ctx(), "read-maps", nil)
	h.ok(err)
	if !strings.Contains(string(b.File(skill.Entry).Data), "Look twice.") {
		t.Error("the text is of the version before")
	}
	arrivals := 0
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		if r.Kind == journal.InstallCompleted && r.AbilityID == atlas {
			arrivals++
		}
	}
	if arrivals != 2 {
		t.Errorf("%d receipts say that the content is here, want one a version", arrivals)
	}
	h.withProgram(nil)
	if _, err := h.s.AvailabilityOf(h.ctx(), atlas); !fault.Is(err, fault.AbilityNotFound) {
		t.Errorf("a skill that the program does not have any more: %v", err)
	}
	if _, err := os.Stat(filepath.Join(h.opt.MemoryRoot, "system", "capabilities", "manifests", "maps.measure.json")); err == nil {
		t.Error("its manifest is still there")
	}
}

// A person's skill that has the name or a capability of one of the program's keeps it. Neither is lost: both are listed, can be used
// and are removed or switched off on their own, and a receipt says what the program's is called now.
func TestAPersonsSkillAndTheProgramsOfOneName(t *testing.T) {
	h := newHouse(t)
	r := request("read-maps")
	r.CapabilityID, r.Manifest.CapabilityID, r.Metadata["capability_id"] = "maps.measure", "maps.measure", "maps.measure"
	own := h.install(r)
	h.withProgram(program(t, "Look."))
	for range 2 { // a start changes nothing
		if e := h.entry("read-maps"); e.AbilityID != own.AbilityID || e.BuiltIn || !e.UsableNow {
			t.Errorf("%+v", e)
		}
		e := h.entry(atlas)
		if !e.BuiltIn || !e.UsableNow || e.SkillSlug != "read-maps-built-in" {
			t.Errorf("%+v", e)
		}
		b, _, err := h.s.Open(h.ctx(), "read-maps-built-in", nil)
		h.ok(err)
		if doc, err := skill.Parse(b); err != nil || doc.Name != b.Name || b.Name != "read-maps-built-in" || b.Hash() != e.ContentHash {
			t.Errorf("%q in %q: %v", doc.Name, b.Name, err)
		}
		h.restart()
	}
	bridge, err := h.s.BridgeEntries(h.ctx())
	h.ok(err)
	for _, id := range []string{"maps.measure", "maps.measure.built_in", "maps.read"} {
		if !slices.ContainsFunc(bridge.Entries, func(b wire.CapabilityBridgeEntry) bool { return b.CapabilityID == id }) {
			t.Errorf("the bridge lacks %s", id)
		}
	}
	told := 0
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		if r.AbilityID == atlas && strings.Contains(r.Summary, "is called read-maps-built-in") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d receipts say what it is called", told)
	}
	_, err = h.s.Deactivate(h.ctx(), "read-maps-built-in", nil)
	h.ok(err)
	h.ok(h.s.Delete(h.ctx(), own.AbilityID, nil))
	h.restart()
	if e := h.entry("read-maps"); !e.BuiltIn || e.Enabled {
		t.Errorf("the name is free again, and the person's decision stays: %+v", e)
	}
}

// Where the program's skill was first, nobody installs over it: the answer names a free name.
func TestTheNameOfTheProgramsSkillIsTaken(t *testing.T) {
	h := newHouse(t)
	h.withProgram(program(t, "Look."))
	_, err := h.s.Install(h.ctx(), request("read-maps"))
	h.wantCode(err, fault.SlugTaken)
	if e := h.entry("read-maps"); e.AbilityID != atlas || !e.UsableNow || fault.From(err).Details["suggested_slug"] != "read-maps-2" {
		t.Errorf("%+v, %v", e, err)
	}
}

// What a person decided about a skill counts when a version without it was started in between.
func TestADecisionOutlivesAVersionWithoutTheSkill(t *testing.T) {
	h := newHouse(t)
	h.withProgram(program(t, "Look."))
	_, err := h.s.Deactivate(h.ctx(), atlas, nil)
	h.ok(err)
	for range 2 {
		h.withProgram(nil)
		h.restart()
		h.withProgram(program(t, "Look closely."))
		if e := h.entry(atlas); e.Enabled || e.UsableNow {
			t.Errorf("%+v", e)
		}
	}
	_, err = h.s.Activate(h.ctx(), atlas, nil)
	h.ok(err)
	h.withProgram(nil)
	h.withProgram(program(t, "Look."))
	if e := h.entry(atlas); !e.UsableNow {
		t.Errorf("%+v", e)
	}
}

func TestBuiltInIsNotDecidedOn(t *testing.T) {
	h := newHouse(t)
	h.withProgram(program(t, "Look."))
	e := h.entry(atlas)
	replace := request("read-maps")
	replace.Replaces = atlas
	for what, f := range map[string]func(context.Context) error{
		"approve": func(ctx context.Context) error {
			_, err := h.s.Approve(ctx, atlas, ability.Approval{ContentHash: e.ContentHash}, nil)
			return err
		},
		"reject":  func(ctx context.Context) error { _, err := h.s.Reject(ctx, atlas, "no", nil); return err },
		"restore": func(ctx context.Context) error { _, err := h.s.Restore(ctx, atlas, nil); return err },
		"promote": func(ctx context.Context) error { _, err := h.s.PromoteShared(ctx, atlas, nil); return err },
		"delete":  func(ctx context.Context) error { return h.s.Delete(ctx, atlas, nil) },
		"permissions": func(ctx context.Context) error {
			_, err := h.s.SetPermissions(ctx, atlas, ability.Permissions{Domains: []string{"maps.example"}, Agents: e.Permissions.Agents}, nil)
			return err
		},
		"replace": func(ctx context.Context) error { _, err := h.s.Install(ctx, replace); return err },
	} {
		if err := f(h.ctx()); !fault.Is(err, fault.InstallLaneDenied) || !strings.Contains(fault.From(err).Hint, "ability deactivate read-maps") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after := h.entry(atlas); after.Revision != e.Revision || !after.UsableNow {
		t.Errorf("%+v", after)
	}
	d, err := h.s.Difference(h.ctx(), atlas)
	h.ok(err)
	if len(d.Files) != 0 || d.CanRestore || d.Folder != "" {
		t.Errorf("%+v", d)
	}
	b, err := h.s.Reading(h.ctx(), atlas)
	h.ok(err)
	if b.Hash() != e.ContentHash {
		t.Error("a person reads something else")
	}
	forOne := e.Permissions
	forOne.Agents = []string{"scout"}
	if e, err = h.s.SetPermissions(h.ctx(), atlas, forOne, nil); err != nil || len(e.Permissions.Agents) != 1 {
		t.Errorf("which agents have it is the person's: %v %+v", err, e.Permissions)
	}
}
