package contract

import (
	"encoding/json"
	"slices"
	"strings"
)

// review is the safety shim: every answer that succeeded passes it. A secret in it holds it back; what looks personal is
// told.
func (s *Service) review(q Request, e *Envelope) *Envelope {
	secrets, personal := s.o.Find(string(e.bytes())) // names beside their values
	for _, text := range stringsOf(e.Result, e.RenderedText) {
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

// stringsOf are the texts of values as a reader gets them: JSON writes a line's end as \n, which hides where a word begins.
func stringsOf(values ...any) (out []string) {
	b, err := json.Marshal(values)
	if err != nil {
		panic(err) // plain values always encode
	}
	var plain any
	if err := json.Unmarshal(b, &plain); err != nil {
		panic(err) // it was encoded just now
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				out = append(out, k)
				walk(x)
			}
		}
	}
	walk(plain)
	return out
}
