//go:build !linux

package footprint

// dropProgram does nothing: on other systems the effect is untested.
func dropProgram() {}
