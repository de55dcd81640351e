package recall

import (
	"testing"

	"showhow/capture"
)

func TestSipHash(t *testing.T) {
	var key capture.Salt
	var in []byte
	for i := range key {
		key[i] = byte(i)
	}
	want := map[int]uint64{0: 0x726fdb47dd0e0e31, 1: 0x74f839c593dc67fd, 8: 0x93f5f5799a932462, 15: 0xa129ca6149be45e5}
	for n := range 16 {
		if w, ok := want[n]; ok && siphash(key, in) != w {
			t.Errorf("%d bytes: %x, want %x", n, siphash(key, in), w)
		}
		in = append(in, byte(n))
	}
}
