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

// Trace is one demonstration between its boundaries, in order of occurrence.
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
	EventID string // the event it stands at, "" for the time alone
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
	Anchors       map[string]string // Output.Anchors of the revision before: what it gave a name keeps it
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
	Family           string // of the app: web host or program
	RequiredSites    []string
	RequiredCommands []string
	RequiredAdapters []string // what has to be there to do it: "browser", "midi"
	ConnectorHints   []string // ids of the connectors whose tools it calls
	Graph            workflow.Graph
	Interpretation   workflow.Interpretation
	Questions        []decision.Question // at most five, most important first
	Lint             LintReport
	Verdict          workflow.Verdict
	Manifest         skill.Manifest
	Metadata         map[string]any // the capability's metadata sidecar (baseline 1.1C)
	Bundle           skill.Bundle
	LeftOut          []string // what the person did that is not in the skill, and why
	Generated        []string // those of TriggerPhrases and NegativeTriggers that no person said

	// Anchors says which evidence every step, parameter and checkpoint id stands for, dropped ones included. Handed in
	// again with the next compilation, ids keep their meaning: an answer or edit made by id is never about something else.
	Anchors map[string]string
}

// LintReport is the result of the checkpoint lint (CKP-001..009) and the bundle's own validation.
type LintReport struct {
	Passed   bool      `json:"passed"`
	Findings []Finding `json:"findings"`
}

// Finding is one thing that lint finds in a draft: CKP-001 ... CKP-009 for a checkpoint, SKILL-... for a file.
type Finding = skill.Finding

// GoalOf is the session's goal, or the first one that was marked while demonstrating.
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

// What the person said they were checking while demonstrating (a mark of the kind "verification") is a state worth verifying like
// those that were mined: it is told with the checkpoint of what was done just before, or is one of its own. No program can tell
// it, so its check asks a person. What the person says later that a step must lead to is checked by its kind.

// MarkedCheck is the kind of a mark that says what the person was checking.
const MarkedCheck = "verification"

// WithEdited are the answers with those that an edit holds: of a part, what was answered before it was split off.
func (in Input) WithEdited() map[string]string {
	_, before := decision.Edits(in.Edits).Pairs(decision.EditAnswers)
	out := maps.Clone(before)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, in.Answers)
	return out
}

// Answer is what was answered to a question without a subject, or about one subject.
func (in Input) Answer(subject, field string) (string, bool) {
	a, ok := in.Answers[subject+"/"+field]
	return strings.TrimSpace(a), ok
}
