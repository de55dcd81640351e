package wire

// Practices lists agents' practices, newest first.
type Practices struct {
	Practices     []Practice `json:"practices"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}
