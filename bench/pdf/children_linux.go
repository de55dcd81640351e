package main

import "syscall"

// peakOfChildren is the most memory that one of the programs held that this one started, in MB.
func peakOfChildren() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return float64(u.Maxrss) / 1024
}
