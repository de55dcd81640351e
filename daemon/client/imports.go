package client

import (
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// The requests and responses of the import routes.
type (
	SkillImport            = wire.ImportedSkillRecord
	SkillImportDetail      = wire.SkillImportDetailResponse
	SkillImportList        = wire.SkillImportListResponse
	SkillImportFilter      = wire.ImportFilter
	SkillImportAction      = wire.SkillImportTerminalActionResponse
	SkillUploadMetadata    = wire.SkillImportUploadMetadata
	SkillUpload            = wire.SkillImportUploadResponse
	SkillUploadList        = wire.SkillImportUploadsListResponse
	SkillSource            = wire.SkillImportSourceRequest
	SkillScan              = wire.SkillImportScanResponse
	SkillStaged            = wire.SkillImportStageResponse
	SkillTriggerTest       = wire.SkillTriggerTestRequest
	SkillTriggerTestResult = wire.SkillTriggerTestResponse
	SkillPacks             = wire.SkillPacksListResponse
	ImportDecision         struct {
		ImportID, ContentHash, Note, TargetScope string
		Permissions                              *Permissions
		AcceptFindings                           bool
		FindingsRead                             []string
	}
)

const importsPath = "/api/skills/import/"

// ImportService is the part of the API about imported skills, from upload to installation.
type ImportService struct{ t *transport }

// UploadSkill uploads a .zip.
func (c ImportService) UploadSkill(ctx context.Context, filename string, file io.Reader, meta SkillUploadMetadata) (SkillUpload, error) {
	meta.SchemaVersion = 1
	if meta.ClientRequestID == "" {
		meta.ClientRequestID = clock.NewID()
	}
	said, err := json.Marshal(meta)
	if err != nil {
		return SkillUpload{}, fault.Wrap(err, fault.Usage, "the request cannot be written as JSON")
	}
	var out SkillUpload
	err = sendForm(ctx, c.t, importsPath+"uploads", &out, func(form *multipart.Writer) error { return writeForm(form, filename, file, said) })
	return out, err
}

func writeForm(form *multipart.Writer, filename string, file io.Reader, meta []byte) error {
	if err := form.WriteField("metadata", string(meta)); err != nil {
		return err
	}
	h := textproto.MIMEHeader{"Content-Type": {"application/zip"}}
	h.Set("Content-Disposition", multipart.FileContentDisposition("bundle", filename))
	p, err := form.CreatePart(h)
	if err == nil {
		_, err = io.Copy(p, file)
	}
	return err
}

// ImportSource imports a skill from a folder, an archive, a repository, or text.
func (c ImportService) ImportSource(ctx context.Context, r SkillSource) (SkillUpload, error) {
	r.SchemaVersion = 1
	return post[SkillUpload](ctx, c.t, importsPath+"sources", r)
}

// SkillUploads lists uploads that are not staged yet.
func (c ImportService) SkillUploads(ctx context.Context) (SkillUploadList, error) {
	return get[SkillUploadList](ctx, c.t, importsPath+"uploads", nil)
}

// DeleteSkillUpload deletes an upload.
func (c ImportService) DeleteSkillUpload(ctx context.Context, ref string) error {
	_, err := c.t.Raw(ctx, http.MethodDelete, at(importsPath+"uploads/", ref), nil)
	return err
}

// ScanSkillImport scans an upload.
func (c ImportService) ScanSkillImport(ctx context.Context, ref string) (SkillScan, error) {
	return post[SkillScan](ctx, c.t, importsPath+"scan",
		wire.SkillImportScanRequest{Source: "manual_upload", TempArtifactRef: ref, SchemaVersion: 1})
}

// StageSkillImport unpacks a scanned skill for review.
func (c ImportService) StageSkillImport(ctx context.Context, id string, calls ...Call) (SkillStaged, error) {
	return post[SkillStaged](ctx, c.t, importsPath+"stage", wire.SkillImportStageRequest{ImportID: id, SchemaVersion: 1}, calls...)
}

// ApproveSkillImport approves and installs; a person confirms.
func (c ImportService) ApproveSkillImport(ctx context.Context, d ImportDecision, calls ...Call) (SkillImportAction, error) {
	return post[SkillImportAction](ctx, c.t, importsPath+"approve",
		wire.SkillImportApproveRequest{ImportID: d.ImportID, ApprovalNote: d.Note, ContentHash: d.ContentHash,
			Permissions: d.Permissions, AcceptFindings: d.AcceptFindings, FindingsRead: d.FindingsRead, SchemaVersion: 1}, calls...)
}

// InstallSkillImport installs privately; a person confirms.
func (c ImportService) InstallSkillImport(ctx context.Context, d ImportDecision, calls ...Call) (SkillImportAction, error) {
	return post[SkillImportAction](ctx, c.t, importsPath+"install-private",
		wire.SkillImportInstallPrivateRequest{ImportID: d.ImportID, TargetScope: d.TargetScope,
			ContentHash: d.ContentHash, Permissions: d.Permissions, AcceptFindings: d.AcceptFindings, FindingsRead: d.FindingsRead,
			SchemaVersion: 1}, calls...)
}

// RejectSkillImport rejects a staged skill; a person confirms.
func (c ImportService) RejectSkillImport(ctx context.Context, id, reason string, calls ...Call) (SkillImportAction, error) {
	return post[SkillImportAction](ctx, c.t, importsPath+"reject",
		wire.SkillImportRejectRequest{ImportID: id, Reason: reason, SchemaVersion: 1}, calls...)
}

// DiscardSkillImport ends an import.
func (c ImportService) DiscardSkillImport(ctx context.Context, id, reason string, calls ...Call) (SkillImportAction, error) {
	return post[SkillImportAction](ctx, c.t, importsPath+"discard",
		wire.SkillImportDiscardRequest{ImportID: id, Reason: reason, SchemaVersion: 1}, calls...)
}

// RetrySkillImport repeats what failed; a person confirms an installation.
func (c ImportService) RetrySkillImport(ctx context.Context, id, kind string, calls ...Call) (SkillImportAction, error) {
	return post[SkillImportAction](ctx, c.t, importsPath+"retry",
		wire.SkillImportRetryRequest{ImportID: id, RetryKind: kind, SchemaVersion: 1}, calls...)
}

// SkillImport returns an import with its report.
func (c ImportService) SkillImport(ctx context.Context, id string) (SkillImportDetail, error) {
	return get[SkillImportDetail](ctx, c.t, at(importsPath, id), nil)
}

// SkillImportFiles returns an import's files as scanned, with the findings.
func (c ImportService) SkillImportFiles(ctx context.Context, id string) (SkillReading, error) {
	return get[SkillReading](ctx, c.t, at(importsPath, id, "/files"), nil)
}

// SkillImports lists imports, newest first.
func (c ImportService) SkillImports(ctx context.Context, f SkillImportFilter) (SkillImportList, error) {
	return get[SkillImportList](ctx, c.t, importsPath+"list", page(PageQuery{Page: f.Page, PageSize: f.PageSize}, "state", f.State))
}

// TestSkillTrigger reports whether a sentence would find an import or an ability.
func (c ImportService) TestSkillTrigger(ctx context.Context, r SkillTriggerTest) (SkillTriggerTestResult, error) {
	r.SchemaVersion = 1
	return post[SkillTriggerTestResult](ctx, c.t, "/api/skills/trigger-test", r)
}

// SkillPacks lists packs.
func (c ImportService) SkillPacks(ctx context.Context) (SkillPacks, error) {
	return get[SkillPacks](ctx, c.t, "/api/skills/packs", url.Values{})
}
