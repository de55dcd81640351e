package contract

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Cleaner removes secrets and personal identifiers from what was sent.
type Cleaner struct {
	Text   func(string) string // redacted
	Secret func(string) bool   // whether a text holds a secret
}

// idRE matches a possible id: no white space and no @, so it is no sentence and no address, and it can be part of a
// file's name.
var idRE = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,159}$`)

// isID reports whether a text can be an id; the rules for random text are not applied, because they would take most
// ids for secrets.
func (c Cleaner) isID(s string) bool { return idRE.MatchString(s) && !c.Secret(s) }

// idKeys are the contract's ids.
var idKeys = []string{"session_id", "envelope_id", "event_id", "checkpoint_id", "trace_id", "feedback_id", "source_envelope_id",
	"source_event_id", "contract_name"}

// decode reads one JSON value: UTF-8, no duplicate key, bounded nesting. Numbers keep their digits.
func decode(data []byte) (any, error) {
	if !jsontext.Value(data).IsValid() {
		return nil, fault.New(fault.MalformedJSON, "this is not valid JSON, or has a key twice")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fault.New(fault.MalformedJSON, "this is not valid JSON")
	}
	if beyond(v, maxDepth) {
		return nil, fault.Newf(fault.MalformedJSON, "this is nested deeper than %d, or has a text of more than %d bytes", maxDepth, maxText)
	}
	return v, nil
}

// beyond reports whether a value is nested deeper than limit, or holds a text that is too long: redacting one takes
// time.
func beyond(v any, limit int) bool {
	if limit == 0 {
		return true
	}
	switch v := v.(type) {
	case string:
		return len(v) > maxText
	case map[string]any:
		for k, e := range v {
			if len(k) > maxText || beyond(e, limit-1) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return beyond(e, limit-1) })
	}
	return false
}

// tree redacts every text of a value, keys too. key is the value's own key: a secret is often recognisable by its name
// alone.
func (c Cleaner) tree(key string, v any) any {
	switch v := v.(type) {
	case string:
		return c.text(key, v)
	case json.Number:
		if s := c.text(key, v.String()); s != v.String() {
			return s
		}
		return v
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = c.tree(key, e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range sortedKeys(v) { // two keys that are cleaned into one: the last in order stays, always the same
			out[c.Text(k)] = c.tree(k, v[k])
		}
		return out
	}
	return v
}

// longestNamed bounds what can be a secret by its name alone: a longer text is no password, and a key has a
// recognisable form.
const longestNamed = 512

// text redacts a text by its content and by its key.
func (c Cleaner) text(key, s string) string {
	if slices.Contains(idKeys, key) && c.isID(s) {
		return s
	}
	clean := c.Text(s)
	if clean != s || key == "" || s == "" || len(s) > longestNamed {
		return clean
	}
	head := key + ": "
	if named := c.Text(head + s); named != head+s {
		if rest, ok := strings.CutPrefix(named, head); ok {
			return rest
		}
		return named
	}
	return s
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
