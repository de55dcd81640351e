package journal

// DocumentRead is the event of a document that was read; payload operation_id, by, capability, pages; never a text.
const DocumentRead EventKind = "document.read"
