package decision

import (
	"showhow/internal/clock"
)

// MaxQuestions bounds the questions of a draft.
const MaxQuestions = 5

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
