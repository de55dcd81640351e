package capturing

import "golang.org/x/sys/unix"

// guardMemory keeps other processes of this user from reading ours while it holds what a person does.
func guardMemory(capturing bool) {
	dumpable := uintptr(1)
	if capturing {
		dumpable = 0
	}
	unix.Prctl(unix.PR_SET_DUMPABLE, dumpable, 0, 0, 0)
}
