//go:build !linux

package api

import "net"

// bootID: this system does not tell one start from the next, or whose a connection is, so no login is kept over a restart.
func bootID() string { return "" }

func tcpUser(_, _ net.Addr) (uid int, known bool) { return -1, false }
