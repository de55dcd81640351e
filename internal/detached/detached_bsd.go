//go:build unix && !linux

package detached

import "golang.org/x/sys/unix"

func dup(from, to int) { unix.Dup2(from, to) }
