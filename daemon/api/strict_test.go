package api

import (
	"path"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/strict"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// minimal is a value that fits a request schema: what is required and nothing else.
func minimal(t *testing.T, reg huma.Registry, s *huma.Schema) any {
	t.Helper()
	for s.Ref != "" {
		s = reg.SchemaFromRef(s.Ref)
	}
	switch {
	case len(s.Enum) > 0:
		if n, ok := s.Enum[0].(int); ok {
			return float64(n)
		}
		return s.Enum[0]
	case s.Format == "uuid":
		return "00000000-0000-7000-8000-000000000000"
	case s.Format == "date-time":
		return "2026-11-23T08:00:00.000Z"
	}
	switch s.Type {
	case huma.TypeObject:
		m := map[string]any{}
		for _, k := range s.Required {
			m[k] = minimal(t, reg, s.Properties[k])
		}
		return m
	case huma.TypeArray:
		a := []any{}
		for range value(s.MinItems, 0) {
			a = append(a, minimal(t, reg, s.Items))
		}
		return a
	case huma.TypeBoolean:
		return false
	case huma.TypeInteger, huma.TypeNumber:
		return value(s.Minimum, 1)
	case huma.TypeString:
		return matching(t, s)
	}
	return nil
}

func value[T any](p *T, otherwise T) T {
	if p != nil {
		return *p
	}
	return otherwise
}

// matching is a text that fits the schema's pattern and length.
func matching(t *testing.T, s *huma.Schema) string {
	t.Helper()
	for _, text := range []string{"a", "1", "aaaaaaaa", "a.b", "A", "sha256:0000000000000000000000000000000000000000000000000000000000000000",
		"abcdef0123456789", "chat://a", "tsk_a", "nte_a", "chg_a", "cyc_a"} {
		c := &strict.Checker{}
		if c.Check(s, "", text); c.Err() == nil {
			return text
		}
	}
	t.Fatalf("no text of the test fits %q", s.Pattern)
	return ""
}

// requestSchemas are the schemas of the document that a request reaches, by name.
func requestSchemas(d *engine.Document) map[string]*huma.Schema {
	reg, out := d.Schemas(), map[string]*huma.Schema{}
	var walk func(*huma.Schema)
	walk = func(x *huma.Schema) {
		if x == nil {
			return
		}
		if x.Ref != "" {
			if name := path.Base(x.Ref); out[name] == nil {
				out[name] = reg.SchemaFromRef(x.Ref)
				walk(out[name])
			}
			return
		}
		for _, p := range x.Properties {
			walk(p)
		}
		walk(x.Items)
		if extra, ok := x.AdditionalProperties.(*huma.Schema); ok {
			walk(extra)
		}
	}
	for _, h := range operations(d) {
		if h.RequestBody != nil {
			for _, c := range h.RequestBody.Content {
				walk(c.Schema)
			}
		}
	}
	return out
}

// Only what the specification marks .strict() refuses an unknown key; everybody else removes it (zod's z.object).
func TestOnlyStrictSchemasRefuseUnknownKeys(t *testing.T) {
	d := described(t).engine.Document()
	reg, schemas := d.Schemas(), requestSchemas(d)
	for _, name := range engine.StrictSchemas {
		if schemas[name] == nil {
			t.Errorf("no request has the strict schema %s", name)
		}
	}
	if len(schemas) < 60 {
		t.Errorf("only %d schemas of requests were found", len(schemas))
	}
	for name, schema := range schemas {
		if schema.Type != huma.TypeObject || len(schema.Properties) == 0 {
			continue
		}
		body := minimal(t, reg, schema).(map[string]any)
		c := &strict.Checker{Schemas: reg}
		if c.Check(schema, "body", body); c.Err() != nil {
			t.Errorf("%s refuses what it requires: %v", name, fault.From(c.Err()).Details)
			continue
		}
		body = minimal(t, reg, schema).(map[string]any)
		body["zz_unknown"] = 1.0
		c = &strict.Checker{Schemas: reg}
		c.Check(schema, "body", body)
		if refused := c.Err() != nil; refused != slices.Contains(engine.StrictSchemas, name) {
			t.Errorf("%s: an unknown key is refused: %v", name, refused)
		}
		if _, left := body["zz_unknown"]; left && c.Err() == nil {
			t.Errorf("%s leaves an unknown key in the body", name)
		}
	}
}

// schema_version is taken wherever the specification's schema has it, and nowhere refused; where a schema names it, only 1 is.
func TestSchemaVersionIsAcceptedEverywhere(t *testing.T) {
	d := described(t).engine.Document()
	reg := d.Schemas()
	named := append(slices.Clone(engine.StrictSchemas), "AbilityLookupQuery", "TestPolicy")
	for name, schema := range requestSchemas(d) {
		if schema.Type != huma.TypeObject || len(schema.Properties) == 0 {
			continue
		}
		check := func(version float64) error {
			body := minimal(t, reg, schema).(map[string]any)
			body["schema_version"] = version
			c := &strict.Checker{Schemas: reg}
			c.Check(schema, "body", body)
			return c.Err()
		}
		if err := check(1); err != nil {
			t.Errorf("%s refuses schema_version 1: %v", name, fault.From(err).Details)
		}
		_, has := schema.Properties["schema_version"]
		if !has && slices.Contains(named, name) {
			t.Errorf("%s has no schema_version", name)
		}
		if has && check(2) == nil {
			t.Errorf("%s takes schema_version 2", name)
		}
	}
}

// A request with keys that its schema does not know is done as if they were not there.
func TestUnknownKeysAreRemoved(t *testing.T) {
	r := newRig(t)
	r.do("POST", "/api/learn/sessions",
		`{"entry_mode":"demonstrating_skill","MODE":"x","schema_version":1,"scope":{"sites":[],"later":true}}`).ok(t, 200)
	select {
	case got := <-r.learn.calls:
		if got != "create demonstrating_skill build_then_review" {
			t.Error(got)
		}
	case <-time.After(5 * time.Second):
		t.Error("the request did not arrive")
	}
}

// A call of the wire contract whose request has another name is refused, with the names that there are and without its own.
func TestAnUnknownKeyIsToldWhichThereAre(t *testing.T) {
	d := described(t).engine.Document()
	c := &strict.Checker{Schemas: d.Schemas()}
	c.Check(requestSchemas(d)["ContractCall"], "body", map[string]any{"schema_version": 1.0, "tool": "showhow_write",
		"arguments": map[string]any{"from_kind": "checkpoint"}})
	want := []wire.Violation{{Path: "body", Rule: "unknown_key", Limit: []string{"client_request_id", "request", "schema_version", "tool"}}}
	if got := fault.From(c.Err()).Details["violations"]; c.Err() == nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
