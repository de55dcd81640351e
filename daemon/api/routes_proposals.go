package api

import (
	"context"
	"slices"

	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
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
	wire.PageQuery
}

var (
	proposalCodes = []fault.Code{fault.ProposalNotFound, fault.InvalidLearnStateTransition, fault.SessionTimeout, fault.DecidedOnImport}
	installCodes  = slices.Concat(proposalCodes, []fault.Code{fault.ValidationInProgress, fault.NotValidated, fault.ContentHashMismatch,
		fault.RevisionConflict,
		fault.InstallLaneDenied, fault.BridgeRebuildFailed, fault.CheckpointLintFailed, fault.SlugTaken, fault.TrustRequired, fault.QuestionsOpen,
		fault.NotFound})
	runCodes = slices.Concat(proposalCodes, []fault.Code{fault.ValidationInProgress, fault.CheckpointLintFailed, fault.TestPolicyViolation,
		fault.AdapterUnavailable, fault.QuestionsOpen,
		fault.NotFound, fault.UnsupportedInBuild, fault.ContentHashMismatch})
	// Whatever compiles a draft anew.
	draftCodes = []fault.Code{fault.ValidationInProgress, fault.CheckpointLintFailed, fault.InsufficientTraces, fault.SlugTaken,
		fault.ContentHashMismatch}
)

// proposalRoutes: a proposal belongs to the session of a person, so all of it is the user's; an agent that can make one of its
// own will see that one.
func (s *Server) proposalRoutes() {
	l, one := s.deps.Learn, "/api/learn/proposals/{proposalId}"
	register(s, get("list-proposals", "/api/learn/proposals", tagProposals, "List proposals, newest first", userReads),
		func(ctx context.Context, p *wire.ProposalFilter, _ *none) (*reply[wire.LearnProposalsListResponse], error) {
			return answered(l.Proposals(ctx, *p))
		})
	register(s, get("get-proposal", one+"/detail", tagProposals, "Everything a reviewer needs", userReads, fault.ProposalNotFound).tagged(),
		func(ctx context.Context, p *ProposalPath, _ *none) (*reply[state.ProposalDetail], error) {
			return proposal(l.Proposal(ctx, p.ProposalID))
		})
	register(s, get("get-draft-file", one+"/files", tagProposals, "One file of a draft", userReads, fault.ProposalNotFound, fault.NotFound),
		func(ctx context.Context, p *draftFileParams, _ *none) (*reply[draftFile], error) {
			b, err := l.DraftFile(ctx, p.ProposalID, p.Revision, p.Path)
			return answered(draftFile{Path: p.Path, Content: b}, err)
		})
	register(s, get("list-validation-runs", one+"/validation-runs", tagProposals, "Validation runs with their steps, newest first", userReads,
		fault.ProposalNotFound),
		func(ctx context.Context, p *proposalPage, _ *none) (*reply[wire.ValidationRunsListResponse], error) {
			return answered(l.ValidationRuns(ctx, p.ProposalID, p.PageQuery))
		})
	register(s, post("revise-proposal", one+"/revise", tagProposals, "Ask for another revision of the draft", userWrites,
		slices.Concat(proposalCodes, draftCodes)...).rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ProposalReviseRequest) (*reply[state.ProposalDetail], error) {
			return proposal(l.Revise(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	s.improveTextRoute("improve-proposal-text", one+"/improve-text")
	export := post("export-proposal", one+"/export", tagProposals, "The draft's browser part for a player elsewhere", userWrites,
		fault.ProposalNotFound, fault.NotFound)
	export.secret = true // it may hold values that were given for it
	register(s, export, func(ctx context.Context, p *ProposalPath, b *wire.ProposalExportRequest) (*reply[wire.ProposalExport], error) {
		return answered(s.deps.Learn.ExportProposal(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), p.ProposalID, *b))
	})
	register(s, post("split-proposal", one+"/split", tagProposals, "Make drafts of the parts of the work; the draft itself stays", userWrites,
		slices.Concat(proposalCodes, draftCodes)...).rev(),
		func(ctx context.Context, p *proposalChange, b *wire.SplitRequest) (*reply[state.ProposalDetail], error) {
			return proposal(l.Split(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	s.validateRoute("validate-proposal", one+"/validate", "Start a validation run on the current revision")
	s.validateRoute("request-more-tests", one+"/request-more-tests", "An older name of validate")
	register(s, post("cancel-validation-run", "/api/learn/validation-runs/{runId}/cancel", tagProposals, "Cancel a running validation",
		userWrites, fault.NotFound),
		func(ctx context.Context, p *runPath, b *wire.ActionRequest) (*reply[wire.ValidationRunResponse], error) {
			r, err := l.CancelRun(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), p.RunID)
			return answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
	register(s, post("continue-validation-run", "/api/learn/validation-runs/{runId}/continue", tagProposals,
		"Say that what a run waits for is done: it goes on", userWrites, fault.NotFound, fault.InvalidLearnStateTransition),
		func(ctx context.Context, p *runPath, b *wire.ActionRequest) (*reply[wire.ValidationRunResponse], error) {
			r, err := l.ContinueRun(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), p.RunID)
			return answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
	register(s, get("get-run-evidence", "/api/learn/validation-runs/{runId}/evidence", tagProposals,
		"How the page was where a rehearsal's steps failed, until the raw data is purged", userReads, fault.NotFound),
		func(ctx context.Context, p *runPath, _ *none) (*reply[wire.RunEvidence], error) {
			return answered(l.RunEvidence(ctx, p.RunID))
		})
	register(s, get("get-run-picture", "/api/learn/validation-runs/{runId}/evidence/{evidenceId}/picture", tagProposals,
		"The screenshot of a failure, painted over where it could show data", userReads, fault.NotFound),
		func(ctx context.Context, p *runPicturePath, _ *none) (*reply[wire.RunPicture], error) {
			return answered(l.RunPicture(ctx, p.RunID, p.EvidenceID))
		})
	s.decisionRoutes()
}

// improveTextRoute: consent to let the texts leave this machine is a person's.
func (s *Server) improveTextRoute(id, path string) {
	o := post(id, path, tagProposals, "Ask the configured model for a better wording; nothing of the draft changes",
		userWrites.confirmed("allow-model"),
		slices.Concat(proposalCodes, draftCodes, []fault.Code{fault.ModelNotConfigured, fault.ModelConsent, fault.ModelUnavailable,
			fault.ModelAnswerRefused, fault.LearnSessionNotFound})...).rev()
	o.access.When = "the request consents to a model on another machine"
	registerConfirmed(s, o,
		func(ctx context.Context, p *proposalChange, b *wire.ImproveTextRequest) (Subject, bool, error) {
			if b.ConsentTo == "" {
				return Subject{}, false, nil
			}
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x.say("Its texts go to %s", b.ConsentTo), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ImproveTextRequest) (*reply[wire.ImproveTextResponse], error) {
			r, err := s.deps.Learn.ImproveText(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return at(r, r.Revision, err)
		})
}

type runPath struct {
	RunID string `path:"runId" format:"uuid"`
}

type runPicturePath struct {
	RunID      string `path:"runId" format:"uuid"`
	EvidenceID int64  `path:"evidenceId" minimum:"1"`
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
	o.access.When = "the request's own test_policy lets the run write or send, or it asks for the profile in which the person is signed in"
	registerConfirmed(s, o,
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (Subject, bool, error) {
			if !lenient(b.TestPolicy) && b.Profile != rehearse.ProfileManaged {
				return Subject{}, false, nil
			}
			if err := s.deps.Learn.CheckValidate(ctx, meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return Subject{}, false, err
			}
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x.sayRun(b), true, err
		},
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (*reply[wire.ValidationRunResponse], error) {
			r, err := s.deps.Learn.Validate(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
}

// decisionRoutes are the three decisions on a draft. The subject that a person confirms is the draft as it is now; revision
// and content hash in the body are what the person saw, and the service refuses any other.
func (s *Server) decisionRoutes() {
	l, one := s.deps.Learn, "/api/learn/proposals/{proposalId}"
	registerConfirmed(s, post("install-proposal", one+"/install", tagProposals, "Install the draft", userWrites.confirmed("install"),
		installCodes...).rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ProposalInstallRequest) (Subject, bool, error) {
			if err := l.CheckInstall(ctx, meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return Subject{}, false, err
			}
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x.with(b.Permissions), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ProposalInstallRequest) (*reply[wire.ProposalInstallResponse], error) {
			r, err := l.Install(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return at(r, r.Proposal.Revision, err)
		})
	registerConfirmed(s, post("approve-proposal", one+"/approve", tagProposals,
		"Approve the draft for workspace or shared use, which installs it", userWrites.confirmed("approve"), installCodes...).rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ApproveProposalRequest) (Subject, bool, error) {
			if err := l.CheckApprove(ctx, meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return Subject{}, false, err
			}
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x.with(b.Permissions), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ApproveProposalRequest) (*reply[state.ProposalDetail], error) {
			return proposal(l.Approve(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	registerConfirmed(s, post("reject-proposal", one+"/reject", tagProposals, "Reject the draft", userWrites.confirmed("reject"),
		proposalCodes...).rev(),
		func(ctx context.Context, p *proposalChange, _ *wire.RejectProposalRequest) (Subject, bool, error) {
			x, err := s.proposalSubject(ctx, p.ProposalID)
			return x, true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.RejectProposalRequest) (*reply[state.ProposalDetail], error) {
			return proposal(l.Reject(ctx, meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
}

func (s *Server) proposalSubject(ctx context.Context, id string) (Subject, error) {
	d, err := s.deps.Learn.Proposal(ctx, id)
	if err == nil {
		err = state.CheckProposalNotImport(d.Proposal) // before anybody is asked to confirm what cannot be
	}
	// Not its updated_at: a validation that ends or a question that is answered changes the record, but neither revision nor hash.
	x := Subject{ID: d.Proposal.ProposalID, Revision: d.Proposal.Revision, ContentHash: d.Proposal.ContentHash}
	x = x.say("The draft “%s” (%s), revision %d", d.Proposal.Title, d.Proposal.ProposedSkillSlug, d.Proposal.Revision).sayContent()
	if d.Session != nil {
		x = x.sayList("On", d.Session.Scope.Sites)
	}
	return x, err
}

func proposal(d state.ProposalDetail, err error) (*reply[state.ProposalDetail], error) {
	return at(d, d.Proposal.Revision, err)
}
