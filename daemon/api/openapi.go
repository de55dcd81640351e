package api

import (
	"bytes"
	"encoding/json"

	"showhow/daemon/ability"
	"showhow/daemon/learn"
)

//go:generate go run ./gen ../../docs/openapi.json

// Document is the OpenAPI 3.1 document, indented; docs/openapi.json is exactly this.
func Document() ([]byte, error) {
	s := New(Deps{Learn: (*learn.Service)(nil), Abilities: (*ability.Service)(nil)})
	b, err := s.engine.Document().OpenAPI.MarshalJSON()
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
