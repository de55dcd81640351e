package wire

// ContractCall is one call under the wire contract (docs/contract.md).
type ContractCall struct {
	Tool            string         `json:"tool" enum:"showhow,showhow_read,showhow_write,showhow_channel,health,server_status,get_protocol_spec,tool_telemetry"`
	Request         map[string]any `json:"request,omitempty" doc:"the request envelope; its schema is in the answer of get_protocol_spec"`
	ClientRequestID string         `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int            `json:"schema_version" enum:"1"`
}

// ContractAnswer is the answer, by the contract's own schema.
type ContractAnswer struct {
	Answer        map[string]any `json:"answer" doc:"the response envelope, or what the tool answers"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}
