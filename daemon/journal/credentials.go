package journal

// Events of credentials; payload name, never a value.
const (
	CredentialStored  EventKind = "credential.stored"
	CredentialRemoved EventKind = "credential.removed"
)
