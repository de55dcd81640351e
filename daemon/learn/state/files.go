package state

// Canonical files (DOC3 0C.7, 0C.8, decisions E6). None of them contains observations.
const (
	RuntimeFile = "system/learning/runtime/current.json"
	ScopeFile   = "system/learning/runtime/observation_scope_current.json"
)

// SessionFile is the projection of a session that is not archived.
func SessionFile(id string) string { return "system/learning/sessions/" + id + ".json" }

// ProposalFile is the projection of a proposal that is not archived.
func ProposalFile(id string) string { return "system/learning/proposals/" + id + ".json" }

// InterpretationFile is the projection of a proposal's interpretation.
func InterpretationFile(id string) string { return "system/learning/interpretations/" + id + ".json" }

// ArchivedSessionFile is the path of an archived session's projection.
func ArchivedSessionFile(id string) string {
	return "system/learning/archived/sessions/" + id + ".json"
}

// ArchivedProposalFile is the path of an archived proposal's projection.
func ArchivedProposalFile(id string) string {
	return "system/learning/archived/proposals/" + id + ".json"
}

// ArchivedRunsFile holds the validation runs of an archived proposal, each followed by its steps.
func ArchivedRunsFile(id string) string {
	return "system/learning/archived/proposals/" + id + ".runs.jsonl"
}
