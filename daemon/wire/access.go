package wire

import "showhow/internal/clock"

// Agent is an agent that has a token.
type Agent struct {
	AgentID   string      `json:"agent_id" format:"uuid"`
	Name      string      `json:"name" maxLength:"60"`
	CreatedAt clock.Time  `json:"created_at" format:"date-time"`
	RevokedAt *clock.Time `json:"revoked_at,omitempty" format:"date-time"`
}
