package decision

import (
	"slices"
	"strings"

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
	Asked         string     `json:"asked,omitempty" maxLength:"400" doc:"the same for who chooses the answer: without the words that say how to write it"`
	Required      bool       `json:"required"`
	SubjectRef    string     `json:"subject_ref,omitempty" maxLength:"160"` // param, step or checkpoint id
	Subjects      []string   `json:"subjects,omitempty" doc:"what it is about, in words"`
	Choices       []string   `json:"choices,omitempty"`
	Options       []string   `json:"options,omitempty" doc:"what the page offers: a constant is one of these"`
	Suggested     string     `json:"suggested,omitempty" maxLength:"2000"`
	CreatedAt     clock.Time `json:"created_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// Refs returns the ids of the values that a question about several values is about, in the order of Subjects, and nil
// for any other question. SubjectRef has limited room: a value whose id did not fit appears in Subjects alone and keeps
// its suggestion.
func (q Question) Refs() []string {
	refs := strings.Split(q.SubjectRef, ",")
	if q.Field != FieldInput || len(refs) < 2 || len(refs) > len(q.Subjects) {
		return nil
	}
	return refs
}

// Join writes answers to several values, keyed by id, as the one answer that Understand reads: "order: input; note:
// constant". A non-empty problem says what is wrong with them.
func (q Question) Join(answers map[string]string) (text, problem string) {
	refs := q.Refs()
	for ref := range answers {
		if !slices.Contains(refs, ref) {
			return "", "it is not about the value " + ref
		}
	}
	var out []string
	for i, ref := range refs {
		said := strings.TrimSpace(answers[ref])
		if said == "" {
			continue
		}
		if strings.ContainsAny(said, ";\n") {
			return "", "an answer to one of several values holds no ; and no second line"
		}
		out = append(out, q.Subjects[i]+": "+said)
	}
	return strings.Join(out, "; "), ""
}
