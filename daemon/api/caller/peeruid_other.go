//go:build !linux

package caller

import "net"

// BootID: this system does not tell one start from the next, or whose a connection is, so no login is kept over a restart.
func BootID() string { return "" }

func UserOf(_, _ net.Addr) (uid int, known bool) { return -1, false }
