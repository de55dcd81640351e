//go:build !linux && !darwin

package api

import "os"

func (t terminal) open() (*os.File, error) { return nil, errNoTerminal }
