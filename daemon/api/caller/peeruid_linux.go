package caller

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// BootID identifies a boot of the machine.
func BootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	if _, known := UserOf(nil, nil); !known {
		return "" // connections cannot be attributed here, so nothing is kept
	}
	return strings.TrimSpace(string(b))
}

// UserOf is the user at the other end of a loopback connection, from the kernel's own table; -1 when the connection is
// not (or no longer) listed. known is false where there is no such table.
func UserOf(peer, own net.Addr) (uid int, known bool) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} { // a browser's socket may be of either family
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		known = true
		uid, ok := lookUp(bufio.NewScanner(f), peer, own)
		f.Close()
		if ok {
			return uid, true
		}
	}
	return -1, known
}

// lookUp reads lines of "sl local_address rem_address st queues tr when retrnsmt uid ...".
func lookUp(lines *bufio.Scanner, peer, own net.Addr) (uid int, ok bool) {
	local, remote := tableAddress(peer), tableAddress(own)
	if local == "" || remote == "" {
		return 0, false
	}
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 8 || !strings.HasSuffix(f[1], local) || !strings.HasSuffix(f[2], remote) {
			continue
		}
		uid, err := strconv.Atoi(f[7])
		return uid, err == nil
	}
	return 0, false
}

// tableAddress is an IPv4 address in the table's notation: four bytes in little-endian order, which all of Showhow's
// platforms use, and the port. An IPv6 socket's line ends in the same, because its address is a mapped one.
func tableAddress(a net.Addr) string {
	t, ok := a.(*net.TCPAddr)
	if !ok || t.IP.To4() == nil {
		return ""
	}
	ip := t.IP.To4()
	return fmt.Sprintf("%02X%02X%02X%02X:%04X", ip[3], ip[2], ip[1], ip[0], t.Port)
}
