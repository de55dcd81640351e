package learn

import (
	"strings"
)

// Principals of a call.
const (
	PrincipalUser   = "user"
	PrincipalAgent  = "agent"
	PrincipalSystem = "system" // the daemon itself: time limits, lease, recovery, auto-install
)

// Meta is who calls and how; the API fills it for every mutation.
type Meta struct {
	Principal       string
	Source          string // user_click, hotkey, system_inferred, api_call
	IfMatch         *int   // the revision the caller saw, of the resource it changes
	CorrelationID   string
	ClientRequestID string
	AgentName       string
}

func matches(f HistoryFilter, i HistoryItem) bool {
	outcome := i.Outcome
	if outcome == "" {
		outcome = string(i.State)
	}
	return (f.Outcome == "" || outcome == f.Outcome) && strings.Contains(strings.ToLower(i.Title), strings.ToLower(strings.TrimSpace(f.Search)))
}
