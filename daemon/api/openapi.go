package api

import (
	"bytes"
	"encoding/json"
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

// finishDocument makes the document say what the checks do: a field with a default is not required of a request, and only
// operations on a resource with a revision answer an ETag.
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

// relax drops defaulted fields from what a request schema requires, all the way down.
func (s *Server) relax(schema *huma.Schema, seen map[*huma.Schema]bool) {
	for schema != nil && schema.Ref != "" {
		schema = s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	schema.Required = s.required(schema)
	for _, p := range schema.Properties {
		s.relax(p, seen)
	}
	s.relax(schema.Items, seen)
	if extra, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		s.relax(extra, seen)
	}
}
