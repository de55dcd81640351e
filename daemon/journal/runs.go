package journal

// Events of agents' runs; payload run_id, state, agent, revision, and reason_code or question_id if there is one.
const (
	RunStarted  EventKind = "agent.run.started"
	RunState    EventKind = "agent.run.state"    // it entered another state
	RunWaiting  EventKind = "agent.run.waiting"  // it asks a person
	RunAnswered EventKind = "agent.run.answered" // and continues
	RunEnded    EventKind = "agent.run.ended"
	RunPrepared EventKind = "agent.run.prepared" // packages for a skill's runs were fetched; payload ability_id, manifests
)
