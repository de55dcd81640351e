package contract

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// review is the safety shim: every answer that succeeded passes it. A secret in it holds it back; what looks personal is
// told.
func (s *Service) review(q Request, e *Envelope) *Envelope {
	var secrets, personal []string
	for _, text := range fieldsOf(e) {
		more, own := s.o.Find(text)
		secrets, personal = append(secrets, more...), append(personal, own...)
	}
	switch {
	case len(secrets) > 0:
		out := s.refusal(q, errSafety, "")
		slices.Sort(secrets)
		out.BlockClass, out.BlockedReason = blockContent, "it holds a secret: "+strings.Join(slices.Compact(secrets), ", ")
		out.Result = map[string]any{"error": errSafety, "blocked_reason": out.BlockedReason, "disclosure_applied": []any{}}
		return out
	case len(personal) > 0:
		slices.Sort(personal)
		e.SafetyWarning = "It holds what looks personal: " + strings.Join(slices.Compact(personal), ", ") + ". Do not pass it on without need."
	}
	return e
}

// fieldsOf are the texts of an answer as a reader gets them, each after its name: a name tells what its value is ("token",
// "content_hash"), while JSON writes a line's end as \n, which changes where a word begins.
func fieldsOf(e *Envelope) (out []string) {
	var plain any
	if err := json.Unmarshal(e.bytes(), &plain); err != nil {
		panic(err) // it was encoded just now
	}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case string:
			out = append(out, name+": "+v)
		case float64:
			out = append(out, name+": "+strconv.FormatFloat(v, 'f', -1, 64))
		case []any:
			for _, x := range v {
				walk(name, x)
			}
		case map[string]any:
			for k, x := range v {
				out = append(out, k)
				walk(k, x)
			}
		}
	}
	walk("", plain)
	return out
}
