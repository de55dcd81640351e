// Package single keeps a program from running twice: the second instance learns that there is a first, and exits.
//
// The kernel holds the lock and releases it however the program ends. Not guaranteed: anything on systems without
// flock, where every instance is the first.
package single

import "os"

// Lock is held until Release.
type Lock struct{ f *os.File }

// Release releases the lock.
func (l *Lock) Release() {
	if l != nil && l.f != nil {
		_ = l.f.Truncate(0)
		unlock(l.f)
		_ = l.f.Close()
	}
}
