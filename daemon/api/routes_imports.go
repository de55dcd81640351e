package api

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/api/strict"
	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const tagImports = "skill imports"

// Imports is what the routes need of *imports.Service.
type Imports interface {
	Upload(ctx context.Context, m imports.Meta, b imports.Bundle, meta func() (imports.UploadMetadata, error)) (imports.UploadResponse, error)
	FromSource(ctx context.Context, m imports.Meta, r imports.SourceRequest) (imports.UploadResponse, error)
	Uploads(ctx context.Context) (imports.UploadList, error)
	DeleteUpload(ctx context.Context, m imports.Meta, ref string) (imports.DeleteUploadResponse, error)
	Scan(ctx context.Context, m imports.Meta, r imports.ScanRequest) (imports.ScanResponse, error)
	Stage(ctx context.Context, m imports.Meta, r imports.StageRequest) (imports.StageResponse, error)
	Approve(ctx context.Context, m imports.Meta, r imports.ApproveRequest) (imports.ActionResponse, error)
	InstallPrivate(ctx context.Context, m imports.Meta, r imports.InstallPrivateRequest) (imports.ActionResponse, error)
	Reject(ctx context.Context, m imports.Meta, r imports.RejectRequest) (imports.ActionResponse, error)
	Discard(ctx context.Context, m imports.Meta, r imports.DiscardRequest) (imports.ActionResponse, error)
	Retry(ctx context.Context, m imports.Meta, r imports.RetryRequest) (imports.ActionResponse, error)
	Get(ctx context.Context, id string) (imports.Detail, error)
	Reading(ctx context.Context, id string) (skill.Bundle, scan.Report, error)
	List(ctx context.Context, f imports.Filter) (imports.List, error)
	TriggerTest(ctx context.Context, r imports.TriggerTestRequest) (imports.TriggerTestResponse, error)
	Packs(ctx context.Context) (imports.PackList, error)
}

var _ Imports = (*imports.Service)(nil)

type importPath struct {
	ImportID string `path:"importId" format:"uuid"`
}

type uploadPath struct {
	Ref string `path:"tempArtifactRef" maxLength:"240"`
}

// ImportChange is the If-Match of an import that the body names.
type ImportChange struct{ IfMatch }

type triggerBody struct {
	imports.TriggerTestRequest
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

var (
	unpackCodes = []fault.Code{fault.SkillArchiveRefused, fault.SkillImportFileTooLarge, fault.SkillImportArchiveRequired,
		fault.SkillImportUploadExpired}
	uploadCodes = slices.Concat(unpackCodes, []fault.Code{fault.SkillImportUnsupportedMIME, fault.SkillImportUnsupportedExtension,
		fault.TooManyRequests})
	sourceCodes = slices.Concat(unpackCodes, []fault.Code{fault.SkillImportSourceFailed, fault.TooManyRequests})
	importCodes = []fault.Code{fault.SkillImportNotFound, fault.InvalidImportTransition, fault.ContentHashMismatch}
	stageCodes  = slices.Concat(importCodes, unpackCodes, []fault.Code{fault.SlugTaken})
	settleCodes = slices.Concat(importCodes, []fault.Code{fault.SkillImportBlocked, fault.SlugTaken, fault.InstallLaneDenied,
		fault.BridgeRebuildFailed, fault.NotFound, fault.TrustRequired})
)

func importMeta(ctx context.Context, m IfMatch, requestID string) imports.Meta {
	c := CallerOf(ctx)
	return imports.Meta{Principal: string(c.Kind) + ":" + c.Name, CorrelationID: c.CorrelationID, IfMatch: m.seen(),
		ClientRequestID: requestID}
}

// importRoutes: what comes from elsewhere is a person's business from upload to decision (DOC3 0C.20).
func (s *Server) importRoutes() {
	l := s.deps.Imports
	s.uploadRoute()
	source := post("import-from-source", "/api/skills/import/sources", tagImports,
		"Bring in a skill from a folder, an archive, a git repository, or as text", userWrites, sourceCodes...)
	source.body = 2 << 20
	register(s, source, func(ctx context.Context, _ *none, b *imports.SourceRequest) (*reply[imports.UploadResponse], error) {
		return answered(l.FromSource(ctx, importMeta(ctx, IfMatch{}, b.ClientRequestID), *b))
	})
	register(s, get("list-skill-uploads", "/api/skills/import/uploads", tagImports, "What was uploaded and is not staged yet", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[imports.UploadList], error) {
			return answered(l.Uploads(ctx))
		})
	register(s, op{id: "delete-skill-upload", method: http.MethodDelete, path: "/api/skills/import/uploads/{tempArtifactRef}", tag: tagImports,
		summary: "Delete an upload that no import is at work on",
		access:  userWrites, errors: []fault.Code{fault.SkillImportNotFound, fault.SkillImportUploadInUse}},
		func(ctx context.Context, p *uploadPath, _ *none) (*reply[imports.DeleteUploadResponse], error) {
			return answered(l.DeleteUpload(ctx, importMeta(ctx, IfMatch{}, ""), p.Ref))
		})
	register(s, post("scan-skill-import", "/api/skills/import/scan", tagImports, "Unpack an upload in memory and judge it", userWrites,
		slices.Concat(importCodes, unpackCodes)...),
		func(ctx context.Context, _ *none, b *imports.ScanRequest) (*reply[imports.ScanResponse], error) {
			r, err := l.Scan(ctx, importMeta(ctx, IfMatch{}, b.ClientRequestID), *b)
			return at(r, r.ImportRecord.Revision, err)
		})
	register(s, post("stage-skill-import", "/api/skills/import/stage", tagImports,
		"Unpack a scanned skill into a folder of its own, for review", userWrites, stageCodes...).rev(),
		func(ctx context.Context, p *ImportChange, b *imports.StageRequest) (*reply[imports.StageResponse], error) {
			r, err := l.Stage(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b)
			return at(r, r.ImportRecord.Revision, err)
		})
	register(s, post("discard-skill-import", "/api/skills/import/discard", tagImports, "End an import that nobody wants any more", userWrites,
		importCodes...).rev(),
		func(ctx context.Context, p *ImportChange, b *imports.DiscardRequest) (*reply[imports.ActionResponse], error) {
			return acted(l.Discard(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	s.importDecisions()
	register(s, get("list-skill-imports", "/api/skills/import/list", tagImports, "List imports, newest first", userReads),
		func(ctx context.Context, f *imports.Filter, _ *none) (*reply[imports.List], error) {
			return answered(l.List(ctx, *f))
		})
	register(s, get("get-skill-import", "/api/skills/import/{importId}", tagImports, "An import with its report", userReads,
		fault.SkillImportNotFound).tagged(),
		func(ctx context.Context, p *importPath, _ *none) (*reply[imports.Detail], error) {
			r, err := l.Get(ctx, p.ImportID)
			return at(r, r.ImportRecord.Revision, err)
		})
	register(s, get("read-skill-import-files", "/api/skills/import/{importId}/files", tagImports,
		"Its files as they were scanned, with what was found in them, before anything is installed", userReads,
		fault.SkillImportNotFound, fault.InvalidImportTransition, fault.ContentHashMismatch),
		func(ctx context.Context, p *importPath, _ *none) (*reply[wire.SkillReading], error) {
			b, report, err := l.Reading(ctx, p.ImportID)
			return answered(wire.SkillReading{ContentHash: b.Hash(), Files: filesOf(b), Report: twin.To[wire.ScanReport](report), SchemaVersion: 1},
				err)
		})
	register(s, post("test-skill-trigger", "/api/skills/trigger-test", tagImports,
		"Whether a sentence would find an imported skill or an ability", userReads,
		fault.SkillImportNotFound, fault.AbilityNotFound, fault.InvalidImportTransition),
		func(ctx context.Context, _ *none, b *triggerBody) (*reply[imports.TriggerTestResponse], error) {
			return answered(l.TriggerTest(ctx, b.TriggerTestRequest))
		})
	register(s, get("list-skill-packs", "/api/skills/packs", tagImports, "Packs that skills belong to", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[imports.PackList], error) {
			return answered(l.Packs(ctx))
		})
}

func acted(r imports.ActionResponse, err error) (*reply[imports.ActionResponse], error) {
	return at(r, r.ImportRecord.Revision, err)
}

// importDecisions are a person's: confirmed for the revision and content as they are.
func (s *Server) importDecisions() {
	l := s.deps.Imports
	registerConfirmed(s, post("approve-skill-import", "/api/skills/import/approve", tagImports,
		"Approve a staged skill for the workspace, which installs it", userWrites.confirmed("approve"), settleCodes...).rev(),
		func(ctx context.Context, _ *ImportChange, b *imports.ApproveRequest) (Subject, bool, error) {
			x, err := s.importSubject(ctx, b.ImportID)
			return x.with(b.Permissions), true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.ApproveRequest) (*reply[imports.ActionResponse], error) {
			return acted(l.Approve(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	registerConfirmed(s, post("install-skill-import", "/api/skills/import/install-private", tagImports, "Install a staged skill privately",
		userWrites.confirmed("install"), settleCodes...).rev(),
		func(ctx context.Context, _ *ImportChange, b *imports.InstallPrivateRequest) (Subject, bool, error) {
			x, err := s.importSubject(ctx, b.ImportID)
			return x.with(b.Permissions), true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.InstallPrivateRequest) (*reply[imports.ActionResponse], error) {
			return acted(l.InstallPrivate(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	registerConfirmed(s, post("reject-skill-import", "/api/skills/import/reject", tagImports, "Reject a staged skill",
		userWrites.confirmed("reject"), importCodes...).rev(),
		func(ctx context.Context, _ *ImportChange, b *imports.RejectRequest) (Subject, bool, error) {
			x, err := s.importSubject(ctx, b.ImportID)
			return x, true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.RejectRequest) (*reply[imports.ActionResponse], error) {
			return acted(l.Reject(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	again := post("retry-skill-import", "/api/skills/import/retry", tagImports, "Do again what failed", userWrites.confirmed("install"),
		slices.Concat(settleCodes, unpackCodes)...).rev()
	again.access.When = "it is the installation that is tried again"
	registerConfirmed(s, again,
		func(ctx context.Context, _ *ImportChange, b *imports.RetryRequest) (Subject, bool, error) {
			if b.RetryKind != imports.RetryInstall {
				return Subject{}, false, nil
			}
			x, err := s.importSubject(ctx, b.ImportID)
			return x, true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.RetryRequest) (*reply[imports.ActionResponse], error) {
			return acted(l.Retry(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
}

func (s *Server) importSubject(ctx context.Context, id string) (Subject, error) {
	d, err := s.deps.Imports.Get(ctx, id)
	r := d.ImportRecord
	x := Subject{ID: r.ImportID, Revision: r.Revision, ContentHash: r.ContentHash}
	return x.say("The imported skill “%s”, revision %d; the scan says: %s", r.SkillName, r.Revision, r.Verdict).sayContent(), err
}

// uploadTime is how long 100 MB may take to arrive.
const uploadTime = 5 * time.Minute

type rawKey struct{}

type rawRequest struct {
	w http.ResponseWriter
	r *http.Request
}

// uploadRoute is the one operation whose body is no JSON: a file part `bundle` and a part `metadata`.
func (s *Server) uploadRoute() {
	o := post("upload-skill-bundle", "/api/skills/import/uploads", tagImports, "Upload a skill as .zip, kept for 24 hours", userWrites,
		uploadCodes...)
	h := s.describe(&o, reflect.TypeFor[none]())
	metadata := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[imports.UploadMetadata](), true, "")
	h.Middlewares = append(h.Middlewares, func(c huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(c)
		next(huma.WithContext(c, context.WithValue(c.Context(), rawKey{}, rawRequest{w, r})))
	})
	huma.Register(s.api, *h, func(ctx context.Context, _ *struct{}) (*reply[imports.UploadResponse], error) {
		raw := ctx.Value(rawKey{}).(rawRequest)
		out, err := s.upload(ctx, raw, metadata)
		if err != nil {
			return nil, s.failed(ctx, o, err)
		}
		return answer(out), nil
	})
	// Only now: with a schema in hand huma would read the whole body into memory.
	s.api.OpenAPI().Paths[o.path].Post.RequestBody = &huma.RequestBody{
		Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"bundle"},
			Properties: map[string]*huma.Schema{
				"bundle": {Type: huma.TypeString, Format: "binary", Description: ".zip or .skillbundle.zip, at most 100 MB"}, "metadata": metadata},
		}}}}
	s.operations = append(s.operations, o)
}

// upload reads the parts in whatever order they come: the file goes to the disk as it arrives, so metadata that follows it is
// judged afterwards.
func (s *Server) upload(ctx context.Context, raw rawRequest, schema *huma.Schema) (imports.UploadResponse, error) {
	control := http.NewResponseController(raw.w)
	control.SetReadDeadline(time.Now().Add(uploadTime))
	defer control.SetReadDeadline(time.Time{})
	parts, err := raw.r.MultipartReader()
	if err != nil {
		return imports.UploadResponse{}, strict.Malformed("the body must be multipart/form-data")
	}
	u := &uploadReader{s: s, parts: parts, schema: schema}
	bundle, err := u.bundle()
	if err != nil {
		return imports.UploadResponse{}, err
	}
	return s.deps.Imports.Upload(ctx, importMeta(ctx, IfMatch{}, ""), bundle, u.rest)
}

// uploadReader reads the parts in the order they come. The file is not held in memory: what follows it is read when it has
// arrived.
type uploadReader struct {
	s      *Server
	parts  *multipart.Reader
	schema *huma.Schema
	meta   *imports.UploadMetadata
}

// bundle reads up to the file.
func (u *uploadReader) bundle() (b imports.Bundle, err error) {
	p, err := u.next()
	if err != nil {
		return b, err
	}
	if p == nil || p.FileName() == "" {
		return b, fault.New(fault.SkillImportArchiveRequired,
			"there is no part named bundle with a file").WithHint("send the archive as the part `bundle`")
	}
	b = imports.Bundle{Filename: p.FileName(), ContentType: p.Header.Get("Content-Type"), Body: p}
	return b, imports.CheckUpload(b.Filename, b.ContentType)
}

// rest reads what follows the file.
func (u *uploadReader) rest() (imports.UploadMetadata, error) {
	p, err := u.next()
	switch {
	case err != nil:
		return imports.UploadMetadata{}, err
	case p != nil:
		return imports.UploadMetadata{}, fault.New(fault.InvalidRequest,
			"the upload has more than one file").WithHint("upload one archive at a time")
	case u.meta == nil:
		return imports.UploadMetadata{}, nil
	}
	return *u.meta, nil
}

// next is the next part named bundle, nil at the end; metadata on the way is read.
func (u *uploadReader) next() (*multipart.Part, error) {
	for {
		p, err := u.parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, strict.Malformed("the multipart body could not be read")
		case p.FormName() == "bundle":
			return p, nil
		case p.FormName() != "metadata" || u.meta != nil:
			return nil, fault.New(fault.InvalidRequest, "the upload has a part that is not known, or one twice").WithHint(
				"the parts are bundle and metadata")
		}
		if err := u.metadata(p); err != nil {
			return nil, err
		}
	}
}

func (u *uploadReader) metadata(p io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(p, 64<<10))
	if err != nil {
		return strict.Malformed("the metadata could not be read")
	}
	v, err := strict.Parse(data)
	if err != nil {
		return err
	}
	c := &strict.Checker{Schemas: u.s.api.OpenAPI().Components.Schemas}
	c.Check(u.schema, "metadata", v)
	if err := c.Err(); err != nil {
		return err
	}
	u.meta = &imports.UploadMetadata{}
	return strict.Convert(v, u.meta)
}
