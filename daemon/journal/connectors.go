package journal

// What happens to connectors. Payloads hold ids, kinds and states; what is sent and answered is nowhere.
const (
	ConnectorChanged EventKind = "connector.changed" // payload server_id, kind, status, receipt_id
	ConnectorAsks    EventKind = "connector.asks"    // a call waits for a person; payload dispatch_id, server_id
	ConnectorDecided EventKind = "connector.decided" // or waits no longer; payload dispatch_id, server_id, status
)
