package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// FinishDocument makes the document say what the checks do: a field with a default is not required of a request, unknown
// keys are refused by strictSchemas alone, and only operations on a resource with a revision answer an ETag.
func (g *Engine) FinishDocument() {
	doc := g.API.OpenAPI()
	doc.Security = []map[string][]string{{"bearer": {}}, {}}
	seen := map[*huma.Schema]bool{}
	etag := map[string]bool{}
	for _, o := range g.Operations {
		etag[o.ID] = o.ETag
	}
	for _, item := range doc.Paths {
		for _, h := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if h == nil {
				continue
			}
			if h.RequestBody != nil {
				for _, c := range h.RequestBody.Content {
					g.relax(c.Schema, seen)
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

// StrictSchemas refuse unknown keys: those that the specification marks .strict() (DOC3 0C.19, 0C.27). As with zod, this is about
// their own keys and not those of the objects in them.
var StrictSchemas = []string{
	"ApproveProposalRequest", "RejectProposalRequest", "StartValidationRunRequest", "SkillTriggerTestRequest",
	"SkillImportUploadMetadata", "SkillImportScanRequest", "SkillImportStageRequest", "SkillImportApproveRequest",
	"SkillImportRejectRequest", "SkillImportInstallPrivateRequest", "SkillImportDiscardRequest", "SkillImportRetryRequest",
}

// relax makes a request schema and those in it say what is asked of a request: a field with a default is not required, and
// only strictSchemas forbid other keys.
func (g *Engine) relax(schema *huma.Schema, seen map[*huma.Schema]bool) {
	strictSchema := false
	for schema != nil && schema.Ref != "" {
		strictSchema = slices.Contains(StrictSchemas, path.Base(schema.Ref))
		schema = g.API.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	schema.Required = g.required(schema)
	if schema.AdditionalProperties == false && !strictSchema {
		schema.AdditionalProperties = nil
	}
	for _, p := range schema.Properties {
		g.relax(p, seen)
	}
	g.relax(schema.Items, seen)
	if extra, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		g.relax(extra, seen)
	}
}
