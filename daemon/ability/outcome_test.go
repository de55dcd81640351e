package ability_test

import (
	"slices"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// look reports what a canary came to.
func (h *house) look(id string, r health.Result) health.State {
	h.t.Helper()
	o := health.Outcome{Source: health.Canary, Result: r, Step: "s2", Code: "target_missing", Covered: []string{"s1"}}
	if r == health.Passed {
		o.Step, o.Code, o.Covered = "", "", []string{"s1", "s2"}
	}
	tr := &health.Trace{TraceID: clock.NewID(), SurfacesAttempted: []string{"browser"}, CreatedAt: clock.Now(), SchemaVersion: 1,
		Verification: []health.Verification{}, Success: r == health.Passed,
		Steps: []health.TraceStep{{StepID: "s1", ActionLabel: "Open the page", Surface: "browser", Success: true}}}
	s, err := h.s.Report(h.ctx(), id, "", tr, o)
	h.ok(err)
	return s
}

// R9 1.1I: five equal failures withdraw an ability from agents, five good canaries in a row restore it, with the
// events of 0.3 and the canonical files of 1.1C, 1.1D and 1.1F.
func TestQuarantinedByFailuresHealedByCanaries(t *testing.T) {
	h := newHouse(t)
	id := h.install(request("export-orders")).AbilityID
	for i := 1; i <= health.QuarantineAt; i++ {
		h.look(id, health.Failed)
		if e := h.entry("export-orders"); e.UsableNow != (i < health.QuarantineAt) {
			t.Fatalf("after %d failures: usable %v", i, e.UsableNow)
		}
	}
	e := h.entry("export-orders")
	if e.InstallLane != ability.LaneQuarantined || e.Health.Status != "quarantined" || h.there(h.path(0, "export-orders")) {
		t.Fatalf("%+v", e)
	}
	var index ability.HealthIndex
	if !h.file(ability.HealthPath, &index) || index.Capabilities[0].HealthStatus != "quarantined" {
		t.Errorf("%+v", index)
	}
	for range health.HealAfter - 1 {
		h.look(id, health.Passed)
	}
	if h.entry("export-orders").UsableNow {
		t.Fatal("healed too early")
	}
	h.look(id, health.Passed)
	if e = h.entry("export-orders"); !e.UsableNow || e.Health.Status != "healthy" || e.InstallLane != ability.LaneApproved ||
		!h.there(h.path(0, "export-orders")) {
		t.Fatalf("%+v", e)
	}
	n := h.events()
	if n[journal.CapabilityHealthChanged] != 3 || n[journal.CapabilityQuarantined] != 1 || n[journal.ReprobeSucceeded] != 1 {
		t.Errorf("%v", n)
	}
	var stats ability.StatsIndex
	if !h.file(ability.StatsPath, &stats) || stats.Capabilities[0].Failed != 5 || stats.Capabilities[0].Passed != 5 {
		t.Errorf("a recheck deletes no earlier failure: %+v", stats)
	}
	if got := lines[health.Trace](h, ability.TracesPath); len(got) != 10 || got[0].CapabilityID != e.PrimaryCapabilityID || got[0].Goal == "" {
		t.Errorf("%d traces", len(got))
	}
}

// A person's own edits wait for approval and say nothing of whether the skill works: however many there are, none counts
// as a failure.
func TestOwnEditsAreNoFailures(t *testing.T) {
	h := newHouse(t)
	const slug = "export-orders"
	h.install(request(slug))
	h.look(slug, health.Passed)
	for range health.DegradeAt {
		h.edit(h.bundle(slug), "---\nname: export-orders\ndescription: other\n---\nmine")
		a, latest, err := h.s.Health(h.ctx(), slug)
		h.ok(err)
		if a.Trust != ability.TrustNeedsReapproval || a.Health.Status != health.Healthy || a.Health.Totals.Failed != 0 || len(latest) != 1 {
			t.Fatalf("%s %+v", a.Trust, a.Health)
		}
		_, err = h.s.Restore(h.ctx(), slug, nil)
		h.ok(err)
	}
}

// What a person quarantined no canary brings back; what was tried is not held against other content.
func TestHealthIsPerAbility(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	id := h.install(r).AbilityID
	_, err := h.s.Quarantine(h.ctx(), id, "I do not trust it", nil)
	h.ok(err)
	for range health.QuarantineAt {
		h.look(id, health.Failed)
	}
	for range health.HealAfter {
		h.look(id, health.Passed)
	}
	if e := h.entry("export-orders"); e.InstallLane != ability.LaneQuarantined {
		t.Error("a canary undid what a person decided")
	}
	_, err = h.s.ClearQuarantine(h.ctx(), id, nil)
	h.ok(err)
	for range health.QuarantineAt - 1 {
		h.look(id, health.Failed)
	}
	next := changed(r)
	next.Replaces = "export-orders"
	h.install(next)
	if s := h.look(id, health.Failed); s.Status == health.Quarantined {
		t.Error("the failures of earlier content quarantined the new one")
	}
	s, err := h.s.Report(h.ctx(), id, "sha256:of-something-else", nil, health.Outcome{Source: health.Canary, Result: health.Failed})
	h.ok(err)
	if s.Totals.Failed != 5+4+1 {
		t.Errorf("a run of other content was counted: %+v", s.Totals)
	}
}

// An ability whose files name tools of a connector counts calls of those alone; one that names none counts all.
func TestACallCountsForWhatNamesItsTool(t *testing.T) {
	h := newHouse(t)
	said := map[string]string{
		"find-a-part":   "Call `parts__find` first.\n",
		"order-a-part":  "With mcp__showhow__parts__order; myparts__find is another's.\n",
		"compare-parts": "Use its tools.\n",
		"any-part":      "Any of parts__* will do, say parts__order.\n",
	}
	scout := ability.Reporter{Kind: "agent", Key: "token:scout", Name: "scout"}
	for slug, text := range said {
		r := request(slug)
		files := slices.Clone(r.Bundle.Files)
		files[0].Data = append(slices.Clone(files[0].Data), text...)
		b, err := skill.New(slug, files)
		h.ok(err)
		r.Bundle, r.ContentHash, r.RequiredConnectors = b, b.Hash(), []string{"parts"}
		h.install(r)
		h.ok(h.s.NoteOpened(h.ctx(), scout, slug))
	}
	for _, tool := range []string{"find", "order", "order"} {
		h.ok(h.s.NoteCalled(h.ctx(), ability.Called{Agent: "scout", Connector: "parts", Tool: "parts__" + tool, Result: health.Failed,
			Code: "tool_failed"}))
	}
	for slug, want := range map[string]int{"find-a-part": 1, "order-a-part": 2, "compare-parts": 3, "any-part": 3} {
		a, _, err := h.s.Health(h.ctx(), slug)
		h.ok(err)
		if got := a.Health.Totals.Failed; got != want {
			t.Errorf("%s counts %d calls, want %d", slug, got, want)
		}
	}
}

// Calls to a connector are one more source (R9 1.1I): those that an agent makes while it follows an ability that needs
// the connector, and no others.
func TestCallsToAConnectorCount(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	r.RequiredConnectors = []string{"tracker"}
	id := h.install(r).AbilityID
	call := func(agent, connector string, result health.Result) {
		h.t.Helper()
		h.ok(h.s.NoteCalled(h.ctx(), ability.Called{Agent: agent, Connector: connector, Tool: connector + "__create", Result: result,
			Code: "tool_failed"}))
	}
	totals := func() health.Totals {
		a, _, err := h.s.Health(h.ctx(), id)
		h.ok(err)
		return a.Health.Totals
	}
	call("scout", "tracker", health.Failed) // nobody follows it
	for _, agent := range []string{"scout", "helper"} {
		by := ability.Reporter{Kind: "agent", Key: "token:" + agent, Name: agent}
		h.s.NoteLookup(by, []ability.LookupMatch{{AbilityID: id}})
		call(agent, "tracker", health.Failed) // it was only listed
		h.ok(h.s.NoteOpened(h.ctx(), by, id))
	}
	call("scout", "notes", health.Failed) // which it does not need
	call("other", "tracker", health.Failed)
	call("scout", "tracker", health.Inconclusive) // a sign-in
	if n := totals(); n != (health.Totals{}) {
		t.Fatalf("%+v", n)
	}
	call("scout", "tracker", health.Passed)
	if a, _, _ := h.s.Health(h.ctx(), id); a.Health.Status != health.Unknown || a.Health.Totals != (health.Totals{}) {
		t.Errorf("a call that succeeds is no use of the ability: %+v", a.Health)
	}
	for range health.QuarantineAt {
		call("scout", "tracker", health.Failed)
	}
	if a, _, _ := h.s.Health(h.ctx(), id); a.Health.Status != health.Degraded || a.Health.Step != "tracker__create" {
		t.Errorf("one agent alone quarantines nothing: %+v", a.Health)
	}
	call("helper", "tracker", health.Failed)
	a, all, err := h.s.Health(h.ctx(), id)
	h.ok(err)
	if a.Health.Status != health.Quarantined || len(all) != 7 || all[0].Source != health.Connector || all[0].Code != "tool_failed" {
		t.Errorf("%+v %+v", a.Health, all)
	}
}
