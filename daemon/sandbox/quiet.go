package sandbox

import (
	"io"
	"log"
)

// quiet discards: connection errors name hosts and belong in no log.
var quiet = log.New(io.Discard, "", 0)
