package capture

import "showhow/daemon/wire"

// Scope is what a session may observe: default deny (decisions A4). A site is an exact host, "*.example.com" for its
// subdomains, ":port" optional. A shell is one tty ("pts/3").
type Scope = wire.Scope
