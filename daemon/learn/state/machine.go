package state

import (
	"slices"
	"strings"

	"showhow/internal/fault"
)

const (
	Idle              State = "idle"
	Armed             State = "armed"
	Capturing         State = "capturing"
	Paused            State = "paused"
	Stopped           State = "stopped"
	Reviewing         State = "reviewing"
	AwaitingQuestions State = "awaiting_questions"
	DraftingProposal  State = "drafting_proposal"
	TestingProposal   State = "testing_proposal"
	ReadyForReview    State = "ready_for_review"
	InstallingPrivate State = "installing_private"
	InstalledPrivate  State = "installed_private"
	Approved          State = "approved"
	Rejected          State = "rejected"
	Cancelled         State = "cancelled"
	Quarantined       State = "quarantined"
)

// States lists every state in the order of the mission.
var States = []State{Idle, Armed, Capturing, Paused, Stopped, Reviewing, AwaitingQuestions, DraftingProposal, TestingProposal,
	ReadyForReview, InstallingPrivate, InstalledPrivate, Approved, Rejected, Cancelled, Quarantined}

// transitions is DOC3 0C.1A, word for word.
var transitions = map[State][]State{
	Idle:              {Armed, Cancelled},
	Armed:             {Capturing, Cancelled},
	Capturing:         {Paused, Stopped, Cancelled},
	Paused:            {Capturing, Stopped, Cancelled},
	Stopped:           {Reviewing, Cancelled},
	Reviewing:         {AwaitingQuestions, DraftingProposal, Cancelled},
	AwaitingQuestions: {Reviewing, DraftingProposal, Cancelled},
	DraftingProposal:  {TestingProposal, ReadyForReview, Cancelled},
	TestingProposal:   {ReadyForReview, DraftingProposal, Cancelled, Quarantined},
	ReadyForReview:    {InstallingPrivate, Approved, Rejected, DraftingProposal},
	InstallingPrivate: {InstalledPrivate, Quarantined},
	InstalledPrivate:  {Approved, Quarantined},
	Approved:          {Quarantined},
	Rejected:          {},
	Cancelled:         {},
	Quarantined:       {DraftingProposal, Cancelled},
}

// Words is a state in words for people.
func Words(s State) string { return strings.ReplaceAll(string(s), "_", " ") }

// CanGo reports whether from -> to is in the table.
func CanGo(from, to State) bool { return slices.Contains(transitions[from], to) }

// CheckTransition returns the fault for a transition that is not in the table.
func CheckTransition(from, to State) error {
	if CanGo(from, to) {
		return nil
	}
	return fault.Newf(fault.InvalidLearnStateTransition, "a session that is %s cannot become %s", Words(from), Words(to)).
		WithHint("`showhow learn status` says what comes next").
		WithDetail("from", string(from)).WithDetail("to", string(to))
}
