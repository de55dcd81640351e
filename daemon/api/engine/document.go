package engine

import (
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/wire"
)

// Document is a set of operations in huma's form, with their schemas: all of them, to be printed, or one, to be
// served. A request is checked against the same schemas that are printed.
type Document struct {
	OpenAPI *huma.OpenAPI

	handler     http.HandlerFunc // of the operation that was added last
	engine      *Engine
	errorSchema *huma.Schema
}

// Document describes the operations with these ids, all of them when none is named.
func (g *Engine) Document(ids ...string) *Document {
	d := g.newDocument()
	for i, describe := range g.describe {
		if len(ids) == 0 || slices.Contains(ids, g.Operations[i].ID) {
			describe(d)
		}
	}
	d.finish()
	return d
}

// newDocument returns an OpenAPI document without operations.
func (g *Engine) newDocument() *Document {
	d := &Document{engine: g, OpenAPI: &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: "Showhow", Version: "1", Description: apiDescription},
		Components: &huma.Components{
			Schemas: huma.NewMapRegistry("#/components/schemas/", schemaNamer(g.Names)),
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer",
					Description: "A browser login (TCP) or an agent's token (either transport). On the Unix socket the kernel's word is enough."},
			},
		},
	}}
	d.errorSchema = d.Schema(reflect.TypeFor[wire.Error](), "")
	return d
}

// Schemas are the document's components.
func (d *Document) Schemas() huma.Registry { return d.OpenAPI.Components.Schemas }

// Schema is the schema of t; hint names a type that has no name.
func (d *Document) Schema(t reflect.Type, hint string) *huma.Schema {
	return d.Schemas().Schema(t, true, hint)
}

const apiDescription = "The local API of Showhow. It answers on a Unix socket and, after `showhow open`, on a loopback port. " +
	"`x-showhow-access` says who may call an operation and whether a person must confirm it, `x-showhow-errors` which codes it answers. " +
	"Unknown parameters are refused, unknown keys where `additionalProperties` is false; lengths count UTF-16 units; timestamps are RFC " +
	"3339 UTC with milliseconds."

// schemaNamer names schemas; a hint serves types without a name. Of two types with one name, the later is prefixed
// with its package's name.
func schemaNamer(names map[reflect.Type]string) func(t reflect.Type, hint string) string {
	taken := map[string]reflect.Type{}
	return func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if n, ok := names[t]; ok {
			return n
		}
		if t.PkgPath() == "" || strings.Contains(t.Name(), "[") {
			return huma.DefaultSchemaNamer(t, hint)
		}
		name := capital(t.Name())
		if other, ok := taken[name]; ok && other != t {
			name = capital(path.Base(t.PkgPath())) + name
		}
		taken[name] = t
		return name
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// finish adjusts the document to what the checks do: a field with a default is not required of a request, only
// strictSchemas refuse unknown keys, and only operations on a resource with a revision return an ETag.
func (d *Document) finish() {
	doc := d.OpenAPI
	doc.Security = []map[string][]string{{"bearer": {}}, {}}
	seen := map[*huma.Schema]bool{}
	etag := map[string]bool{}
	for _, o := range d.engine.Operations {
		etag[o.ID] = o.ETag
	}
	for _, item := range doc.Paths {
		for _, h := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if h == nil {
				continue
			}
			if h.RequestBody != nil {
				for _, c := range h.RequestBody.Content {
					d.relax(c.Schema, seen)
				}
			}
			for status, r := range h.Responses {
				if strings.HasPrefix(status, "2") && !etag[h.OperationID] {
					delete(r.Headers, "ETag")
				}
			}
		}
	}
}

// StrictSchemas refuse unknown keys: those that the specification marks .strict() (DOC3 0C.19, 0C.27, 0.2D; the schema of notes), and the
// call of the wire contract, whose envelope has no others either. As with zod, this covers their own keys and not those of nested objects.
var StrictSchemas = []string{
	"ApproveProposalRequest", "RejectProposalRequest", "StartValidationRunRequest", "SkillTriggerTestRequest",
	"SkillImportUploadMetadata", "SkillImportScanRequest", "SkillImportStageRequest", "SkillImportApproveRequest",
	"SkillImportRejectRequest", "SkillImportInstallPrivateRequest", "SkillImportDiscardRequest", "SkillImportRetryRequest",
	"MCPServerCreateRequest", "MCPServerPatchRequest", "MCPAuthProfileCreateRequest", "MCPAuthProfilePatchRequest", "MCPAuthStartRequest",
	"MCPAuthRefreshRequest", "MCPAuthRevokeRequest", "MCPAskFirstDecisionRequest", "MCPSmokeTestRequest", "MCPAuthChallengeRespondRequest",
	"NoteCaptureRequest", "TaskCreateRequest", "NoteAppendRequest", "NotesSearchRequest", "TasksListRequest", "ChangesProposeRequest",
	"ChangesCommitRequest", "UndoLastRequest", "ContractCall",
}

// relax adjusts a request schema and those in it: a field with a default is not required, and only strictSchemas
// forbid other keys.
func (d *Document) relax(schema *huma.Schema, seen map[*huma.Schema]bool) {
	strictSchema := false
	for schema != nil && schema.Ref != "" {
		strictSchema = slices.Contains(StrictSchemas, path.Base(schema.Ref))
		schema = d.Schemas().SchemaFromRef(schema.Ref)
	}
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	schema.Required = d.required(schema)
	if schema.AdditionalProperties == false && !strictSchema {
		schema.AdditionalProperties = nil
	}
	for _, p := range schema.Properties {
		d.relax(p, seen)
	}
	d.relax(schema.Items, seen)
	for _, s := range schema.OneOf {
		d.relax(s, seen)
	}
	if extra, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		d.relax(extra, seen)
	}
}
