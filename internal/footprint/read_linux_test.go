package footprint

import "unsafe"

// read sums one byte of every page of a mapping.
func read(m mapping) (sum byte) {
	for at := m.from; at < m.to; at += 4096 {
		sum += *(*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at)))
	}
	return sum
}
