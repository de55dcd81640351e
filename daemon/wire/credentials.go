package wire

// Credentials lists all credentials by name; no response holds a value.
type Credentials struct {
	Credentials   []Credential `json:"credentials"`
	Keychain      bool         `json:"keychain" doc:"false: there is none on this machine, and nothing can be stored"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// CredentialSet stores a value. No response repeats it.
type CredentialSet struct {
	Value         string `json:"value" minLength:"1" maxLength:"8192"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// CredentialRemoved confirms a removal.
type CredentialRemoved struct {
	Name    string `json:"name" maxLength:"120"`
	Removed bool   `json:"removed"`
}
