package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Splitting a work makes a draft of each part; the draft they came from stays.
func TestASplitMakesDraftsOfTheParts(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.drafted()
	ctx, id := t.Context(), d.Proposal.ProposalID
	steps := d.Graph.Steps
	_, err := w.c.Split(ctx, id, client.SplitRequest{After: []string{steps[len(steps)-1].StepID}})
	refused(t, err, fault.InvalidRequest)
	whole := got(w.c.Split(ctx, id, client.SplitRequest{
		After: []string{steps[0].StepID}, Goals: []string{"Count the orders", "Summarise the orders"}}))(t)
	if len(whole.Proposal.SplitInto) != 2 || whole.Proposal.ContentHash != d.Proposal.ContentHash ||
		whole.Proposal.Revision != d.Proposal.Revision || whole.Session.State != "drafting_proposal" {
		t.Fatalf("the whole is not as it was: %+v", whole.Proposal)
	}
	var parts []client.ProposalDetail
	for i, p := range whole.Proposal.SplitInto {
		x := w.proposal(p)
		parts = append(parts, x)
		if x.Proposal.SplitFrom != id || x.Proposal.Revision != 1 || x.Session.SplitFrom.Part != i+1 || x.Session.State != "drafting_proposal" {
			t.Errorf("part %d: %+v", i+1, x.Proposal)
		}
		for _, cp := range x.Interpretation.Checkpoints {
			if !slices.ContainsFunc(x.Graph.Steps, func(s wire.WorkflowStep) bool { return s.StepID == cp.StepID }) {
				t.Errorf("part %d has the checkpoint %q of a step that it has not", i+1, cp.Goal)
			}
		}
		for _, in := range x.Interpretation.Inputs {
			if !strings.Contains(x.SkillMD, in.Name) {
				t.Errorf("part %d asks for %q and does not use it", i+1, in.Name)
			}
		}
	}
	if a, b := parts[0].Graph.Steps, parts[1].Graph.Steps; len(a) != 1 || len(b) != len(steps)-1 ||
		parts[0].Proposal.ProposedSkillSlug == parts[1].Proposal.ProposedSkillSlug {
		t.Errorf("%d and %d steps of %d; %s, %s", len(a), len(b), len(steps), parts[0].Proposal.ProposedSkillSlug,
			parts[1].Proposal.ProposedSkillSlug)
	}
	if strings.Contains(parts[0].SkillMD, "summary.csv") || !strings.Contains(parts[1].SkillMD, "summary.csv") ||
		strings.Contains(parts[1].SkillMD, "wc -l") {
		t.Errorf("the parts are not apart:\n%s\n%s", parts[0].SkillMD, parts[1].SkillMD)
	}
	_, err = w.c.CreateSession(ctx, asked(nil))
	refused(t, err, fault.LearnSessionAlreadyActive)

	// Each goes its own way: one is installed, the other changed.
	installed := w.validated(parts[0])
	got(w.install(installed))(t)
	again := got(w.c.Revise(ctx, parts[1].Proposal.ProposalID,
		client.ReviseRequest{EditedFields: map[string]any{"title": "Sum up the orders"}}))(t)
	if again.Proposal.Revision != 2 || len(again.Graph.Steps) != len(steps)-1 {
		t.Errorf("the changed part: revision %d, %d steps", again.Proposal.Revision, len(again.Graph.Steps))
	}
	got(w.c.DeleteSession(ctx, d.Proposal.LearnSessionID))(t)
	_, err = w.c.Revise(ctx, parts[1].Proposal.ProposalID, client.ReviseRequest{EditedFields: map[string]any{"title": "Once more"}})
	refused(t, err, fault.InsufficientTraces)
	// the other part answers to like phrases
	if run := w.validate(w.proposal(parts[1].Proposal.ProposalID)); run.OverallResult != "passed" && run.OverallResult != "partial" {
		t.Errorf("the second part: %s %s", run.OverallResult, run.Reason)
	}
}

// A part is split again like any other work, and its parts outlive it: they are made from the demonstration, with the
// answers about it.
func TestAPartIsSplitAgain(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.drafted()
	ctx := t.Context()
	steps := d.Graph.Steps
	if len(steps) < 3 {
		t.Fatalf("%d steps", len(steps))
	}
	whole := got(w.c.Split(ctx, d.Proposal.ProposalID, client.SplitRequest{After: []string{steps[0].StepID}}))(t)
	part := w.proposal(whole.Proposal.SplitInto[1])
	part = got(w.c.Revise(ctx, part.Proposal.ProposalID,
		client.ReviseRequest{EditedFields: map[string]any{"rename_steps": map[string]any{steps[1].StepID: "Make the summary"}}}))(t)
	_, err := w.c.Split(ctx, part.Proposal.ProposalID, client.SplitRequest{After: []string{steps[0].StepID}})
	refused(t, err, fault.InvalidRequest) // that step is in the other part
	again := got(w.c.Revise(ctx, part.Proposal.ProposalID, client.ReviseRequest{RevisionInstructions: "split after the first step"}))(t)
	if len(again.Proposal.SplitInto) != 2 || again.Proposal.Revision != part.Proposal.Revision {
		t.Fatalf("%+v", again.Proposal)
	}
	got(w.c.DeleteSession(ctx, part.Proposal.LearnSessionID))(t)
	for i, p := range again.Proposal.SplitInto {
		x := got(w.c.Revise(ctx, p, client.ReviseRequest{EditedFields: map[string]any{"title": "Part " + []string{"one", "two"}[i]}}))(t)
		var ids []string
		for _, s := range x.Graph.Steps {
			ids = append(ids, s.StepID)
		}
		var want []string
		for _, s := range [][]wire.WorkflowStep{steps[1:2], steps[2:]}[i] {
			want = append(want, s.StepID)
		}
		if !slices.Equal(ids, want) || x.Session.SplitFrom.Part != i+1 || x.Proposal.SplitFrom != part.Proposal.ProposalID {
			t.Errorf("part %d: steps %v, want %v; %+v", i+1, ids, want, x.Session.SplitFrom)
		}
		if i == 0 && x.Graph.Steps[0].Title != "Make the summary" {
			t.Errorf("an edit was lost: %q", x.Graph.Steps[0].Title)
		}
	}
}

// In plain words it is the same.
func TestASplitInPlainWords(t *testing.T) {
	t.Parallel()
	w := begin(t)
	d := w.drafted()
	_, err := w.c.Revise(t.Context(), d.Proposal.ProposalID,
		client.ReviseRequest{RevisionInstructions: "split after the first step. call the skill Orders"})
	refused(t, err, fault.InvalidRequest)
	whole := got(w.c.Revise(t.Context(), d.Proposal.ProposalID, client.ReviseRequest{RevisionInstructions: "split after the first step"}))(t)
	if len(whole.Proposal.SplitInto) != 2 || whole.Proposal.Revision != d.Proposal.Revision {
		t.Fatalf("%+v", whole.Proposal)
	}
}
