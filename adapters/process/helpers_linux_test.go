package process

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// visible is long enough for a program to be read from /proc on a busy machine.
const visible = 150 * time.Millisecond

// play is what the test program does in a helper's place.
func play(role string, args []string) int {
	switch role {
	case "rename": // as programs do that show their state in the process list
		name := []byte("renamed\x00")
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
		time.Sleep(visible)
	case "thread-exec": // another thread than the first executes: the kernel first ends the others
		done := make(chan error)
		go func() { done <- syscall.Exec(args[0], args, os.Environ()) }()
		<-done
		return 1
	}
	return 0
}
