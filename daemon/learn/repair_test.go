package learn_test

import (
	"slices"
	"strings"
	"testing"

	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
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
	found := []wire.RenamedControl{{StepID: "s1", Role: "button", Name: "Save changes", Told: "Showhow saw it when it looked",
		Changes: []string{"the button is called Save changes"}, At: w.clock.wire()}}
	from := state.Repairable{AbilityID: installed.AbilityID, ProposalID: p.ProposalID, Renamed: found, Sites: []string{"shop.example"}}

	_, err = w.svc.Repair(w.ctx(), state.Meta{}, from)
	w.code(err, fault.Forbidden)
	_, err = w.svc.Repair(w.ctx(), user, state.Repairable{AbilityID: installed.AbilityID, ProposalID: p.ProposalID})
	w.code(err, fault.NotFound)
	d, err := w.svc.Repair(w.ctx(), user, from)
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
	last := d.Revisions[len(d.Revisions)-1]
	if !strings.Contains(d.Revisions[0].Instructions+last.Instructions, "Showhow saw it when it looked") {
		t.Errorf("where it comes from is not kept: %+v", d.Revisions)
	}
	w.judge.mu.Lock()
	n := len(w.judge.order)
	tests, look := w.judge.runs[w.judge.order[n-2]].req, w.judge.runs[w.judge.order[n-1]].req
	w.judge.mu.Unlock()
	if !slices.Contains(tests.Run.RunKinds, rehearse.RunDryRun) || !slices.Equal(look.Run.RunKinds, []rehearse.RunKind{rehearse.RunCanary}) ||
		look.Policy.Mode != rehearse.ReadOnly || !slices.Equal(look.Policy.AllowedDomains, from.Sites) {
		t.Errorf("its tests: %+v %+v", tests.Run.RunKinds, look.Policy)
	}
	after, err := w.skills.AvailabilityOf(w.ctx(), installed.AbilityID)
	w.ok(err)
	if after.ContentHash != before.ContentHash || !after.UsableNow {
		t.Error("the installed skill was touched")
	}
}

// A name that only an agent reported is tried on no site before a person has seen it; the tests that perform nothing run all the same.
func TestAReportedNameIsNotTried(t *testing.T) {
	w := newWorld(t)
	p := w.proposal(w.ready().ProposalID).Proposal
	installed, err := w.svc.Install(w.ctx(), user, p.ProposalID,
		wire.ProposalInstallRequest{InstallLane: "experimental_private", Revision: p.Revision, ContentHash: p.ContentHash})
	w.ok(err)
	found := []wire.RenamedControl{{StepID: "s1", Role: "button", Name: "Save changes", Told: "Showhow saw it when it looked",
		At: w.clock.wire()},
		{StepID: "s2", Role: "button", Name: "Delete all", Agent: "an agent", Told: "an agent reported it; Showhow has not seen it",
			At: w.clock.wire()}}
	w.judge.mu.Lock()
	before := len(w.judge.order)
	w.judge.mu.Unlock()
	d, err := w.svc.Repair(w.ctx(), user, state.Repairable{AbilityID: installed.AbilityID, ProposalID: p.ProposalID, Renamed: found,
		Sites: []string{"shop.example"}})
	w.ok(err)
	w.ok(w.svc.WaitRuns(w.ctx(), d.Proposal.ProposalID))
	w.judge.mu.Lock()
	defer w.judge.mu.Unlock()
	started := w.judge.order[before:]
	if len(started) == 0 {
		t.Error("no tests were started")
	}
	for _, id := range started {
		if kinds := w.judge.runs[id].req.Run.RunKinds; slices.Contains(kinds, rehearse.RunCanary) {
			t.Errorf("it looked: %v", kinds)
		}
	}
}
