package learn_test

import (
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// DOC3 0C.4: improving a skill proposes a delta. It is made from the demonstrations of both, says what it would
// change, and leaves the installed skill as it is.
func TestImprovingProposesADelta(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	installed, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	before, err := w.skills.AvailabilityOf(w.ctx(), installed.AbilityID)
	w.ok(err)

	r := request()
	r.EntryMode, r.TargetKind, r.TargetSkillID = state.ImprovingExistingSkill, "existing_skill", installed.AbilityID
	r.Goal = "export an order with its items"
	next := w.create(r)
	_, err = w.svc.Start(w.ctx(), user, next.LearnSessionID)
	w.ok(err)
	w.cap.act(next.LearnSessionID, 2)
	_, err = w.svc.Stop(w.ctx(), user, next.LearnSessionID)
	w.ok(err)
	_, err = w.svc.GenerateProposal(w.ctx(), user, next.LearnSessionID)
	w.ok(err)

	in := w.draft.got[len(w.draft.got)-1]
	if in.ImprovesSlug != p.ProposedSkillSlug || len(in.Traces) != 2 || in.Traces[0].TraceID != p.SourceTraceIDs[0] {
		t.Errorf("compiled for %q from %d demonstrations", in.ImprovesSlug, len(in.Traces))
	}
	d := w.proposal(w.session(next.LearnSessionID).ProposalID)
	if c := strings.Join(d.Revisions[0].Changes, "\n"); !strings.Contains(c, "The goal is now: export an order with its items") {
		t.Errorf("what the delta changes: %q", c)
	}
	if c := d.Compatibility; c == nil || c.ToolShadowingCheck != "clear" || len(c.Findings) > 0 {
		t.Errorf("what it improves is no rival: %+v", c)
	}
	after, err := w.skills.AvailabilityOf(w.ctx(), installed.AbilityID)
	w.ok(err)
	if after.InstallLane != before.InstallLane || after.UsableNow != before.UsableNow ||
		w.proposal(p.ProposalID).Proposal.ContentHash != p.ContentHash {
		t.Error("the installed skill was touched")
	}
}

// What is shown again without a word about its goal is for the same: the skill keeps its name.
func TestImprovingKeepsTheGoal(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	installed, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	r := request()
	r.EntryMode, r.TargetKind, r.TargetSkillID, r.Goal = state.ImprovingExistingSkill, "existing_skill", installed.AbilityID, " "
	if next := w.create(r); next.Goal == "" || next.Goal != w.session(s.LearnSessionID).Goal {
		t.Errorf("the goal is %q", next.Goal)
	}
}

// DOC3 0B.6: a skill of any origin can be improved. One that nobody demonstrated here is for what it says of itself.
func TestImprovingWhatWasNotLearnedHere(t *testing.T) {
	w := newWorld(t)
	const text = "---\nname: tidy-invoices\ndescription: Sorts invoices by month.\n---\nSort them.\n"
	b := skill.Bundle{Name: "tidy-invoices", Files: []skill.File{{Path: skill.Entry, Data: []byte(text)}}}
	r, err := w.skills.Install(w.ctx(), ability.InstallRequest{SagaID: clock.NewID(), Lane: ability.LanePrivate, Source: "imported",
		Title: "Tidy invoices",
		Slug:  b.Name, CapabilityID: "imported.tidy_invoices", Bundle: b, ContentHash: b.Hash(),
		Manifest: skill.Manifest{CapabilityID: "imported.tidy_invoices", Family: "imported", Kind: "workflow_pattern", Title: "Tidy invoices",
			OriginSkill: b.Name, SurfaceOrder: []string{"native_openclaw_browser"},
			RuntimeBinding: skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: "SKILL.md"},
			Verification:   []skill.Verification{{Kind: "manual_confirmation", Target: "cp-01"}}, RoutingEligible: true,
			HealthProbe: skill.HealthProbe{Kind: "noop", Target: "-", TimeoutMS: 3000}, SchemaVersion: 1}})
	w.ok(err)
	create := request()
	create.EntryMode, create.TargetKind, create.TargetSkillID, create.Goal = state.ImprovingExistingSkill, "existing_skill", r.AbilityID, ""
	if s := w.create(create); s.Goal != "Sorts invoices by month." {
		t.Errorf("the goal is %q", s.Goal)
	}
}

// Instructions alone must be understood; beside edited fields they may be a remark. What a revision changed is told.
func TestInstructionsInPlainWords(t *testing.T) {
	w := newWorld(t)
	s := w.drafted()
	d, err := w.svc.Revise(w.ctx(), user, s.ProposalID,
		wire.ProposalReviseRequest{RevisionInstructions: "Call the skill Hand out an order. Remove the first checkpoint."})
	w.ok(err)
	in := w.draft.got[len(w.draft.got)-1]
	if in.Edits["title"] != "Hand out an order" || len(in.Edits["remove_checkpoints"].([]any)) != 1 || d.Proposal.Revision != 2 {
		t.Errorf("%v", in.Edits)
	}
	_, err = w.svc.Revise(w.ctx(), user, s.ProposalID, wire.ProposalReviseRequest{RevisionInstructions: "make it shine"})
	f := w.code(err, fault.InvalidRequest)
	if f.Details["nearest"] == nil || !strings.Contains(f.Hint, "nearest") || strings.Contains(f.Message, "shine") {
		t.Errorf("%+v", f)
	}
	if now := w.proposal(s.ProposalID).Proposal; now.Revision != 2 {
		t.Error("a refused instruction made a revision")
	}
	_, err = w.svc.Revise(w.ctx(), user, s.ProposalID,
		wire.ProposalReviseRequest{RevisionInstructions: "make it shine", EditedFields: map[string]any{"title": nil}})
	w.ok(err)
	if in := w.draft.got[len(w.draft.got)-1]; in.Edits["title"] != nil {
		t.Errorf("an edit was not taken back: %v", in.Edits)
	}
}
