package learn_test

import (
	"testing"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// A repair is a draft of the same demonstrations with the new names. Nothing is applied by itself: the installed skill stays as it is.
func TestARepairIsADraft(t *testing.T) {
	w := newWorld(t)
	s := w.ready()
	p := w.proposal(s.ProposalID).Proposal
	installed, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	before, err := w.skills.AvailabilityOf(w.ctx(), installed.AbilityID)
	w.ok(err)
	found := []wire.RehearsalRepair{{
		StepID: "s1", Role: "button", Name: "Save changes", Changes: []string{"the button is called Save changes"}}}

	_, err = w.svc.Repair(w.ctx(), state.Meta{}, installed.AbilityID, p.ProposalID, found)
	w.code(err, fault.Forbidden)
	_, err = w.svc.Repair(w.ctx(), user, installed.AbilityID, p.ProposalID, nil)
	w.code(err, fault.NotFound)
	d, err := w.svc.Repair(w.ctx(), user, installed.AbilityID, p.ProposalID, found)
	w.ok(err)
	in := w.draft.got[len(w.draft.got)-1]
	if len(in.Traces) != 1 || in.ImprovesSlug != p.ProposedSkillSlug {
		t.Errorf("compiled from %d demonstrations, for %q", len(in.Traces), in.ImprovesSlug)
	}
	controls, _ := in.Edits["controls"].(map[string]any)
	if s1, _ := controls["s1"].(map[string]any); s1["name"] != "Save changes" || s1["role"] != "button" {
		t.Errorf("%+v", in.Edits)
	}
	if d.Proposal.ProposalID == p.ProposalID || d.Proposal.ProposalState == "approved" {
		t.Errorf("%+v", d.Proposal)
	}
	after, err := w.skills.AvailabilityOf(w.ctx(), installed.AbilityID)
	w.ok(err)
	if after.ContentHash != before.ContentHash || !after.UsableNow {
		t.Error("the installed skill was touched")
	}
}
