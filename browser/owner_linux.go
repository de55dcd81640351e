package browser

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// owner returns the user whose process listens at an address, from the kernel's socket table.
func owner(host, port string) (uid int, known bool) {
	ip := net.ParseIP(host)
	n, err := strconv.Atoi(port)
	if ip == nil || err != nil {
		return 0, false
	}
	table, raw := "/proc/net/tcp", []byte(ip.To4())
	if raw == nil {
		table, raw = "/proc/net/tcp6", []byte(ip.To16())
	}
	f, err := os.Open(table)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	want := map[string]bool{fmt.Sprintf("%s:%04X", kernelHex(raw), n): true, fmt.Sprintf("%s:%04X", strings.Repeat("0", 2*len(raw)), n): true}
	const listens = "0A"
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if w := strings.Fields(lines.Text()); len(w) > 7 && w[3] == listens && want[w[1]] {
			uid, err := strconv.Atoi(w[7])
			return uid, err == nil
		}
	}
	return 0, false
}

// kernelHex formats an address as the table does: 32-bit words in little-endian byte order.
func kernelHex(raw []byte) string {
	out := slices.Clone(raw)
	for i := 0; i+4 <= len(out); i += 4 {
		slices.Reverse(out[i : i+4])
	}
	return strings.ToUpper(hex.EncodeToString(out))
}

func mine(uid int) bool { return uid == os.Geteuid() }
