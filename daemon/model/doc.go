// Package model asks a language model to word the texts of a draft better, over the OpenAI-compatible chat completions that
// local and remote servers speak. Nothing in Showhow needs it.
//
// What it promises: the model sees the texts alone, with every quotation from a page, command, address, number and known value
// replaced by a mark (hide.go); a text that holds one of the caller's sealed values, or that the redactor would change, is not
// sent at all. Its answer is a stranger's: what is not the same texts, with the same inputs and marks in the same order, the
// same negations and amounts, no new command, link, number or instruction, is refused (judge.go). One request goes to the one
// configured address, within limits of time and size, through no proxy and along no redirect (ask.go); an address that is not
// this machine's must be https, and whether it may be used at all is the caller's to ask.
//
// What it does not promise: that a text which passed is better, or means exactly the same. A person looks at the difference
// before it becomes a revision, and whoever compiles the draft checks that the work has stayed as it was.
//
// To test against it, let a server of your own answer: model_test.go plays honest and hostile ones.
package model

// Text is one text of a draft.
type Text struct {
	ID   string // names it in the answer
	Kind Kind
	Text string
	Max  int // runes; 0: no bound of its own
}

// Kind says what a text is for.
type Kind string

const (
	Title      Kind = "title"
	Goal       Kind = "goal"
	Use        Kind = "when to use it"
	NonUse     Kind = "when not to use it"
	Input      Kind = "what an input is"
	Step       Kind = "name of a step"
	Checkpoint Kind = "name of a checkpoint"
	Condition  Kind = "state that a checkpoint is reached by"
)

// Request is what to improve.
type Request struct {
	Texts []Text
	Hide  []string // values that the texts may hold and the model does not see
	Never []string // values of which no text that is sent may hold one
}

// Answer is what of the model's answer may be used.
type Answer struct {
	Said    map[string]string // by id; only texts that are otherwise than before
	Refused []Refusal
	Sent    int // how many texts the model saw
	Bytes   int // how long the request was
}

// Refusal is a text that stays as it was, and why.
type Refusal struct {
	ID     string
	Reason string
}
