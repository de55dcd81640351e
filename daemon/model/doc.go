// Package model asks a language model for better wording of a draft's texts, over the OpenAI-compatible chat
// completions that local and remote servers implement. Nothing in Showhow needs it.
//
// Guaranteed: the model sees only the texts, with every quotation from a page, command, address, number and known
// value replaced by a mark (hide.go); a text that holds one of the caller's sealed values, or that the redactor would
// change, is not sent at all. Its answer is untrusted: unless it has the same texts, with the same inputs and marks in
// the same order, the same negations and amounts, and no new command, link, number or instruction, it is refused
// (judge.go). One request goes to the one configured address, within limits of time and size, through no proxy and
// along no redirect (ask.go); an address outside this machine must be https, and the caller asks whether it may be
// used at all.
//
// Not guaranteed: that a text which passed is better, or means exactly the same. A person sees the difference before
// it becomes a revision, and whoever compiles the draft checks that the work has stayed the same.
//
// To test against it, run your own server; model_test.go plays honest and hostile ones.
package model

// Text is one text of a draft.
type Text struct {
	ID   string // names it in the answer
	Kind Kind
	Text string
	Max  int // runes; 0 means no bound of its own
}

// Kind is the purpose of a text.
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

// Answer is the usable part of the model's answer.
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
