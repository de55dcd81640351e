package caller

import (
	"net"
	"time"
)

// Peer is the other end of a Unix socket by the kernel's credentials; nothing in it comes from the caller.
type Peer struct {
	UID      int
	PID      int // 0: unknown, or in another pid namespace (a sandbox)
	accepted time.Time
	// alive reports that the process that connected still exists, so that /proc's data on pid is about it and not
	// about a later process with the same pid. nil when the platform cannot say.
	alive func() bool
	Close func()
}

// PeerOf asks the kernel. The zero uid is never assumed: an error means unknown, and unknown is refused.
func PeerOf(c *net.UnixConn) (Peer, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return Peer{}, err
	}
	p := Peer{accepted: time.Now(), Close: func() {}}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = p.read(int(fd)) }); err != nil {
		return Peer{}, err
	}
	return p, inner
}
