// Package strict reads the bodies and parameters of requests: it decodes JSON and checks it against the schemas of the OpenAPI
// document.
//
// Guaranteed: a body is valid UTF-8 and one JSON value, no object has a key twice, keys are case-sensitive, lengths count UTF-16
// units as zod and a browser do, null is a value only where the schema says so, every violation is listed, and no error repeats
// what was submitted. A schema with additionalProperties false refuses unknown keys; from any other they are removed, so that
// nobody behind the check ever sees one. Defaults are filled in.
//
// Not guaranteed: what no schema can say, such as rules between two fields; the handlers check those.
//
// Only daemon/api imports it. Test against it with a huma.Registry and Go types; see fuzz_test.go.
package strict

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"

	jsonv2 "github.com/go-json-experiment/json"

	"showhow/internal/fault"
)

// MaxBody is the default bound of a body, in bytes.
const MaxBody = 1 << 20

// maxNesting bounds how deep a value may be nested; no schema of the API goes deeper than ten.
const maxNesting = 64

// Parse parses one JSON value strictly: valid UTF-8, no duplicate key in an object, nothing after it. Keys are
// case-sensitive. Its error never repeats the input.
func Parse(data []byte) (any, error) {
	var v any
	if err := jsonv2.Unmarshal(data, &v); err != nil {
		return nil, Malformed("the body is not valid JSON, or has a key twice")
	}
	if deeper(v, maxNesting) {
		return nil, Malformed("the body is nested too deeply")
	}
	return v, nil
}

// Malformed is the error for a body that is not acceptable JSON; why is shown.
func Malformed(why string) error { return fault.New(fault.MalformedJSON, why) }

func deeper(v any, limit int) bool {
	if limit == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if deeper(e, limit-1) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if deeper(e, limit-1) {
				return true
			}
		}
	}
	return false
}

// Body reads and parses a request's body. An empty one is an empty object, so that a POST without content needs no
// "{}".
func Body(w http.ResponseWriter, r *http.Request, limit int64) (any, error) {
	data, err := Raw(w, r, limit)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	return Parse(data)
}

// Raw reads a request's body unparsed. The Content-Type of a non-empty body, if given, must be JSON.
func Raw(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		if _, tooLarge := err.(*http.MaxBytesError); tooLarge {
			return nil, fault.Newf(fault.TooLarge, "the body is larger than %d bytes", limit)
		}
		return nil, Malformed("the body could not be read")
	}
	if ct := r.Header.Get("Content-Type"); ct != "" && len(bytes.TrimSpace(data)) > 0 {
		if mt, _, err := mime.ParseMediaType(ct); err != nil || mt != "application/json" {
			return nil, Malformed("the body must be application/json")
		}
	}
	return data, nil
}

// Convert converts a parsed and validated value to its Go type.
func Convert(v any, dst any) error {
	b, err := jsonv2.Marshal(v)
	if err == nil {
		err = jsonv2.Unmarshal(b, dst)
	}
	if err != nil {
		// The schema accepted something that the type refuses, for example a number out of int's range.
		return fault.Wrap(fmt.Errorf("schema and type disagree: %T", dst), fault.InvalidRequest, "the body does not fit the schema")
	}
	return nil
}
