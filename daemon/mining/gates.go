package mining

import (
	"fmt"
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// gates are the six conditions of baseline 0.4F.
func (f *finding) gates(set Settings, cl wire.WorkflowTraceCluster, blocked []string) []Gate {
	worked, failed := len(cl.SuccessfulTraceIDs), len(cl.FailedTraceIDs)
	grave := 0
	for _, o := range f.occ {
		if slices.ContainsFunc(o.marks, func(m Mark) bool { return m.Grave && m.Failed }) {
			grave++
		}
	}
	block := ""
	for _, p := range f.r.Places {
		if slices.Contains(blocked, p.App) {
			block = p.App
		}
	}
	essential, named := 0, 0
	for _, p := range f.r.Places {
		if 2*p.In >= len(f.occ) {
			essential++
			if p.Target != "" {
				named++
			}
		}
	}
	gate := func(name string, ok bool, format string, args ...any) Gate {
		return Gate{Gate: name, Passed: ok, Reason: plain.Clip(fmt.Sprintf(format, args...), 240)}
	}
	friction := gate("no_friction_block", true, "nothing else has to be mended first")
	if block != "" {
		friction = gate("no_friction_block", false, "an ability for %s waits to be mended", block)
	}
	return []Gate{
		gate("successful_traces", worked >= set.MinSuccessfulTraces, "it worked in %d pieces of work, %d are needed; in %d it did not", worked,
			set.MinSuccessfulTraces, failed),
		gate("variation", cl.VariationScore <= set.MaxVariation, "it varies by %.2f, at most %.2f is allowed", cl.VariationScore,
			set.MaxVariation),
		gate("verification_coverage", cl.VerificationCoverageScore >= set.MinVerificationCover,
			"the effect of %.0f %% of its acting steps can be seen, at least %.0f %% are needed", 100*cl.VerificationCoverageScore,
			100*set.MinVerificationCover),
		gate("no_critical_failure", grave == 0, "a step that cannot be taken back failed %d times", grave),
		friction,
		gate("specific_enough", essential >= 3 && 2*named >= essential, "%d of its %d usual steps have a name", named, essential),
	}
}

// indicators lists what else counts for and against it.
func (f *finding) indicators(cl wire.WorkflowTraceCluster, goals []string) (positive, concerns []string) {
	positive, concerns = []string{}, []string{}
	if cl.VariationScore <= .15 {
		positive = append(positive, "the steps are always the same, in the same order")
	}
	if len(goals) == 1 && cl.ProjectSpecificity == "global" {
		positive = append(positive, "the same goal in several projects")
	}
	if n := len(f.occ); n >= 4 {
		early, late := 0, 0
		for i, o := range f.occ {
			if i < n/2 {
				early += len(o.marks)
			} else if i >= n-n/2 {
				late += len(o.marks)
			}
		}
		if 10*late <= 7*early {
			positive = append(positive, "it takes fewer steps than it did at first")
		}
	}
	if len(f.in()) >= 6 {
		positive = append(positive, "it is done often")
	}
	again := 0
	for _, p := range f.r.Places {
		if 2*p.Again > p.In {
			again++
		}
	}
	failed := 0
	for _, o := range f.occ {
		if o.failed {
			failed++
		}
	}
	if 3*failed >= len(f.occ) && failed > 0 {
		concerns = append(concerns, "it often does not work")
	}
	if 2*again > len(f.r.Places) {
		concerns = append(concerns, "most steps are done more than once")
	}
	if len(goals) > 1 {
		concerns = append(concerns, "it was called by different names")
	}
	if !f.named() {
		concerns = append(concerns, "its steps do not say what they are about")
	}
	return positive, concerns
}

// questions are the five of baseline 0.4G, with suggested answers.
func questions(set Settings, r Routine, grave bool) []Question {
	must := set.Mode == AskFirst || set.AskWhenAmbiguous && r.Ambiguous
	q := func(name, text, suggested string) Question {
		return Question{Question: name, Text: text, Suggested: plain.Clip(suggested, 240), Required: must}
	}
	scope := "global"
	if r.Cluster.ProjectSpecificity == "project_scoped" {
		scope = "project_scoped"
	}
	approval := "no"
	if grave {
		approval = "yes"
	}
	out := []Question{
		q("name", "What should this skill be called?", r.Cluster.NormalizedGoal),
		q("when", "When should an agent use it? How would you ask for it?", r.Cluster.NormalizedGoal),
		q("when_not", "When should an agent not use it?", "none"),
		q("scope", "Is it for one project, or generally useful?", scope),
		q("approval", "Does it need your approval every time?", approval),
	}
	if must { // some have an answer that is good enough
		out[2].Required, out[3].Required, out[4].Required = set.Mode == AskFirst, set.Mode == AskFirst, set.Mode == AskFirst
	}
	return out
}
