package ability_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func verify(status string) ability.VerifyCheckpointRequest {
	return ability.VerifyCheckpointRequest{AbilityID: "export-orders", CheckpointID: "cp-01", Status: status, Evidence: "the dialog is open",
		DispatchID: "dispatch-1"}
}

func (h *house) verify(r ability.VerifyCheckpointRequest) journal.CheckpointReceipt {
	h.t.Helper()
	got, err := h.s.VerifyCheckpoint(h.ctx(), r, ability.Reporter{Kind: "agent"})
	h.ok(err)
	return got
}

// R11.2-18, and one receipt per session or dispatch.
func TestR11_2_18_ReceiptOfAReachedCheckpoint(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	first := h.verify(verify("reached"))
	if again := h.verify(verify("reached")); again.ReceiptID != first.ReceiptID {
		t.Error("not idempotent")
	}
	other := verify("reached")
	other.DispatchID = "dispatch-2"
	h.verify(other)
	session := verify("reached")
	session.DispatchID, session.LearnSessionID = "", clock.NewID()
	h.verify(session)
	file := lines[journal.CheckpointReceipt](h, ability.CheckpointReceiptsPath)
	if len(file) != 3 || file[0].ReceiptID != first.ReceiptID || file[0].AbilityID != res.AbilityID ||
		file[0].Evidence != "the dialog is open" {
		t.Errorf("%+v", file)
	}
	for f, want := range map[ability.ReceiptFilter]int{
		{DispatchID: "dispatch-1"}: 1, {LearnSessionID: session.LearnSessionID}: 1, {AbilityID: res.AbilityID}: 3, {DispatchID: "none"}: 0,
	} {
		got, total, err := h.s.CheckpointReceipts(h.ctx(), f, 1, 2)
		h.ok(err)
		if total != want || len(got) != min(want, 2) {
			t.Errorf("%+v: %d of %d, want %d", f, len(got), total, want)
		}
	}
	e := h.entry("export-orders")
	if e.LastUsedAt == nil || e.CheckpointHealth != "strong" || e.Revision != 1 || h.events()[journal.CheckpointReached] != 3 {
		t.Errorf("%+v", e)
	}
	for _, ev := range h.allEvents() {
		for k, v := range ev.Payload {
			if s, ok := v.(string); ok && strings.Contains(s, "dialog") {
				t.Errorf("%s carries evidence in %s", ev.Kind, k)
			}
		}
	}
}

func TestR11_2_19_SkippedIsFriction(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	r := verify("skipped")
	r.Reason = "nothing to export"
	h.verify(r)
	if ev := h.events(); ev[journal.CheckpointSkipped] != 1 || ev[journal.FrictionRecorded] != 1 || ev[journal.RepairCandidate] != 0 {
		t.Errorf("%v", ev)
	}
}

func TestR11_2_20_FailedIsARepairCandidate(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	h.verify(verify("failed"))
	if ev := h.events(); ev[journal.CheckpointFailed] != 1 || ev[journal.RepairCandidate] != 1 || ev[journal.FrictionRecorded] != 0 {
		t.Errorf("%v", ev)
	}
	if e := h.entry("export-orders"); e.CheckpointHealth != "weak" {
		t.Errorf("%+v", e)
	}
	h.verify(verify("reached")) // it worked in the end: news, not a repetition
	if got, _, _ := h.s.CheckpointReceipts(h.ctx(), ability.ReceiptFilter{DispatchID: "dispatch-1"}, 1, 10); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// R11.2-21: verification is voluntary.
func TestR11_2_21_UsableWithoutVerification(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	h.ok(h.s.NoteUse(h.ctx(), "export-orders"))
	if e := h.entry("export-orders"); !e.UsableNow || e.CheckpointHealth != "no_data" || e.LastUsedAt == nil {
		t.Errorf("%+v", e)
	}
}

func TestVerifyRefusals(t *testing.T) {
	h := newHouse(t)
	h.opt.KnownSession = func(context.Context, string) (bool, error) { return false, nil }
	h.restart()
	h.install(request("export-orders"))
	for name, c := range map[string]struct {
		change func(*ability.VerifyCheckpointRequest)
		code   fault.Code
	}{
		"both":            {func(r *ability.VerifyCheckpointRequest) { r.LearnSessionID = clock.NewID() }, fault.InvalidRequest},
		"no ability":      {func(r *ability.VerifyCheckpointRequest) { r.AbilityID = "" }, fault.InvalidRequest},
		"unknown ability": {func(r *ability.VerifyCheckpointRequest) { r.AbilityID = "x" }, fault.AbilityNotFound},
		"unknown point":   {func(r *ability.VerifyCheckpointRequest) { r.CheckpointID = "cp-99" }, fault.NotFound},
		"unknown status":  {func(r *ability.VerifyCheckpointRequest) { r.Status = "maybe" }, fault.InvalidRequest},
		"no such session": {func(r *ability.VerifyCheckpointRequest) {
			r.DispatchID, r.LearnSessionID = "", clock.NewID()
		}, fault.LearnSessionNotFound},
		"not an id":         {func(r *ability.VerifyCheckpointRequest) { r.CheckpointID = "cp-01\x1b[2J" }, fault.InvalidRequest},
		"a long id":         {func(r *ability.VerifyCheckpointRequest) { r.CheckpointID = strings.Repeat("a", 161) }, fault.InvalidRequest},
		"not a run's id":    {func(r *ability.VerifyCheckpointRequest) { r.DispatchID = "run\x1b]0;x\a" }, fault.InvalidRequest},
		"a run of lines":    {func(r *ability.VerifyCheckpointRequest) { r.DispatchID = "run\n1" }, fault.InvalidRequest},
		"no checkpoint":     {func(r *ability.VerifyCheckpointRequest) { r.CheckpointID = "" }, fault.InvalidRequest},
		"session, no skill": {func(r *ability.VerifyCheckpointRequest) { r.AbilityID, r.DispatchID = "", "" }, fault.InvalidRequest},
	} {
		r := verify("reached")
		c.change(&r)
		if _, err := h.s.VerifyCheckpoint(h.ctx(), r, ability.Reporter{Kind: "agent"}); !fault.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if h.there(h.opt.MemoryRoot + "/" + ability.CheckpointReceiptsPath) {
		t.Error("a refused verification left a receipt")
	}
}

// What a skill does not declare is no checkpoint: an agent's word for it counts for nothing, and the refusal says what is
// declared. An approval of other files takes the ids from them.
func TestOnlyDeclaredCheckpointsAreReported(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	r.Checkpoints = nil
	id := h.install(r).AbilityID
	report := func(checkpoint string) *fault.Error {
		h.t.Helper()
		_, err := h.s.VerifyCheckpoint(h.ctx(), ability.VerifyCheckpointRequest{AbilityID: id, CheckpointID: checkpoint, Status: "reached"},
			ability.Reporter{Kind: "agent"})
		if err == nil {
			return nil
		}
		return fault.From(err)
	}
	for range 2 {
		if err := report("done"); err == nil || err.Code != fault.NotFound || !strings.Contains(err.Message, "declares no checkpoints") {
			t.Fatalf("%+v", err)
		}
	}
	if e := h.entry("export-orders"); e.CheckpointHealth != "no_data" || e.Health != nil || e.LastUsedAt != nil {
		t.Errorf("it counts: %+v", e)
	}
	if h.there(h.opt.MemoryRoot + "/" + ability.CheckpointReceiptsPath) {
		t.Error("it left a receipt")
	}
	h.ok(os.WriteFile(filepath.Join(filepath.Dir(h.bundle("export-orders")), "tests", "checks.json"),
		[]byte(`{"checkpoints":[{"checkpoint_id":"saved"},{"checkpoint_id":"sent"}]}`), 0o644))
	_, err := h.s.Approve(h.ctx(), id, ability.Approval{ContentHash: h.entry("export-orders").ContentHash}, nil)
	h.ok(err)
	if err := report("done"); err == nil || !strings.Contains(err.Hint, "saved, sent") {
		t.Errorf("%+v", err)
	}
	if err := report("saved"); err != nil {
		t.Error(err)
	}
	if e := h.entry("export-orders"); e.CheckpointHealth == "no_data" || !slices.Equal(e.Checkpoints, []string{"saved", "sent"}) {
		t.Errorf("%+v", e)
	}
}

// A run belongs to whoever reported on it first; another's report would stand in its story as if it were the same run.
func TestNobodyReportsOnAnothersRun(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	ada := ability.Reporter{Kind: "agent", Key: "a", Name: "ada", Names: []string{"ada"}}
	r, err := h.s.VerifyCheckpoint(h.ctx(), verify("reached"), ada)
	h.ok(err)
	if r.ReportedBy != "ada" {
		t.Errorf("%+v", r)
	}
	for _, by := range []ability.Reporter{{Kind: "agent", Key: "b", Name: "bob", Names: []string{"bob"}}, {Kind: "agent"}} {
		_, err := h.s.VerifyCheckpoint(h.ctx(), verify("failed"), by)
		if f := fault.From(err); f.Code != fault.InvalidRequest || f.Details["reason"] != "dispatch_of_another" {
			t.Errorf("%s: %v", by.Name, err)
		}
	}
	if _, err = h.s.VerifyCheckpoint(h.ctx(), verify("failed"), ada); err != nil {
		t.Error(err)
	}
	if _, total, err := h.s.CheckpointReceipts(h.ctx(), ability.ReceiptFilter{DispatchID: "dispatch-1"}, 1, 9); err != nil || total != 2 {
		t.Errorf("%d %v", total, err)
	}
}

// What an agent writes beside its report is kept without what a terminal would obey.
func TestAReportIsPlainText(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	r := verify("failed")
	r.Evidence, r.Reason = "the \x1b[31mdialog\u202e is open", "\x1b]0;owned\a"
	if got := h.verify(r); strings.ContainsAny(got.Evidence+got.Reason, "\x1b\a\u202e") || !strings.Contains(got.Evidence, "is open") {
		t.Errorf("%q %q", got.Evidence, got.Reason)
	}
}

// A report that names no run belongs to the reporter's present one.
func TestReportsWithoutARun(t *testing.T) {
	h := newHouse(t)
	var ahead time.Duration
	h.opt.Now = func() clock.Time { return clock.At(time.Now().Add(ahead)) }
	h.restart()
	res := h.install(request("export-orders"))
	report := func(key, checkpoint, status string) string {
		r := ability.VerifyCheckpointRequest{AbilityID: "export-orders", CheckpointID: checkpoint, Status: status}
		got, err := h.s.VerifyCheckpoint(h.ctx(), r, ability.Reporter{Kind: "agent", Key: key})
		h.ok(err)
		return got.DispatchID
	}
	first := report("a", "cp-01", "failed")
	if first == "" || report("a", "cp-01", "reached") != first || report("a", "cp-02", "reached") != first ||
		report("a", "cp-02", "reached") != first {
		t.Error("one run was taken for several")
	}
	if got := report("b", "cp-01", "reached"); got == first {
		t.Error("two reporters share a run")
	}
	second := report("a", "cp-01", "reached")
	if second == first {
		t.Error("who begins again is in another run")
	}
	h.s.NoteLookup(ability.Reporter{Kind: "agent", Key: "a"}, []ability.LookupMatch{{AbilityID: res.AbilityID}})
	third := report("a", "cp-01", "reached")
	if third == second {
		t.Error("who looked it up again is in another run")
	}
	ahead = 2 * time.Hour
	if report("a", "cp-01", "reached") == third {
		t.Error("after hours it is another run")
	}
}

func TestEvidenceIsRedacted(t *testing.T) {
	h := newHouse(t)
	h.opt.Redact = func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	h.restart()
	h.install(request("export-orders"))
	r := verify("reached")
	r.Evidence, r.Reason = "logged in with hunter2", "hunter2"
	if got := h.verify(r); strings.Contains(got.Evidence+got.Reason, "hunter2") {
		t.Errorf("%+v", got)
	}
}

// An agent's report that a control has another name waits for a person; what it cannot mean, or looks like a secret, is
// left out, and no other agent is shown it (baseline 1.1G).
func TestR9_1_1G_AReportNamesARenamedControl(t *testing.T) {
	h := newHouse(t)
	h.opt.Named = func(_ context.Context, a ability.Ability, control string) ([]string, error) {
		if a.Slug == "export-orders" && control == "Export" {
			return []string{"s3"}, nil
		}
		return nil, nil
	}
	h.opt.Secret = func(text string) bool { return strings.HasPrefix(text, "sk-") }
	h.restart()
	id := h.install(request("export-orders")).AbilityID
	r := verify("reached")
	r.Renamed = []wire.RenamedReport{{Was: "Export", Now: "Download\n as CSV"}, {Was: "Nothing", Now: "x"}, {Was: "Export", Now: "sk-123"},
		{Was: "Export", Now: "export"}}
	h.verify(r)
	a, latest, err := h.s.Health(h.ctx(), id)
	h.ok(err)
	if len(a.Health.Renamed) != 1 || a.Health.Renamed[0].Step != "s3" || a.Health.Renamed[0].Name != "Download as CSV" ||
		a.Health.Renamed[0].Agent != "agent" || len(latest[0].Renamed) != 1 {
		t.Errorf("%+v", a.Health.Renamed)
	}
	e := h.entry("export-orders")
	if e.Health.Renamed != 1 || e.Health.Status != "healthy" {
		t.Errorf("%+v", e.Health)
	}
	if b, err := json.Marshal(e); err != nil || strings.Contains(string(b), "Download as CSV") {
		t.Error("an agent's words reach other agents")
	}
}
