package credential

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	Credential = wire.Credential
)
