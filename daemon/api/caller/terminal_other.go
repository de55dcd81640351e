//go:build !linux && !darwin

package caller

import "os"

func (t Terminal) open() (*os.File, error) { return nil, errNoTerminal }
