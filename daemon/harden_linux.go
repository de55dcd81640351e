package daemon

import "golang.org/x/sys/unix"

// harden makes every file private and leaves no core dump behind.
func harden() {
	unix.Umask(0o077)
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// guardMemory keeps other processes of this user from reading ours while it holds what a person does.
func guardMemory(capturing bool) {
	dumpable := uintptr(1)
	if capturing {
		dumpable = 0
	}
	unix.Prctl(unix.PR_SET_DUMPABLE, dumpable, 0, 0, 0)
}
