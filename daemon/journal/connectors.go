package journal

// Events of connectors. Payloads hold ids, kinds and states, never what is sent and answered.
const (
	ConnectorChanged EventKind = "connector.changed" // payload server_id, kind, status, receipt_id
	ConnectorAsks    EventKind = "connector.asks"    // a call waits for a person; payload dispatch_id, server_id
	ConnectorDecided EventKind = "connector.decided" // or waits no longer; payload dispatch_id, server_id, status
)
