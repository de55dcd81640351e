package contract

import (
	"encoding/json"
	"time"
)

// Request is the envelope of section 3.
type Request struct {
	Verb        string          `json:"verb"`
	FromKind    string          `json:"from_kind"`
	FromID      string          `json:"from_id"`
	FromMatch   string          `json:"from_match"`
	Fields      []string        `json:"fields"`
	Payload     json.RawMessage `json:"payload"`
	Since       *time.Time      `json:"since"`
	Until       *time.Time      `json:"until"`
	Sources     []string        `json:"sources"`
	Filters     map[string]any  `json:"filters"`
	Having      map[string]any  `json:"having"`
	Purpose     string          `json:"purpose"`
	ContextNote string          `json:"context_note"`
	Caller      *Said           `json:"caller"`
	Depth       string          `json:"depth"`
	FormatHint  string          `json:"format_hint"`
	MaxChars    int             `json:"max_chars"`
	Ask         string          `json:"ask"`
}

// Said is what the caller says of itself. It narrows, and proves nothing.
type Said struct {
	Who            string `json:"who"`
	Channel        string `json:"channel"`
	DisclosureMode string `json:"disclosure_mode"`
}

// Verbs.
const (
	selects = "SELECT"
	inserts = "INSERT"
	updates = "UPDATE"
	deletes = "DELETE"
)

var verbs = map[string]string{"": selects, "READ": selects, "GET": selects, "QUERY": selects, "CREATE": inserts, "ADD": inserts,
	"PATCH": updates, "UPSERT": updates, "CORRECT": updates, "REMOVE": deletes, selects: selects, inserts: inserts, updates: updates,
	deletes: deletes}

func (q Request) normal() Request {
	q.Verb = verbs[q.Verb]
	if q.Depth == "" {
		q.Depth = "standard"
	}
	if q.FormatHint == "" {
		q.FormatHint = "auto"
	}
	return q
}

// mode is the mode of disclosure: the caller's own room if it names none.
func (q Request) mode() string {
	if q.Caller == nil {
		return ""
	}
	return q.Caller.DisclosureMode
}

// limit is how many rows are asked for.
func (q Request) limit() int {
	n, _ := q.Filters["limit"].(float64)
	if n < 1 || n > 100 {
		return 20
	}
	return int(n)
}

// within reports whether something happened in the time that is asked for: since inclusive, until exclusive.
func (q Request) within(at time.Time) bool {
	return (q.Since == nil || !at.Before(*q.Since)) && (q.Until == nil || at.Before(*q.Until))
}
