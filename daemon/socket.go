package daemon

import "net"

// dialSocket reports whether something answers on the socket.
func dialSocket(path string) bool {
	c, err := net.Dial("unix", path)
	if err != nil {
		return false
	}
	c.Close()
	return true
}
