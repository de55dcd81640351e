package client

import (
	"context"
	"net/url"
	"strconv"
)

const proposals = "/api/learn/proposals/"

// ProposalService is the part of the API about drafts: review, validation, approval and installation.
type ProposalService struct{ t *transport }

// Proposals lists proposals, newest first.
func (c ProposalService) Proposals(ctx context.Context, f ProposalFilter) (ProposalList, error) {
	return get[ProposalList](ctx, c.t, "/api/learn/proposals", page(f.PageQuery, "state", f.State, "session_id", f.SessionID))
}

// Proposal returns everything that a reviewer needs.
func (c ProposalService) Proposal(ctx context.Context, id string) (ProposalDetail, error) {
	return get[ProposalDetail](ctx, c.t, at(proposals, id, "/detail"), nil)
}

// DraftFile returns one file of a draft; revision 0 means the current one.
func (c ProposalService) DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error) {
	out, err := get[struct {
		Content []byte `json:"content"`
	}](ctx, c.t, at(proposals, id, "/files"), url.Values{"path": {path}, "revision": {strconv.Itoa(revision)}})
	return out.Content, err
}

// ValidationRuns lists a proposal's runs with their steps, newest first.
func (c ProposalService) ValidationRuns(ctx context.Context, id string, q PageQuery) (ValidationRuns, error) {
	return get[ValidationRuns](ctx, c.t, at(proposals, id, "/validation-runs"), page(q))
}

// Validate starts a run on the current revision.
func (c ProposalService) Validate(ctx context.Context, id string, r ValidateRequest, calls ...Call) (ValidationRun, error) {
	r.SchemaVersion = 1
	out, err := post[ValidationRunResponse](ctx, c.t, at(proposals, id, "/validate"), r, calls...)
	return out.ValidationRun, err
}

// CancelRun cancels a running validation.
func (c ProposalService) CancelRun(ctx context.Context, runID string) (ValidationRun, error) {
	out, err := post[ValidationRunResponse](ctx, c.t, at("/api/learn/validation-runs/", runID, "/cancel"), nil)
	return out.ValidationRun, err
}

// ContinueRun resumes a run that waits for the person.
func (c ProposalService) ContinueRun(ctx context.Context, runID string) (ValidationRun, error) {
	out, err := post[ValidationRunResponse](ctx, c.t, at("/api/learn/validation-runs/", runID, "/continue"), nil)
	return out.ValidationRun, err
}

// TakeUp continues a draft that was put aside.
func (c ProposalService) TakeUp(ctx context.Context, id string, calls ...Call) (TakeUpResponse, error) {
	return post[TakeUpResponse](ctx, c.t, at(proposals, id, "/take-up"), nil, calls...)
}

// RunPicture is the screenshot of one of a run's failures.
func (c ProposalService) RunPicture(ctx context.Context, runID string, evidenceID int64) (RunPicture, error) {
	return get[RunPicture](ctx, c.t, at("/api/learn/validation-runs/", runID, "/evidence/", strconv.FormatInt(evidenceID, 10), "/picture"),
		nil)
}

// RunEvidence returns the state where a rehearsal's steps failed.
func (c ProposalService) RunEvidence(ctx context.Context, runID string) (RunEvidence, error) {
	return get[RunEvidence](ctx, c.t, at("/api/learn/validation-runs/", runID, "/evidence"), nil)
}

// Revise asks for another revision of the draft.
func (c ProposalService) Revise(ctx context.Context, id string, r ReviseRequest, calls ...Call) (ProposalDetail, error) {
	return post[ProposalDetail](ctx, c.t, at(proposals, id, "/revise"), r, calls...)
}

// Split makes one draft of each part of a work; the draft itself stays.
func (c ProposalService) Split(ctx context.Context, id string, r SplitRequest, calls ...Call) (ProposalDetail, error) {
	return post[ProposalDetail](ctx, c.t, at(proposals, id, "/split"), r, calls...)
}

// ImproveText asks the configured model for a better wording, which Revise accepts.
func (c ProposalService) ImproveText(ctx context.Context, id string, r ImproveTextRequest, calls ...Call) (ImproveTextResponse, error) {
	return post[ImproveTextResponse](ctx, c.t, at(proposals, id, "/improve-text"), r, calls...)
}

// Install installs the draft; a person confirms.
func (c ProposalService) Install(ctx context.Context, id string, r InstallRequest, calls ...Call) (InstallResponse, error) {
	return post[InstallResponse](ctx, c.t, at(proposals, id, "/install"), r, calls...)
}

// Approve approves and installs the draft; a person confirms.
func (c ProposalService) Approve(ctx context.Context, id string, r ApproveRequest, calls ...Call) (ProposalDetail, error) {
	r.SchemaVersion = 1
	return post[ProposalDetail](ctx, c.t, at(proposals, id, "/approve"), r, calls...)
}

// Reject rejects the draft; a person confirms.
func (c ProposalService) Reject(ctx context.Context, id, reason string, calls ...Call) (ProposalDetail, error) {
	return post[ProposalDetail](ctx, c.t, at(proposals, id, "/reject"), RejectRequest{Reason: reason, SchemaVersion: 1}, calls...)
}

// ExportProposal writes a draft's browser part for another player.
func (c ProposalService) ExportProposal(ctx context.Context, id string, r ExportRequest, calls ...Call) (Export, error) {
	return post[Export](ctx, c.t, at(proposals, id, "/export"), r, calls...)
}
