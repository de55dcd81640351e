// Package footprint returns memory to the system while a process waits for a long time: free heap, and the pages of
// its own program, which are read back from the page cache when needed.
//
// Guaranteed: only the resident size changes; a mapping that was ever written to is left alone.
//
// Not guaranteed: by how much. Program pages are returned only on Linux, and the next calls fault them in again, a
// few hundred times 1 us.
//
// Any package may import it; it imports nothing of ours. Its test reads the kernel's resident size.
package footprint

import (
	"runtime/debug"
	"sync/atomic"
)

// enough is by how much the resident size must have grown for it to be worth returning.
const enough = 4 << 20

// after is the resident size that Shrink or DropProgram left, 0 before the first and where nobody can tell.
var after atomic.Int64

// Shrink returns memory that is not needed while the process waits. It collects garbage, which takes some
// milliseconds.
func Shrink() {
	debug.FreeOSMemory()
	DropProgram()
}

// DropProgram returns the pages of the program alone, for a process that has done little since the last Shrink. It collects nothing.
func DropProgram() {
	dropProgram()
	after.Store(residentSize())
}

// Grown reports whether the process takes notably more memory than it did after the last of the two. It costs some microseconds.
func Grown() bool {
	return residentSize() > after.Load()+enough
}
