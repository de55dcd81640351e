package process

import (
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// play is the role that the test program plays as a helper.
func play(role string, args []string) int {
	switch role {
	case "rename": // as programs do that show their state in the process list
		name := []byte("renamed\x00")
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
	case "thread-exec": // another thread than the first executes: the kernel first ends the others
		done := make(chan error)
		go func() { done <- syscall.Exec(args[0], args, os.Environ()) }()
		<-done
		return 1
	}
	return 0
}
