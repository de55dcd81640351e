// Package footprint gives back to the system what a process that waits for a long time does not need meanwhile: free memory, and
// the pages of its own program, which come back from the page cache when they are called for.
//
// Guaranteed: nothing changes but how much is resident; a mapping that was ever written to is left alone.
//
// Not guaranteed: how much it is. The program's pages are given back on Linux alone, and the first calls afterwards fault them in
// again, a few hundred times 1 us.
//
// Every package may import it; it imports nothing of ours. Its test reads what the kernel says is resident.
package footprint

import "runtime/debug"

// Shrink gives back what is not needed while the process waits. It collects garbage, which takes some milliseconds.
func Shrink() {
	debug.FreeOSMemory()
	dropProgram()
}
