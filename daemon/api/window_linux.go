package api

import (
	"fmt"
	"os"
)

// runs reports whether the process runs exactly this file.
func runs(pid int, program string) bool {
	want, err := os.Stat(program)
	if err != nil {
		return false
	}
	is, err := os.Stat(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && os.SameFile(want, is)
}
