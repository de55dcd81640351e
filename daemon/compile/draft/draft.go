package draft

import (
	"maps"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/plain"
)

// Trace is one demonstration, from its start to its end, with its records in order of occurrence.
type Trace struct {
	TraceID   string
	SessionID string
	Records   []capture.Record
	Goals     []Mark // mark_goal boundaries
	Steps     []Mark // mark_step boundaries
}

// Mark is a goal or step that the person named while demonstrating.
type Mark struct {
	Label   string
	Kind    string // step_kind_hint: action, guard, verification, decision, other
	EventID string // the event that it marks; "" when only At is known
	At      clock.Time
}

// Input is everything a compilation depends on.
type Input struct {
	Goal          string
	EntryMode     string // DOC3 learning entry mode
	ExecutionMode string // strict, guided, adaptive
	Traces        []Trace
	Values        map[string]string // link id -> value, opened from the vault for this compilation only
	Answers       map[string]string // question subject (Question.SubjectRef + "/" + Field) -> answer
	Anchors       map[string]string // Output.Anchors of the previous revision, so that ids stay the same
	Edits         map[string]any    // structured edits of a revision (edited_fields)
	TakenSlugs    []string
	ImprovesSlug  string // non-empty: the skill this is a delta against
	Revision      int
	Now           clock.Time
	NewID         func() string
}

// Output is a draft: what was understood and the bundle it becomes.
type Output struct {
	Title            string
	Slug             string
	TriggerPhrases   []string
	NegativeTriggers []string
	CapabilityID     string
	Family           string // of the application: a web host or a program
	RequiredSites    []string
	RequiredCommands []string
	RequiredAdapters []string // the adapters that a run needs: "browser", "midi"
	ConnectorHints   []string // ids of the connectors whose tools it calls
	Graph            workflow.Graph
	Interpretation   workflow.Interpretation
	Questions        []decision.Question // at most five, most important first
	Lint             LintReport
	Verdict          workflow.Verdict
	Manifest         skill.Manifest
	Metadata         map[string]any // the capability's metadata sidecar (baseline 1.1C)
	Bundle           skill.Bundle
	LeftOut          []string // what the person did that is not in the skill, each with the reason
	Generated        []string // those of TriggerPhrases and NegativeTriggers that were generated, not given by a person

	// Anchors maps the evidence of every step, parameter and checkpoint, dropped ones included, to its id. Passed to the
	// next compilation as Input.Anchors, it keeps each id bound to the same thing, so that an answer or edit never
	// applies to another one.
	Anchors map[string]string
}

// LintReport is the result of the checkpoint lint (CKP-001..009) and the bundle's own validation.
type LintReport struct {
	Passed   bool      `json:"passed"`
	Findings []Finding `json:"findings"`
}

// Finding is one result of the lint: CKP-001 to CKP-009 for a checkpoint, SKILL-... for a file.
type Finding = skill.Finding

// GoalOf returns the session's goal, or else the first goal that was marked while demonstrating.
func GoalOf(in Input) string {
	if in.Goal != "" {
		return in.Goal
	}
	for _, t := range in.Traces {
		for _, m := range t.Goals {
			if plain.Squeeze(m.Label) != "" {
				return m.Label
			}
		}
	}
	return ""
}

// MarkedCheck is the kind of a mark by which the person says what they are checking while demonstrating. What they check
// is a state worth verifying: it joins the checkpoint of the action just before it, or becomes a checkpoint of its own.
// No program can test it, so its check asks a person; a check that the person adds to a step later is tested by its
// kind.
const MarkedCheck = "verification"

// WithEdited returns Answers together with the answers that were given before this part was split off and are kept in
// the edits. Answers wins.
func (in Input) WithEdited() map[string]string {
	_, before := decision.Edits(in.Edits).Pairs(decision.EditAnswers)
	out := maps.Clone(before)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, in.Answers)
	return out
}

// Answer returns the trimmed answer to a question about subject, or to a question without one (subject ""), and whether
// there is one.
func (in Input) Answer(subject, field string) (string, bool) {
	a, ok := in.Answers[subject+"/"+field]
	return strings.TrimSpace(a), ok
}
