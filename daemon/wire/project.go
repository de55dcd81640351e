package wire

// ProjectBinding holds a project's names and where its documents are (baseline 0.7). The project itself belongs to
// another program.
type ProjectBinding struct {
	ProjectID         string   `json:"project_id" minLength:"1" maxLength:"160"`
	Aliases           []string `json:"aliases" maxLength:"160" maxItems:"50"`
	BucketIDs         []string `json:"bucket_ids" maxLength:"160" maxItems:"50"`
	PreferredDocTypes []string `json:"preferred_doc_types" maxLength:"80" maxItems:"50"`
	SharepointRefs    []string `json:"sharepoint_refs" maxLength:"240" maxItems:"50"`
	OnedriveRefs      []string `json:"onedrive_refs" maxLength:"240" maxItems:"50"`
	TeamsRefs         []string `json:"teams_refs" maxLength:"240" maxItems:"50"`
	SourceOfTruth     string   `json:"source_of_truth" enum:"doc7_bucket,core_project,sharepoint,onedrive,mixed"`
	AmbiguityPolicy   string   `json:"ambiguity_policy,omitempty" enum:"return_all,require_disambiguation,use_room_context_then_prompt" default:"use_room_context_then_prompt"`
	SchemaVersion     int      `json:"schema_version" enum:"1"`
}

// ProjectBindings is every binding.
type ProjectBindings struct {
	Bindings      []ProjectBinding `json:"bindings"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// ProjectBindingPut binds a project or changes its binding.
type ProjectBindingPut struct {
	ProjectBinding
	Post
}

// ProjectUnbound says whether there was a binding.
type ProjectUnbound struct {
	ProjectID string `json:"project_id"`
	Unbound   bool   `json:"unbound"`
}

// ProjectResolve asks which project a text is about.
type ProjectResolve struct {
	Query              string   `json:"query" minLength:"1" maxLength:"400"`
	RoomID             string   `json:"room_id,omitempty" maxLength:"200"`
	ActiveProjectID    string   `json:"active_project_id,omitempty" maxLength:"160" doc:"the one that is worked on where it is asked"`
	CandidateBucketIDs []string `json:"candidate_bucket_ids,omitempty" maxLength:"160" maxItems:"50"`
	Post
}

// ProjectMatch is a project that a text may be about.
type ProjectMatch struct {
	ProjectBinding
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1"`
	Because    string  `json:"because" maxLength:"240"`
}

// ProjectResolved is the result of a project lookup.
type ProjectResolved struct {
	Matches         []ProjectMatch `json:"matches" doc:"the likeliest first"`
	ResolutionState string         `json:"resolution_state" enum:"resolved,ambiguous,none"`
	SchemaVersion   int            `json:"schema_version" enum:"1"`
}
