package wire

import "showhow/internal/clock"

// ObservedAgent is what is known of an agent that reports.
type ObservedAgent struct {
	Agent        string      `json:"agent" maxLength:"60"`
	Hook         *AgentHook  `json:"hook,omitempty" doc:"the hook that Showhow installed; absent: none"`
	Journal      bool        `json:"journal" doc:"its last runs are kept for a day, by the person's consent"`
	JournalSince *clock.Time `json:"journal_since,omitempty" format:"date-time"`
	LastHeardAt  *clock.Time `json:"last_heard_at,omitempty" format:"date-time" doc:"when a receipt of it was last taken"`
	Runs         int         `json:"runs" minimum:"0" doc:"runs that are kept now"`
	Missed       int64       `json:"missed" minimum:"0" doc:"receipts that could not be delivered; never what they were"`
}

// AgentHook is an agent's installed hook and its state.
type AgentHook struct {
	Path        string     `json:"path" maxLength:"1000" doc:"the agent's file, or our plugin's folder"`
	State       string     `json:"state" enum:"present,changed,gone" doc:"changed: somebody edited our entry; gone: it is not there any more"`
	Next        string     `json:"next,omitempty" maxLength:"240" doc:"what the person has to do for it to take effect"`
	InstalledAt clock.Time `json:"installed_at" format:"date-time"`
}

// ObservedAgents lists every agent that has a hook, has a journal, or has reported.
type ObservedAgents struct {
	Agents        []ObservedAgent `json:"agents"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// AgentRun is one kept run of an agent.
type AgentRun struct {
	RunID         string      `json:"run_id" format:"uuid"`
	Agent         string      `json:"agent" maxLength:"60"`
	AgentRunID    string      `json:"agent_run_id,omitempty" maxLength:"120" doc:"the agent's own id of it"`
	StartedAt     clock.Time  `json:"started_at" format:"date-time"`
	EndedAt       *clock.Time `json:"ended_at,omitempty" format:"date-time" doc:"when the agent said that it was over"`
	LastAt        *clock.Time `json:"last_at,omitempty" format:"date-time" doc:"when the last thing in it happened"`
	ExpiresAt     clock.Time  `json:"expires_at" format:"date-time" doc:"when it is purged at the latest"`
	Observations  int         `json:"observations" minimum:"0"`
	First         string      `json:"first,omitempty" maxLength:"240" doc:"the first thing that was done, redacted"`
	Last          string      `json:"last,omitempty" maxLength:"240"`
	SchemaVersion int         `json:"schema_version" enum:"1"`
}

// AgentRunList is a page of runs, newest first.
type AgentRunList struct {
	Runs          []AgentRun `json:"runs"`
	Total         int        `json:"total" minimum:"0"`
	Page          int        `json:"page" minimum:"1"`
	PageSize      int        `json:"page_size" minimum:"1"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// AgentRunDetail is a run with a page of what was kept of it, in order.
type AgentRunDetail struct {
	Run           AgentRun      `json:"run"`
	Observations  []Observation `json:"observations"`
	Total         int           `json:"total" minimum:"0"`
	Page          int           `json:"page" minimum:"1"`
	PageSize      int           `json:"page_size" minimum:"1"`
	SchemaVersion int           `json:"schema_version" enum:"1"`
}
