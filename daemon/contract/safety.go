package contract

import (
	"slices"
	"strings"
)

// review is the safety shim: every answer that succeeded passes it. A secret in it holds it back; what looks personal is
// told.
func (s *Service) review(q Request, e *Envelope) *Envelope {
	secrets, personal := s.o.Find(string(e.bytes()))
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
