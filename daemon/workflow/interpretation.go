package workflow

import (
	"showhow/capture"
	"showhow/internal/clock"
)

// Interpretation is SemanticWorkflowInterpretation (DOC3 0C.9) with the additions of decisions C7.
type Interpretation struct {
	InterpretationID         string       `json:"interpretation_id" format:"uuid"`
	LearnSessionID           string       `json:"learn_session_id" format:"uuid"`
	ProposalID               string       `json:"proposal_id,omitempty" format:"uuid"`
	Title                    string       `json:"title" maxLength:"160"`
	GoalSummary              string       `json:"goal_summary" maxLength:"600"`
	UseConditions            []string     `json:"use_conditions"`
	NonUseConditions         []string     `json:"non_use_conditions"`
	ProjectScope             string       `json:"project_scope" enum:"global,project_scoped,unclear"`
	ProjectIDs               []string     `json:"project_ids,omitempty" maxLength:"160"`
	PreferredControlSurfaces []string     `json:"preferred_control_surfaces"`
	SuccessConditions        []string     `json:"success_conditions"`
	Checkpoints              []Checkpoint `json:"checkpoints"`
	Inputs                   []InputSpec  `json:"inputs"`
	UserConfirmed            bool         `json:"user_confirmed"`
	CreatedAt                clock.Time   `json:"created_at" format:"date-time"`
	SchemaVersion            int          `json:"schema_version" enum:"1"`
}

// Canonical returns the interpretation as its canonical file holds it: no list is null, and surfaces use the
// specification's enumeration (baseline 0.2A); older drafts have another word for the shell.
func (i Interpretation) Canonical() Interpretation {
	for _, l := range []*[]string{&i.UseConditions, &i.NonUseConditions, &i.PreferredControlSurfaces, &i.SuccessConditions} {
		*l = append([]string{}, *l...)
	}
	for n, s := range i.PreferredControlSurfaces {
		if s == "native_openclaw_exec" {
			i.PreferredControlSurfaces[n] = "native_openclaw_tool"
		}
	}
	return i
}

// InputSpec is an input as the skill documents it.
type InputSpec struct {
	Name        string            `json:"name"`
	Label       string            `json:"label"`
	Kind        capture.ValueKind `json:"kind"`
	Description string            `json:"description,omitempty"`
	Example     string            `json:"example,omitempty"` // invented or chosen by the person, never a masked value
	Options     []string          `json:"options,omitempty"`
	Required    bool              `json:"required"`
	Default     string            `json:"default,omitempty"`
	List        bool              `json:"list,omitempty"` // one or more
}

// Verdict says whether the demonstration is good enough.
type Verdict struct {
	Result string `json:"result" enum:"generalises,needs_example,cannot"`
	Reason string `json:"reason,omitempty"`
	StepID string `json:"step_id,omitempty"`
}

// The results of a verdict.
const (
	Generalises  = "generalises"
	NeedsExample = "needs_example"
	Cannot       = "cannot"
)
