package contract

import (
	"embed"
	"encoding/json"
	"slices"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"showhow/internal/fault"
)

//go:embed schema
var schemas embed.FS

// published is a schema as it is published.
func published(name string) json.RawMessage {
	b, err := schemas.ReadFile("schema/" + name + ".json")
	if err != nil {
		panic(err) // it is embedded
	}
	return b
}

// toTake is the request's schema with what the contract lets through: a mode of disclosure that nobody knows is held back
// by the gate and not by the schema, and the tool that writes takes two more verbs.
var toTake = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	s, err := requestSchema("UPSERT", "CORRECT")
	if err != nil {
		return nil, err
	}
	s.Properties["caller"].Properties["disclosure_mode"].Enum = nil
	return s.Resolve(nil)
})

func requestSchema(verbs ...any) (*jsonschema.Schema, error) {
	s := &jsonschema.Schema{}
	if err := json.Unmarshal(published("request"), s); err != nil {
		return nil, err
	}
	s.Properties["verb"].Enum = append(slices.Clone(s.Properties["verb"].Enum), verbs...)
	return s, nil
}

// parse reads a request.
func parse(args json.RawMessage) (Request, error) {
	q := Request{}
	if len(args) == 0 || string(args) == "null" {
		args = json.RawMessage("{}")
	}
	// What is checked must be what is read: no key twice, none in another case.
	var given any
	if err := jsonv2.Unmarshal(args, &given); err != nil {
		return q, fault.New(fault.InvalidRequest, "the request is not one JSON value, or has a key twice")
	}
	r, err := toTake()
	if err != nil {
		return q, fault.Wrap(err, fault.Internal, "the request's schema does not read")
	}
	if r.Validate(given) != nil || jsonv2.Unmarshal(args, &q) != nil { // the validator's text quotes what was submitted
		return q, fault.New(fault.InvalidRequest, "the request does not fit its schema").
			WithHint("get_protocol_spec has the schema: request_schema")
	}
	return q.normal(), nil
}
