package state

import (
	"context"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Store stores sessions, boundaries, proposals, questions and runs. Update commits durably (synchronous=FULL) or not
// at all. Inside Update no other Update may be called.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
	// Join makes a Tx of another capability's transaction (the Finish of a saga or a validation run).
	Join(w journal.Writer) (Tx, error)
}

// Tx is one transaction. Lookups return false when there is nothing; lists are newest first unless said otherwise.
type Tx interface {
	journal.Writer

	PutSession(Session) error
	Session(id string) (Session, bool, error)
	DeleteSession(id string) error                                // with its boundaries
	Sessions(wire.SessionFilter) ([]Session, int, error)          // archived ones excluded
	History(wire.PageQuery) ([]Session, int, error)               // archived ones included
	OpenSessions() ([]Session, error)                             // not ended, oldest first
	LearningSessions() ([]Session, error)                         // the open ones that mirror no import
	TargetSessions(targetID string) ([]Session, error)            // oldest first
	LastSession() (Session, bool, error)                          // the one updated last
	UnpurgedSessions() ([]Session, error)                         // with raw data, oldest first
	UnarchivedSessions(endedBefore clock.Time) ([]Session, error) // ended until then and not archived

	PutBoundary(Boundary) error
	Boundaries(sessionID string) ([]Boundary, error) // in order

	PutProposal(Proposal) error
	Proposal(id string) (Proposal, bool, error)
	DeleteProposal(id string) error // with its revisions and questions
	// ArchiveRuns moves the canonical lines of a proposal's validation runs into the file to.
	ArchiveRuns(proposalID, to string) error
	Proposals(wire.ProposalFilter) ([]Proposal, int, error)
	UnarchivedProposals(state string, updatedBefore clock.Time) ([]Proposal, error)
	ProposalIDs() ([]string, error)
	Slugs(exceptProposal string) ([]string, error) // of the other proposals that may still be installed

	PutRevision(Revision) error
	Revision(proposalID string, n int) (Revision, bool, error)
	RevisionInfos(proposalID string) ([]wire.RevisionInfo, error) // oldest first

	PutQuestion(QuestionRecord) error
	Questions(proposalID string) ([]QuestionRecord, error) // in the order they were asked
	DeleteQuestion(questionID string) error

	PutDeletion(Deletion) error
	Deletions() ([]Deletion, error) // oldest first
	DropDeletion(id string) error

	// AppendRecords stores observations with this transaction.
	AppendRecords([]capture.Record) error
	// MoveEvidence moves the raw data of one session to another of the same learning target.
	MoveEvidence(from, to string) error

	Receipt(id string) (journal.Receipt, bool, error)
	Receipts(wire.ReceiptFilter) ([]journal.Receipt, int, error)
}
