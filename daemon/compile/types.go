// Package compile turns traces into a skill: normalise -> collapse -> align -> graph -> segment -> interpretation -> bundle.
// Every step is a pure function of its input (ids and time are injected), with golden tests.
//
// What it promises: no step, input or checkpoint without evidence in the trace; no sealed value as text unless a person's answer
// made it so (an option of the page that was the same every time is the page's own word); at most five questions; ids that
// keep their meaning over revisions. What it does not promise: to know from one example what varies. It asks.
//
// Instruct reads what a reviewer says in plain words (docs/review.md), MergeEdits joins the edits of revisions, Difference says
// what a draft has otherwise, Derive and Part work out forms of values for whoever performs the graph. To test against it, see
// the txtar fixtures in testdata and the recorded workflows of bench/corpus.
package compile

import (
	"showhow/capture"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
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
	Graph            workflow.Graph
	Interpretation   workflow.Interpretation
	Questions        []Question // at most five, most important first
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

// Question is LearningQuestion (DOC3 0C.10A) with the fields of decisions C9.
type Question struct {
	QuestionID    string     `json:"question_id" format:"uuid"`
	ProposalID    string     `json:"proposal_id" format:"uuid"`
	Field         string     `json:"field" enum:"name,goal_summary,use_conditions,non_use_conditions,project_scope,preferred_surface,package_assignment,success_condition,input,constant,branch,step"`
	Prompt        string     `json:"prompt" maxLength:"400"`
	Required      bool       `json:"required"`
	SubjectRef    string     `json:"subject_ref,omitempty" maxLength:"160"` // param, step or checkpoint id
	Subjects      []string   `json:"subjects,omitempty" doc:"what it is about, in words"`
	Choices       []string   `json:"choices,omitempty"`
	Options       []string   `json:"options,omitempty" doc:"what the page offers: a constant is one of these"`
	Suggested     string     `json:"suggested,omitempty" maxLength:"2000"`
	CreatedAt     clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// LintReport is the result of the checkpoint lint (CKP-001..009) and the bundle's own validation.
type LintReport struct {
	Passed   bool      `json:"passed"`
	Findings []Finding `json:"findings"`
}

// Finding is one thing that lint finds in a draft: CKP-001 ... CKP-009 for a checkpoint, SKILL-... for a file.
type Finding = skill.Finding
