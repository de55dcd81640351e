//go:build unix && !linux

package cli

import "golang.org/x/sys/unix"

func dup(from, to int) { unix.Dup2(from, to) }
