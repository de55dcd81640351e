//go:build !linux

package footprint

// dropProgram: elsewhere nobody tried what the kernel makes of such advice.
func dropProgram() {}
