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

import "runtime/debug"

// Shrink returns memory that is not needed while the process waits. It collects garbage, which takes some
// milliseconds.
func Shrink() {
	debug.FreeOSMemory()
	dropProgram()
}
