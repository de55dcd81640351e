package credential

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	Credential = wire.Credential
)
