package driver

import (
	"os"
	"os/exec"
)

// ownTerminal is never reached: there are no pseudo terminals of this kind here.
func ownTerminal(*exec.Cmd, *os.File) {}
