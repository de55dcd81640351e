package routes

import (
	"context"
	"slices"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Proposals revises and validates drafts, and decides on them.
type Proposals interface {
	Proposals(ctx context.Context, f wire.ProposalFilter) (wire.LearnProposalsListResponse, error)
	Proposal(ctx context.Context, id string) (state.ProposalDetail, error)
	ExportProposal(ctx context.Context, m state.Meta, id string, r wire.ProposalExportRequest) (wire.ProposalExport, error)
	DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error)
	ValidationRuns(ctx context.Context, id string, q wire.PageQuery) (wire.ValidationRunsListResponse, error)
	Validate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) (rehearse.ValidationRun, error)
	CheckValidate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) error
	CheckInstall(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) error
	CheckApprove(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) error
	CancelRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error)
	ContinueRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error)
	Split(ctx context.Context, m state.Meta, id string, r wire.SplitRequest) (state.ProposalDetail, error)
	RunEvidence(ctx context.Context, runID string) (wire.RunEvidence, error)
	RunPicture(ctx context.Context, runID string, evidenceID int64) (wire.RunPicture, error)
	Revise(ctx context.Context, m state.Meta, id string, r wire.ProposalReviseRequest) (state.ProposalDetail, error)
	ImproveText(ctx context.Context, m state.Meta, id string, r wire.ImproveTextRequest) (wire.ImproveTextResponse, error)
	Install(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) (wire.ProposalInstallResponse, error)
	Approve(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) (state.ProposalDetail, error)
	Reject(ctx context.Context, m state.Meta, id string, r wire.RejectProposalRequest) (state.ProposalDetail, error)
	TakeUp(ctx context.Context, m state.Meta, id string) (wire.TakeUpResponse, error)
}

const tagProposals = "proposals"

type ProposalPath struct {
	ProposalID string `path:"proposalId" format:"uuid"`
}

type proposalChange struct {
	ProposalPath
	engine.IfMatch
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
)

// ProposalRoutes are the routes of proposals.
type ProposalRoutes struct {
	Learn Proposals
}

// Register adds the routes. A proposal belongs to a person's session, so agents may call none of them.
func (rs ProposalRoutes) Register(g *engine.Engine) {
	l, one := rs.Learn, "/api/learn/proposals/{proposalId}"
	engine.Register(g, engine.Get("list-proposals", "/api/learn/proposals", tagProposals, "List proposals, newest first", engine.UserReads),
		func(ctx context.Context, p *wire.ProposalFilter, _ *engine.None) (*engine.Reply[wire.LearnProposalsListResponse], error) {
			return engine.Answered(l.Proposals(ctx, *p))
		})
	engine.Register(g, engine.Get("get-proposal", one+"/detail", tagProposals, "Everything a reviewer needs", engine.UserReads,
		fault.ProposalNotFound).Tagged(),
		func(ctx context.Context, p *ProposalPath, _ *engine.None) (*engine.Reply[state.ProposalDetail], error) {
			return proposal(l.Proposal(ctx, p.ProposalID))
		})
	engine.Register(g, engine.Get("get-draft-file", one+"/files", tagProposals, "One file of a draft", engine.UserReads,
		fault.ProposalNotFound, fault.NotFound),
		func(ctx context.Context, p *draftFileParams, _ *engine.None) (*engine.Reply[draftFile], error) {
			b, err := l.DraftFile(ctx, p.ProposalID, p.Revision, p.Path)
			return engine.Answered(draftFile{Path: p.Path, Content: b}, err)
		})
	engine.Register(g, engine.Get("list-validation-runs", one+"/validation-runs", tagProposals,
		"Validation runs with their steps, newest first", engine.UserReads,
		fault.ProposalNotFound),
		func(ctx context.Context, p *proposalPage, _ *engine.None) (*engine.Reply[wire.ValidationRunsListResponse], error) {
			return engine.Answered(l.ValidationRuns(ctx, p.ProposalID, p.PageQuery))
		})
	engine.Register(g, engine.Post("revise-proposal", one+"/revise", tagProposals, "Ask for another revision of the draft", engine.UserWrites,
		slices.Concat(proposalCodes, draftCodes)...).Rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ProposalReviseRequest) (*engine.Reply[state.ProposalDetail], error) {
			return proposal(l.Revise(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	rs.improveTextRoute(g, "improve-proposal-text", one+"/improve-text")
	export := engine.Post("export-proposal", one+"/export", tagProposals, "The draft's browser part for a player elsewhere", engine.UserWrites,
		fault.ProposalNotFound, fault.NotFound)
	export.Secret = true // it may hold values that were given for it
	engine.Register(g, export, func(ctx context.Context, p *ProposalPath, b *wire.ProposalExportRequest) (*engine.Reply[wire.ProposalExport],
		error) {
		return engine.Answered(rs.Learn.ExportProposal(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.ProposalID, *b))
	})
	engine.Register(g, engine.Post("split-proposal", one+"/split", tagProposals,
		"Make drafts of the parts of the work; the draft itself stays", engine.UserWrites,
		slices.Concat(proposalCodes, draftCodes)...).Rev(),
		func(ctx context.Context, p *proposalChange, b *wire.SplitRequest) (*engine.Reply[state.ProposalDetail], error) {
			return proposal(l.Split(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	engine.Register(g, engine.Post("take-up-proposal", one+"/take-up", tagProposals,
		"Take up a draft that was put aside: a new session goes on with it", engine.UserWrites,
		slices.Concat(proposalCodes, []fault.Code{fault.LearnSessionAlreadyActive, fault.LearnSessionNotFound})...).Rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ActionRequest) (*engine.Reply[wire.TakeUpResponse], error) {
			r, err := l.TakeUp(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID)
			return engine.Versioned(r, r.Session.Revision, err)
		})
	rs.validateRoute(g, "validate-proposal", one+"/validate", "Start a validation run on the current revision")
	rs.validateRoute(g, "request-more-tests", one+"/request-more-tests", "An older name of validate")
	engine.Register(g, engine.Post("cancel-validation-run", "/api/learn/validation-runs/{runId}/cancel", tagProposals,
		"Cancel a running validation",
		engine.UserWrites, fault.NotFound),
		func(ctx context.Context, p *runPath, b *wire.ActionRequest) (*engine.Reply[wire.ValidationRunResponse], error) {
			r, err := l.CancelRun(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.RunID)
			return engine.Answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Post("continue-validation-run", "/api/learn/validation-runs/{runId}/continue", tagProposals,
		"Say that what a run waits for is done: it goes on", engine.UserWrites, fault.NotFound, fault.InvalidLearnStateTransition),
		func(ctx context.Context, p *runPath, b *wire.ActionRequest) (*engine.Reply[wire.ValidationRunResponse], error) {
			r, err := l.ContinueRun(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.RunID)
			return engine.Answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Get("get-run-evidence", "/api/learn/validation-runs/{runId}/evidence", tagProposals,
		"How the page was where a rehearsal's steps failed, until the raw data is purged", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *runPath, _ *engine.None) (*engine.Reply[wire.RunEvidence], error) {
			return engine.Answered(l.RunEvidence(ctx, p.RunID))
		})
	engine.Register(g, engine.Get("get-run-picture", "/api/learn/validation-runs/{runId}/evidence/{evidenceId}/picture", tagProposals,
		"The screenshot of a failure, painted over where it could show data", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *runPicturePath, _ *engine.None) (*engine.Reply[wire.RunPicture], error) {
			return engine.Answered(l.RunPicture(ctx, p.RunID, p.EvidenceID))
		})
	rs.decisionRoutes(g)
}

// improveTextRoute: only a person may consent to texts leaving this machine.
func (rs ProposalRoutes) improveTextRoute(g *engine.Engine, id, path string) {
	o := engine.Post(id, path, tagProposals, "Ask the configured model for a better wording; the draft does not change",
		engine.UserWrites.Confirmed("allow-model"),
		slices.Concat(proposalCodes, draftCodes, []fault.Code{fault.ModelNotConfigured, fault.ModelConsent, fault.ModelUnavailable,
			fault.ModelAnswerRefused, fault.LearnSessionNotFound})...).Rev()
	o.Access.When = "the request consents to a model on another machine"
	engine.RegisterConfirmed(g, o,
		func(ctx context.Context, p *proposalChange, b *wire.ImproveTextRequest) (presence.Subject, bool, error) {
			if b.ConsentTo == "" {
				return presence.Subject{}, false, nil
			}
			x, err := rs.proposalSubject(ctx, p.ProposalID)
			return x.Say("Its texts go to %s", b.ConsentTo), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ImproveTextRequest) (*engine.Reply[wire.ImproveTextResponse], error) {
			r, err := rs.Learn.ImproveText(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return engine.Versioned(r, r.Revision, err)
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

func (rs ProposalRoutes) validateRoute(g *engine.Engine, id, path, summary string) {
	o := engine.Post(id, path, tagProposals, summary, engine.UserWrites.Confirmed("widen-test-policy"), runCodes...).Rev()
	o.Access.When = "the request's own test_policy lets the run write or send, or it asks for the profile in which the person is signed in"
	engine.RegisterConfirmed(g, o,
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (presence.Subject, bool, error) {
			if !lenient(b.TestPolicy) && b.Profile != rehearse.ProfileManaged {
				return presence.Subject{}, false, nil
			}
			if err := rs.Learn.CheckValidate(ctx, engine.Meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return presence.Subject{}, false, err
			}
			x, err := rs.proposalSubject(ctx, p.ProposalID)
			return x.SayRun(b), true, err
		},
		func(ctx context.Context, p *proposalChange, b *rehearse.ValidateRequest) (*engine.Reply[wire.ValidationRunResponse], error) {
			r, err := rs.Learn.Validate(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return engine.Answered(wire.ValidationRunResponse{ValidationRun: r, SchemaVersion: 1}, err)
		})
}

// decisionRoutes are the three decisions on a draft. The subject that a person confirms is the current draft; revision
// and content hash in the body are what the person saw, and the service refuses any other.
func (rs ProposalRoutes) decisionRoutes(g *engine.Engine) {
	l, one := rs.Learn, "/api/learn/proposals/{proposalId}"
	engine.RegisterConfirmed(g, engine.Post("install-proposal", one+"/install", tagProposals, "Install the draft",
		engine.UserWrites.Confirmed("install"),
		installCodes...).Rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ProposalInstallRequest) (presence.Subject, bool, error) {
			if err := l.CheckInstall(ctx, engine.Meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return presence.Subject{}, false, err
			}
			x, err := rs.proposalSubject(ctx, p.ProposalID)
			return x.With(b.Permissions), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ProposalInstallRequest) (*engine.Reply[wire.ProposalInstallResponse], error) {
			r, err := l.Install(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b)
			return engine.Versioned(r, r.Proposal.Revision, err)
		})
	engine.RegisterConfirmed(g, engine.Post("approve-proposal", one+"/approve", tagProposals,
		"Approve the draft for workspace or shared use, which installs it", engine.UserWrites.Confirmed("approve"), installCodes...).Rev(),
		func(ctx context.Context, p *proposalChange, b *wire.ApproveProposalRequest) (presence.Subject, bool, error) {
			if err := l.CheckApprove(ctx, engine.Meta(ctx, p.IfMatch, ""), p.ProposalID, *b); err != nil {
				return presence.Subject{}, false, err
			}
			x, err := rs.proposalSubject(ctx, p.ProposalID)
			return x.With(b.Permissions), true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.ApproveProposalRequest) (*engine.Reply[state.ProposalDetail], error) {
			return proposal(l.Approve(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
	engine.RegisterConfirmed(g, engine.Post("reject-proposal", one+"/reject", tagProposals, "Reject the draft",
		engine.UserWrites.Confirmed("reject"),
		proposalCodes...).Rev(),
		func(ctx context.Context, p *proposalChange, _ *wire.RejectProposalRequest) (presence.Subject, bool, error) {
			x, err := rs.proposalSubject(ctx, p.ProposalID)
			return x, true, err
		},
		func(ctx context.Context, p *proposalChange, b *wire.RejectProposalRequest) (*engine.Reply[state.ProposalDetail], error) {
			return proposal(l.Reject(ctx, engine.Meta(ctx, p.IfMatch, b.ClientRequestID), p.ProposalID, *b))
		})
}

func (rs ProposalRoutes) proposalSubject(ctx context.Context, id string) (presence.Subject, error) {
	d, err := rs.Learn.Proposal(ctx, id)
	if err == nil {
		err = state.CheckProposalNotImport(d.Proposal) // before anybody is asked to confirm what cannot be
	}
	// updated_at is left out: a validation that ends or an answered question changes the record, but neither revision
	// nor hash.
	x := presence.Subject{ID: d.Proposal.ProposalID, Revision: d.Proposal.Revision, ContentHash: d.Proposal.ContentHash}
	x = x.Say("The draft “%s” (%s), revision %d", d.Proposal.Title, d.Proposal.ProposedSkillSlug, d.Proposal.Revision).SayContent()
	if d.Session != nil {
		x = x.SayList("On", d.Session.Scope.Sites)
	}
	return x, err
}

func proposal(d state.ProposalDetail, err error) (*engine.Reply[state.ProposalDetail], error) {
	return engine.Versioned(d, d.Proposal.Revision, err)
}
