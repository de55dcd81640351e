package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Hash is the bundle's identity: 64 lower-case hex digits. Trust, drift and approval depend on it.
//
// Format: SHA-256 over one record per file, in order of path by bytes, without the host-managed policy.json:
//
//	<path> NUL <"644" or "755"> NUL <length in decimal> NUL <bytes>
//
// Times, owners, the folder's location and the platform do not matter.
func (b Bundle) Hash() string {
	b.Files = append([]File(nil), b.Files...)
	b.Sort()
	h := sha256.New()
	for _, f := range b.Files {
		if f.Path == HostManaged {
			continue
		}
		fmt.Fprintf(h, "%s\x00%o\x00%d\x00", f.Path, plainMode(f.Mode), len(f.Data))
		h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}
