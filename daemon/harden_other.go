//go:build !linux

package daemon

// harden does nothing yet outside Linux; files are created with private modes anyway.
func harden() {}
