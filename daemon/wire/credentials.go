package wire

// Credentials lists them all by name; values are in no answer.
type Credentials struct {
	Credentials   []Credential `json:"credentials"`
	Keychain      bool         `json:"keychain" doc:"false: there is none on this machine, and nothing can be stored"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// CredentialSet carries a value in. It is neither answered nor remembered.
type CredentialSet struct {
	Value         string `json:"value" minLength:"1" maxLength:"8192"`
	SchemaVersion int    `json:"schema_version,omitempty" enum:"1"`
}

// CredentialRemoved says so.
type CredentialRemoved struct {
	Name    string `json:"name" maxLength:"120"`
	Removed bool   `json:"removed"`
}
