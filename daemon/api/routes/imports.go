package routes

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

	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/api/strict"
	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const tagImports = "skill imports"

// Imports is the part of *imports.Service that the routes need.
type Imports interface {
	Upload(ctx context.Context, m imports.Meta, b imports.Bundle, meta func() (imports.UploadMetadata, error)) (imports.UploadResponse, error)
	FromSource(ctx context.Context, m imports.Meta, r imports.SourceRequest) (imports.UploadResponse, error)
	Uploads(ctx context.Context) (imports.UploadList, error)
	DeleteUpload(ctx context.Context, m imports.Meta, ref string) (imports.DeleteUploadResponse, error)
	Scan(ctx context.Context, m imports.Meta, r imports.ScanRequest) (imports.ScanResponse, error)
	Stage(ctx context.Context, m imports.Meta, r imports.StageRequest) (imports.StageResponse, error)
	Approve(ctx context.Context, m imports.Meta, r imports.ApproveRequest) (imports.ActionResponse, error)
	InstallPrivate(ctx context.Context, m imports.Meta, r imports.InstallPrivateRequest) (imports.ActionResponse, error)
	MayApprove(ctx context.Context, m imports.Meta, r imports.ApproveRequest) error
	MayInstall(ctx context.Context, m imports.Meta, r imports.InstallPrivateRequest) error
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
type ImportChange struct{ engine.IfMatch }

type triggerBody struct {
	imports.TriggerTestRequest
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
}

var (
	unpackCodes = []fault.Code{fault.SkillArchiveRefused, fault.SkillImportFileTooLarge, fault.SkillImportArchiveRequired,
		fault.SkillImportUploadExpired}
	uploadCodes = slices.Concat(unpackCodes, []fault.Code{fault.SkillImportUnsupportedMIME, fault.SkillImportUnsupportedExtension,
		fault.TooManyRequests})
	sourceCodes = slices.Concat(unpackCodes, registryCodes, []fault.Code{fault.SkillImportSourceFailed, fault.SkillImportWaiting,
		fault.SkillImportInstalled, fault.TooManyRequests, fault.NotFound,
		fault.ContentHashMismatch, fault.ConnectorOff, fault.ConnectorUnreachable, fault.ConnectorThrottled})
	importCodes = []fault.Code{fault.SkillImportNotFound, fault.InvalidImportTransition, fault.ContentHashMismatch}
	stageCodes  = slices.Concat(importCodes, unpackCodes, []fault.Code{fault.SlugTaken})
	settleCodes = slices.Concat(importCodes, []fault.Code{fault.SkillImportBlocked, fault.SlugTaken, fault.InstallLaneDenied,
		fault.BridgeRebuildFailed, fault.NotFound, fault.TrustRequired, fault.RegistryUnsigned, fault.RegistryOtherSigner})
)

func importMeta(ctx context.Context, m engine.IfMatch, requestID string) imports.Meta {
	c := caller.Of(ctx)
	return imports.Meta{Principal: string(c.Kind) + ":" + c.Name, CorrelationID: c.CorrelationID, IfMatch: m.Seen(),
		ClientRequestID: requestID}
}

// ImportRoutes are the routes of imported skills.
type ImportRoutes struct {
	Imports Imports
}

// Register adds the routes. Only a person handles imports, from upload to decision (DOC3 0C.20).
func (rs ImportRoutes) Register(g *engine.Engine) {
	l := rs.Imports
	rs.uploadRoute(g)
	source := engine.Post("import-from-source", "/api/skills/import/sources", tagImports,
		"Bring in a skill from a folder, an archive, a git repository, a registry, a connector, or as text", engine.UserWrites, sourceCodes...)
	source.Body = 2 << 20
	engine.Register(g, source, func(ctx context.Context, _ *engine.None, b *imports.SourceRequest) (*engine.Reply[imports.UploadResponse],
		error) {
		return engine.Answered(l.FromSource(ctx, importMeta(ctx, engine.IfMatch{}, b.ClientRequestID), *b))
	})
	engine.Register(g, engine.Get("list-skill-uploads", "/api/skills/import/uploads", tagImports, "What was uploaded and is not staged yet",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[imports.UploadList], error) {
			return engine.Answered(l.Uploads(ctx))
		})
	engine.Register(g, engine.Op{ID: "delete-skill-upload", Method: http.MethodDelete, Path: "/api/skills/import/uploads/{tempArtifactRef}",
		Tag:     tagImports,
		Summary: "Delete an upload that no import is at work on",
		Access:  engine.UserWrites, Errors: []fault.Code{fault.SkillImportNotFound, fault.SkillImportUploadInUse}},
		func(ctx context.Context, p *uploadPath, _ *engine.None) (*engine.Reply[imports.DeleteUploadResponse], error) {
			return engine.Answered(l.DeleteUpload(ctx, importMeta(ctx, engine.IfMatch{}, ""), p.Ref))
		})
	engine.Register(g, engine.Post("scan-skill-import", "/api/skills/import/scan", tagImports, "Unpack an upload in memory and judge it",
		engine.UserWrites,
		slices.Concat(importCodes, unpackCodes)...),
		func(ctx context.Context, _ *engine.None, b *imports.ScanRequest) (*engine.Reply[imports.ScanResponse], error) {
			r, err := l.Scan(ctx, importMeta(ctx, engine.IfMatch{}, b.ClientRequestID), *b)
			return engine.Versioned(r, r.ImportRecord.Revision, err)
		})
	engine.Register(g, engine.Post("stage-skill-import", "/api/skills/import/stage", tagImports,
		"Unpack a scanned skill into a folder of its own, for review", engine.UserWrites, stageCodes...).Rev(),
		func(ctx context.Context, p *ImportChange, b *imports.StageRequest) (*engine.Reply[imports.StageResponse], error) {
			r, err := l.Stage(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b)
			return engine.Versioned(r, r.ImportRecord.Revision, err)
		})
	engine.Register(g, engine.Post("discard-skill-import", "/api/skills/import/discard", tagImports,
		"End an import that nobody wants any more", engine.UserWrites,
		importCodes...).Rev(),
		func(ctx context.Context, p *ImportChange, b *imports.DiscardRequest) (*engine.Reply[imports.ActionResponse], error) {
			return acted(l.Discard(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	rs.importDecisions(g)
	engine.Register(g, engine.Get("list-skill-imports", "/api/skills/import/list", tagImports, "List imports, newest first", engine.UserReads),
		func(ctx context.Context, f *imports.Filter, _ *engine.None) (*engine.Reply[imports.List], error) {
			return engine.Answered(l.List(ctx, *f))
		})
	engine.Register(g, engine.Get("get-skill-import", "/api/skills/import/{importId}", tagImports, "An import with its report",
		engine.UserReads,
		fault.SkillImportNotFound).Tagged(),
		func(ctx context.Context, p *importPath, _ *engine.None) (*engine.Reply[imports.Detail], error) {
			r, err := l.Get(ctx, p.ImportID)
			return engine.Versioned(r, r.ImportRecord.Revision, err)
		})
	engine.Register(g, engine.Get("read-skill-import-files", "/api/skills/import/{importId}/files", tagImports,
		"Its files as they were scanned, with what was found in them, before anything is installed", engine.UserReads,
		fault.SkillImportNotFound, fault.InvalidImportTransition, fault.ContentHashMismatch),
		func(ctx context.Context, p *importPath, _ *engine.None) (*engine.Reply[wire.SkillReading], error) {
			b, report, err := l.Reading(ctx, p.ImportID)
			return engine.Answered(wire.SkillReading{ContentHash: b.Hash(), Files: filesOf(b), Report: twin.To[wire.ScanReport](report),
				SchemaVersion: 1},
				err)
		})
	engine.Register(g, engine.Post("test-skill-trigger", "/api/skills/trigger-test", tagImports,
		"Whether a sentence would find an imported skill or an ability", engine.UserReads,
		fault.SkillImportNotFound, fault.AbilityNotFound, fault.InvalidImportTransition),
		func(ctx context.Context, _ *engine.None, b *triggerBody) (*engine.Reply[imports.TriggerTestResponse], error) {
			return engine.Answered(l.TriggerTest(ctx, b.TriggerTestRequest))
		})
	engine.Register(g, engine.Get("list-skill-packs", "/api/skills/packs", tagImports, "Packs that skills belong to", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[imports.PackList], error) {
			return engine.Answered(l.Packs(ctx))
		})
}

func acted(r imports.ActionResponse, err error) (*engine.Reply[imports.ActionResponse], error) {
	return engine.Versioned(r, r.ImportRecord.Revision, err)
}

// importDecisions are for persons, and confirmed for the current revision and content.
func (rs ImportRoutes) importDecisions(g *engine.Engine) {
	l := rs.Imports
	engine.RegisterConfirmed(g, engine.Post("approve-skill-import", "/api/skills/import/approve", tagImports,
		"Approve a staged skill for the workspace, which installs it", engine.UserWrites.Confirmed("approve"), settleCodes...).Rev(),
		func(ctx context.Context, p *ImportChange, b *imports.ApproveRequest) (presence.Subject, bool, error) {
			if err := l.MayApprove(ctx, importMeta(ctx, p.IfMatch, ""), *b); err != nil {
				return presence.Subject{}, true, err
			}
			x, err := rs.importSubject(ctx, b.ImportID)
			return x.With(b.Permissions), true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.ApproveRequest) (*engine.Reply[imports.ActionResponse], error) {
			return acted(l.Approve(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	engine.RegisterConfirmed(g, engine.Post("install-skill-import", "/api/skills/import/install-private", tagImports,
		"Install a staged skill privately",
		engine.UserWrites.Confirmed("install"), settleCodes...).Rev(),
		func(ctx context.Context, p *ImportChange, b *imports.InstallPrivateRequest) (presence.Subject, bool, error) {
			if err := l.MayInstall(ctx, importMeta(ctx, p.IfMatch, ""), *b); err != nil {
				return presence.Subject{}, true, err
			}
			x, err := rs.importSubject(ctx, b.ImportID)
			return x.With(b.Permissions), true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.InstallPrivateRequest) (*engine.Reply[imports.ActionResponse], error) {
			return acted(l.InstallPrivate(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	engine.RegisterConfirmed(g, engine.Post("reject-skill-import", "/api/skills/import/reject", tagImports, "Reject a staged skill",
		engine.UserWrites.Confirmed("reject-import"), importCodes...).Rev(),
		func(ctx context.Context, _ *ImportChange, b *imports.RejectRequest) (presence.Subject, bool, error) {
			x, err := rs.importSubject(ctx, b.ImportID)
			return x, true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.RejectRequest) (*engine.Reply[imports.ActionResponse], error) {
			return acted(l.Reject(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
	again := engine.Post("retry-skill-import", "/api/skills/import/retry", tagImports, "Do again what failed",
		engine.UserWrites.Confirmed("install"),
		slices.Concat(settleCodes, unpackCodes)...).Rev()
	again.Access.When = "it is the installation that is tried again"
	engine.RegisterConfirmed(g, again,
		func(ctx context.Context, _ *ImportChange, b *imports.RetryRequest) (presence.Subject, bool, error) {
			if b.RetryKind != imports.RetryInstall {
				return presence.Subject{}, false, nil
			}
			x, err := rs.importSubject(ctx, b.ImportID)
			return x, true, err
		},
		func(ctx context.Context, p *ImportChange, b *imports.RetryRequest) (*engine.Reply[imports.ActionResponse], error) {
			return acted(l.Retry(ctx, importMeta(ctx, p.IfMatch, b.ClientRequestID), *b))
		})
}

func (rs ImportRoutes) importSubject(ctx context.Context, id string) (presence.Subject, error) {
	d, err := rs.Imports.Get(ctx, id)
	r := d.ImportRecord
	x := presence.Subject{ID: r.ImportID, Revision: r.Revision, ContentHash: r.ContentHash}
	x = x.Say("The imported skill “%s”, revision %d; the scan says: %s", r.SkillName, r.Revision, r.Verdict)
	if from := r.Provenance; from.Reference != "" {
		x = x.Say("Pulled from %s", from.Reference).Say("Digest %s", from.Digest)
		switch {
		case from.Signer != "" && (d.Comparison == nil || !d.Comparison.Replaces):
			x = x.Say("Signed by the key %s, which you accept with it: what comes from there later must be signed by it", from.Signer)
		case from.Signer != "":
			x = x.Say("Signed by the key %s", from.Signer)
		case from.Kind == "registry":
			x = x.Say("Nobody signed it")
		}
		if from.Merged {
			x = x.Say("Merged with your changes: it is not the content that was signed")
		}
	}
	if c := d.Comparison; c != nil && c.Replaces {
		x = x.Say("It replaces the installed “%s”; files that differ: %d", c.SkillSlug, len(c.Files))
		if c.ChangedHere {
			x = x.Say("What you changed in “%s” and approved is not in it: that version is set aside", c.SkillSlug)
		}
		if c.Mergeable {
			x = x.Say("An update would merge your changes instead")
		}
		if c.Older {
			x = x.Say("It was pushed before the installed one")
		}
		switch c.Signer {
		case "other":
			x = x.Say("Another key signed it than the one that you accepted, and takes its place")
		case "gone":
			x = x.Say("You accepted a key for it; nobody signed this one")
		}
		if c.Forgets {
			x = x.Say("The key is forgotten: what comes from there later may be signed by anybody, or by nobody")
		}
		w := c.Wider
		x = x.SayList("It asks for what the installed one may not use", slices.Concat(w.Tools, w.Domains, w.Credentials)).SayContent()
		x.ContentHash = presence.Bind(x.ContentHash, []string{c.AbilityID, c.ApprovedHash})
		return x, err
	}
	return x.SayContent(), err
}

// uploadTime is how long 100 MB may take to arrive.
const uploadTime = 5 * time.Minute

// uploadRoute is the operation whose body is a file part `bundle` and a part `metadata`.
func (rs ImportRoutes) uploadRoute(g *engine.Engine) {
	o := engine.Post("upload-skill-bundle", "/api/skills/import/uploads", tagImports, "Upload a skill as .zip, kept for 24 hours",
		engine.UserWrites,
		uploadCodes...)
	metadata := func(d *engine.Document) *huma.Schema { return d.Schema(reflect.TypeFor[imports.UploadMetadata](), "") }
	form := func(d *engine.Document) *huma.Schema {
		return &huma.Schema{Type: huma.TypeObject, Required: []string{"bundle"}, Properties: map[string]*huma.Schema{
			"bundle":   {Type: huma.TypeString, Format: "binary", Description: ".zip or .skillbundle.zip, at most 100 MB"},
			"metadata": metadata(d)}}
	}
	multipartRoute(g, o, form, func(ctx context.Context, d *engine.Document, raw rawRequest) (imports.UploadResponse, error) {
		return rs.upload(ctx, d, raw, metadata(d))
	})
}

// upload reads the parts in any order: the file goes to disk as it arrives, so metadata that follows it is checked
// afterwards.
func (rs ImportRoutes) upload(ctx context.Context, d *engine.Document, raw rawRequest, schema *huma.Schema) (imports.UploadResponse,
	error) {
	parts, done, err := raw.parts()
	defer done()
	if err != nil {
		return imports.UploadResponse{}, err
	}
	u := &uploadReader{schemas: d.Schemas(), parts: parts, schema: schema}
	bundle, err := u.bundle()
	if err != nil {
		return imports.UploadResponse{}, err
	}
	return rs.Imports.Upload(ctx, importMeta(ctx, engine.IfMatch{}, ""), bundle, u.rest)
}

// uploadReader reads the parts in order of arrival. The file is not held in memory: what follows it is read once it
// has arrived.
type uploadReader struct {
	parts   *multipart.Reader
	schema  *huma.Schema // of the metadata
	schemas huma.Registry
	meta    *imports.UploadMetadata
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

// next returns the next part named bundle, nil at the end, reading metadata on the way.
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
	c := &strict.Checker{Schemas: u.schemas}
	c.Check(u.schema, "metadata", v)
	if err := c.Err(); err != nil {
		return err
	}
	u.meta = &imports.UploadMetadata{}
	return strict.Convert(v, u.meta)
}
