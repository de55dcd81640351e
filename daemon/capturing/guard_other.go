//go:build !linux

package capturing

// guardMemory does nothing yet outside Linux.
func guardMemory(bool) {}
