package wire

import "showhow/internal/clock"

// AgentQuestion is what an agent asks the person, outside of any run.
type AgentQuestion struct {
	QuestionID string     `json:"question_id" format:"uuid"`
	Agent      string     `json:"agent" maxLength:"120"`
	Text       string     `json:"text" maxLength:"1000" doc:"in the agent's words"`
	AskedAt    clock.Time `json:"asked_at" format:"date-time"`
	ExpiresAt  clock.Time `json:"expires_at" format:"date-time" doc:"when the agent is told that nobody answered"`
}

// AgentQuestions are the questions that agents wait with, oldest first.
type AgentQuestions struct {
	Questions     []AgentQuestion `json:"questions"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// QuestionAnswer answers an agent's question, or refuses it.
type QuestionAnswer struct {
	Post
	Text          string `json:"text,omitempty" maxLength:"4000" doc:"what the agent is told"`
	Refuse        bool   `json:"refuse,omitempty" doc:"say no instead"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// QuestionAnswered says what became of a question.
type QuestionAnswered struct {
	QuestionID    string `json:"question_id" format:"uuid"`
	Outcome       string `json:"outcome" enum:"answered,refused"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}
