// Package single keeps a program from running twice: the second one learns that there is a first, and leaves.
//
// The kernel holds the lock and lets go of it however the program ends. Not guaranteed: anything on systems without flock, where
// every program is the first.
package single

import "os"

// Lock is held until Release.
type Lock struct{ f *os.File }

// Release lets the next one in.
func (l *Lock) Release() {
	if l != nil && l.f != nil {
		_ = l.f.Truncate(0)
		unlock(l.f)
		_ = l.f.Close()
	}
}
