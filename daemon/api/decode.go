package api

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"

	jsonv2 "github.com/go-json-experiment/json"

	"showhow/internal/fault"
)

// maxBody is what a route takes unless it says otherwise.
const maxBody = 1 << 20

// maxDepth of nesting; nothing of ours is deeper than ten.
const maxNesting = 64

// parse reads one JSON value strictly: valid UTF-8, no key twice in an object, nothing after it. Keys are case-sensitive.
// Its error never repeats the input.
func parse(data []byte) (any, error) {
	var v any
	if err := jsonv2.Unmarshal(data, &v); err != nil {
		return nil, malformed("the body is not valid JSON, or has a key twice")
	}
	if deeper(v, maxNesting) {
		return nil, malformed("the body is nested too deeply")
	}
	return v, nil
}

func malformed(why string) error { return fault.New(fault.MalformedJSON, why) }

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

// readBody reads and parses a request's body. An empty one is an empty object, so that a POST without content needs no "{}".
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (any, error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		if _, tooLarge := err.(*http.MaxBytesError); tooLarge {
			return nil, fault.Newf(fault.TooLarge, "the body is larger than %d bytes", limit)
		}
		return nil, malformed("the body could not be read")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	if ct := r.Header.Get("Content-Type"); ct != "" {
		if mt, _, err := mime.ParseMediaType(ct); err != nil || mt != "application/json" {
			return nil, malformed("the body must be application/json")
		}
	}
	return parse(data)
}

// convert gives a parsed and validated value its Go type.
func convert(v any, dst any) error {
	b, err := jsonv2.Marshal(v)
	if err == nil {
		err = jsonv2.Unmarshal(b, dst)
	}
	if err != nil {
		// The schema let something pass that the type refuses, for example a number out of int's range.
		return fault.Wrap(fmt.Errorf("schema and type disagree: %T", dst), fault.InvalidRequest, "the body does not fit the schema")
	}
	return nil
}
