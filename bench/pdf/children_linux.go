package main

import (
	"syscall"
	"time"
)

// peakOfChildren is the most memory that one of the programs held that this one started, in MB.
func peakOfChildren() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return float64(u.Maxrss) / 1024
}

// cpu is the time of a processor that this program and those that it started have used.
func cpu() (out time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			out += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return out
}
