package api

import (
	"context"
	"slices"

	"showhow/daemon/learn"
	"showhow/daemon/rehearse"
	"showhow/internal/fault"
)

const tagProposals = "proposals"

type ProposalPath struct {
	ProposalID string `path:"proposalId" format:"uuid"`
}

type proposalChange struct {
	ProposalPath
	IfMatch
}

type proposalPage struct {
	ProposalPath
	learn.PageQuery
}

var (
	proposalCodes = []fault.Code{fault.ProposalNotFound, fault.InvalidLearnStateTransition, fault.SessionTimeout}
	installCodes  = slices.Concat(proposalCodes, []fault.Code{fault.ValidationInProgress, fault.NotValidated, fault.ContentHashMismatch, fault.RevisionConflict,
		fault.InstallLaneDenied, fault.BridgeRebuildFailed, fault.CheckpointLintFailed, fault.SlugTaken, fault.TrustRequired, fault.QuestionsOpen, fault.NotFound})
	runCodes = slices.Concat(proposalCodes, []fault.Code{fault.ValidationInProgress, fault.TestPolicyViolation, fault.AdapterUnavailable, fault.QuestionsOpen,
		fault.NotFound, fault.UnsupportedInBuild, fault.ContentHashMismatch})
	// Whatever compiles a draft anew.
	draftCodes = []fault.Code{fault.ValidationInProgress, fault.CheckpointLintFailed, fault.InsufficientTraces, fault.SlugTaken, fault.ContentHashMismatch}
)

// proposalRoutes: a proposal belongs to the session of a person, so all of it is the user's; an agent that can make one of its
// own will see that one.
func (s *Server) proposalRoutes() {
	l, one := s.deps.Learn, "/api/learn/proposals/{proposalId}"
	register(s, get("list-proposals", "/api/learn/proposals", tagProposals, "List proposals, newest first", userReads),
		func(ctx context.Context, p *learn.ProposalFilter, _ *none) (*reply[learn.ProposalList], error) {
			return answered(l.Proposals(ctx, *p))
		})
	register(s, get("get-proposal", one+"/detail", tagProposals, "Everything a reviewer needs", userReads, fault.ProposalNotFound).tagged(),
		func(ctx context.Context, p *ProposalPath, _ *none) (*reply[learn.ProposalDetail], error) {
			return proposal(l.Proposal(ctx, p.ProposalID))
		})
	register(s, get("get-draft-file", one+"/files", tagProposals, "One file of a draft", userReads, fault.ProposalNotFound, fault.NotFound),
		func(ctx context.Context, p *draftFileParams, _ *none) (*reply[draftFile], error) {
			b, err := l.DraftFile(ctx, p.ProposalID, p.Revision, p.Path)
			return answered(draftFile{Path: p.Path, Content: b}, err)
		})
	register(s, get("list-validation-runs", one+"/validation-runs", tagProposals, "Validation runs with their steps, newest first", userReads, fault.ProposalNotFound),
		func(ctx context.Context, p *proposalPage, _ *none) (*reply[learn.ValidationRuns], error) {
			return answered(l.ValidationRuns(ctx, p.ProposalID, p.PageQuery))
		})
	register(s, post("revise-proposal", one+"/revise", tagProposals, "Ask for another revision of the draft", userWrites, slices.Concat(proposalCodes, draftCodes)...).rev(),
		func(ctx context.Context, p *proposalChange, b *learn.ReviseRequest) (*reply[learn.ProposalDetail], error) {
			return proposal(l.Revise(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	s.validateRoute("validate-proposal", one+"/validate", "Start a validation run on the current revision")
	s.validateRoute("request-more-tests", one+"/request-more-tests", "An older name of validate")
	register(s, post("cancel-validation-run", "/api/learn/validation-runs/{runId}/cancel", tagProposals, "Cancel a running validation", userWrites, fault.NotFound),
		func(ctx context.Context, p *runPath, b *learn.ActionRequest) (*reply[learn.ValidationRunResponse], error) {
			r, err := l.CancelRun(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), p.RunID)
			return answered(learn.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
	s.decisionRoutes()
}

type runPath struct {
	RunID string `path:"runId" format:"uuid"`
}

type draftFileParams struct {
	ProposalPath
	Path     string `query:"path" required:"true" maxLength:"240" doc:"as listed in files"`
	Revision int    `query:"revision" minimum:"0" doc:"0: the current one"`
}

type draftFile struct {
	Path    string `json:"path"`
	Content []byte `json:"content" doc:"base64"`
}

func (s *Server) validateRoute(id, path, summary string) {
	o := post(id, path, tagProposals, summary, userWrites.confirmed("widen-test-policy"), runCodes...).rev()
	o.access.When = "the request's own test_policy lets the run write or send"
	registerConfirmed(s, o,
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (Subject, bool, error) {
			if !lenient(b.TestPolicy) {
				return Subject{}, false, nil
			}
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x, true, err
		},
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (*reply[learn.ValidationRunResponse], error) {
			r, err := s.deps.Learn.Validate(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return answered(learn.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
}

// decisionRoutes are the three decisions on a draft. The subject that a person confirms is the draft as it is now; revision
// and content hash in the body are what the person saw, and the service refuses any other.
func (s *Server) decisionRoutes() {
	l, one := s.deps.Learn, "/api/learn/proposals/{proposalId}"
	registerConfirmed(s, post("install-proposal", one+"/install", tagProposals, "Install the draft", userWrites.confirmed("install"), installCodes...).rev(),
		proposalDecision[learn.InstallRequest](s),
		func(ctx context.Context, p *proposalChange, b *learn.InstallRequest) (*reply[learn.InstallResponse], error) {
			r, err := l.Install(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return at(r, r.Proposal.Revision, err)
		})
	registerConfirmed(s, post("approve-proposal", one+"/approve", tagProposals, "Approve the draft for workspace or shared use, which installs it", userWrites.confirmed("approve"), installCodes...).rev(),
		proposalDecision[learn.ApproveRequest](s),
		func(ctx context.Context, p *proposalChange, b *learn.ApproveRequest) (*reply[learn.ProposalDetail], error) {
			return proposal(l.Approve(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	registerConfirmed(s, post("reject-proposal", one+"/reject", tagProposals, "Reject the draft", userWrites.confirmed("reject"), proposalCodes...).rev(),
		proposalDecision[learn.RejectRequest](s),
		func(ctx context.Context, p *proposalChange, b *learn.RejectRequest) (*reply[learn.ProposalDetail], error) {
			return proposal(l.Reject(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
}

func proposalDecision[B any](s *Server) subjectOf[proposalChange, B] {
	return func(ctx context.Context, p *proposalChange, _ *B) (Subject, bool, error) {
		x, err := s.proposalSubject(ctx, p.ProposalID)
		return x, true, err
	}
}

func (s *Server) proposalSubject(ctx context.Context, id string) (Subject, error) {
	d, err := s.deps.Learn.Proposal(ctx, id)
	// Not its updated_at: a validation that ends or a question that is answered changes the record, but neither revision nor hash.
	return Subject{ID: d.Proposal.ProposalID, Revision: d.Proposal.Revision, ContentHash: d.Proposal.ContentHash}, err
}

func proposal(d learn.ProposalDetail, err error) (*reply[learn.ProposalDetail], error) {
	return at(d, d.Proposal.Revision, err)
}
