package wire

import "showhow/daemon/practice"

// Practices lists agents' practices, newest first.
type Practices struct {
	Practices     []practice.Practice `json:"practices"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}
