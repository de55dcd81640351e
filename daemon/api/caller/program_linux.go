package caller

import (
	"fmt"
	"os"
)

// Runs reports whether the process runs exactly this file.
func Runs(pid int, program string) bool {
	want, err := os.Stat(program)
	if err != nil {
		return false
	}
	is, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && os.SameFile(want, is)
}
