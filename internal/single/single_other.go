//go:build !unix

package single

import "os"

// Take takes the lock at path; first is false when another process holds it.
func Take(string) (l *Lock, first bool, err error) { return &Lock{}, true, nil }

// Holder is the process that holds the lock at path; unknown here.
func Holder(string) int { return 0 }

func unlock(*os.File) {}
