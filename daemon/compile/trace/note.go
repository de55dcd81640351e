package trace

import "slices"

// Note is something that was left out of a demonstration, or learned from it. It is a code with arguments; package write
// puts it into words.
type Note struct {
	Code Code
	Args []string // texts of the trace; except for a site, generalise them before showing them
	Said string   // what the page said: a text of the trace
}

// Code says what kind of note it is.
type Code string

// Codes of what was left out, in the order of the rules that leave it out.
const (
	FormLeft        Code = "form_left"
	LookedElsewhere Code = "looked_elsewhere"
	LookedBack      Code = "looked_back"
	UndoneAtOnce    Code = "undone_at_once"
	SearchCorrected Code = "search_corrected"
	CommandStopped  Code = "command_stopped"
	ResultTakenBack Code = "result_taken_back"
	SentAgain       Code = "sent_again"
	SignedIn        Code = "signed_in"
	RunFailed       Code = "run_failed"
	Mistyped        Code = "mistyped"
	RunCorrected    Code = "run_corrected"
	FormRefused     Code = "form_refused"
	EnteredAgain    Code = "entered_again"
	SwitchedBack    Code = "switched_back"
	DialogCancelled Code = "dialog_cancelled"
	PassedBy        Code = "passed_by"
	WentBack        Code = "went_back"
	LookedAround    Code = "looked_around"
	CallFailed      Code = "call_failed"
	OnlyRead        Code = "only_read"
)

// Codes of advice for when it goes wrong again.
const (
	CorrectCommand Code = "correct_command"
	CorrectForm    Code = "correct_form" // Args are the fields that the page marked as not valid
)

// Said lists the texts of the trace, other than acts, that reach a reader: the person's notes and checks, and what notes
// quote.
func (n *Trace) Said() []string {
	out := slices.Concat(n.checked, n.Notes)
	for _, note := range slices.Concat(n.LeftOut, n.Recovery) {
		if note.Code != SignedIn {
			out = append(append(out, note.Args...), note.Said)
		}
	}
	return out
}
