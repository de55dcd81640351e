package daemon

import "golang.org/x/sys/unix"

// harden makes new files private and disables core dumps.
func harden() {
	unix.Umask(0o077)
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
