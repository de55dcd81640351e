package api

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/ability"
	"showhow/daemon/learn"
)

//go:generate go run ./gen ../../docs/openapi.json

// Document is the OpenAPI 3.1 document, indented; docs/openapi.json is exactly this.
func Document() ([]byte, error) {
	s := New(Deps{Learn: (*learn.Service)(nil), Abilities: (*ability.Service)(nil)})
	b, err := s.api.OpenAPI().MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// finishDocument makes the document say what the checks do: a field with a default is not required of a request, unknown
// keys are refused by strictSchemas alone, and only operations on a resource with a revision answer an ETag.
func (s *Server) finishDocument() {
	doc := s.api.OpenAPI()
	doc.Security = []map[string][]string{{"bearer": {}}, {}}
	seen := map[*huma.Schema]bool{}
	etag := map[string]bool{}
	for _, o := range s.operations {
		etag[o.id] = o.etag
	}
	for _, item := range doc.Paths {
		for _, h := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if h == nil {
				continue
			}
			if h.RequestBody != nil {
				for _, c := range h.RequestBody.Content {
					s.relax(c.Schema, seen)
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

// strictSchemas refuse unknown keys: those that the specification marks .strict() (DOC3 0C.19, 0C.27). As with zod, this is about
// their own keys and not those of the objects in them.
var strictSchemas = []string{
	"ApproveProposalRequest", "RejectProposalRequest", "StartValidationRunRequest", "SkillTriggerTestRequest",
	"SkillImportUploadMetadata", "SkillImportScanRequest", "SkillImportStageRequest", "SkillImportApproveRequest",
	"SkillImportRejectRequest", "SkillImportInstallPrivateRequest", "SkillImportDiscardRequest", "SkillImportRetryRequest",
}

// relax makes a request schema and those in it say what is asked of a request: a field with a default is not required, and
// only strictSchemas forbid other keys.
func (s *Server) relax(schema *huma.Schema, seen map[*huma.Schema]bool) {
	strictSchema := false
	for schema != nil && schema.Ref != "" {
		strictSchema = slices.Contains(strictSchemas, path.Base(schema.Ref))
		schema = s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	schema.Required = s.required(schema)
	if schema.AdditionalProperties == false && !strictSchema {
		schema.AdditionalProperties = nil
	}
	for _, p := range schema.Properties {
		s.relax(p, seen)
	}
	s.relax(schema.Items, seen)
	if extra, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		s.relax(extra, seen)
	}
}
