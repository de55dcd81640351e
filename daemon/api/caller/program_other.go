//go:build !linux

package caller

// Runs is false: identifying a process's executable is not implemented here, so the window's user is asked in a
// terminal.
func Runs(int, string) bool { return false }
