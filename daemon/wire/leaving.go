package wire

// Outside is something that Showhow made outside its own folders, by the install ledger (decisions D8).
type Outside struct {
	Kind string `json:"kind" enum:"skill,folder,hook,door,keys,tokens,signing_key"`
	Path string `json:"path,omitempty" doc:"of keys, tokens and the signing key: none; they are in the system's keychain"`
	For  string `json:"for,omitempty" doc:"the agent, the skill folder's name, or the connector's sign-in"`
	Why  string `json:"why,omitempty" doc:"of what stays: the reason"`
}

// Leaving is what an uninstallation removes.
type Leaving struct {
	Outside       []Outside `json:"outside"`
	ContentHash   string    `json:"content_hash" doc:"of this list: a confirmation is for what was seen"`
	SchemaVersion int       `json:"schema_version" enum:"1"`
}

// LeaveRequest asks for an uninstallation.
type LeaveRequest struct {
	Post
	KeepSkills  bool `json:"keep_skills,omitempty" doc:"leave the copies in the agents' folders; nobody watches them any more"`
	DestroyKeys bool `json:"destroy_keys,omitempty" doc:"destroy the keys of sealed values, connectors' tokens and the key that signs skills: what was sealed can never be read again"`
}

// Left is the result of an uninstallation.
type Left struct {
	Removed []Outside `json:"removed"`
	Kept    []Outside `json:"kept"`
}
