//go:build !linux

package footprint

// dropProgram does nothing: on other systems the effect is untested.
func dropProgram() {}

// residentSize is not known here.
func residentSize() int64 { return 0 }
