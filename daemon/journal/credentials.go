package journal

// What happens to credentials; payload name. Values are nowhere.
const (
	CredentialStored  EventKind = "credential.stored"
	CredentialRemoved EventKind = "credential.removed"
)
