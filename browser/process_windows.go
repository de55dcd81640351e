//go:build windows

package browser

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// givePipes passes the pipes as inheritable handles, whose numbers go on the browser's command
// line.
func givePipes(cmd *exec.Cmd, childR, childW, parentR, parentW *os.File) error {
	for _, f := range []*os.File{parentR, parentW} {
		if err := syscall.SetHandleInformation(syscall.Handle(f.Fd()), syscall.HANDLE_FLAG_INHERIT, 0); err != nil {
			return err
		}
	}
	r, w := syscall.Handle(childR.Fd()), syscall.Handle(childW.Fd())
	for _, h := range []syscall.Handle{r, w} {
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, r, w)
	number := func(h syscall.Handle) string { return strconv.FormatUint(uint64(h), 10) }
	cmd.Args = append(cmd.Args[:1:1], append([]string{"--remote-debugging-pipe",
		"--remote-debugging-io-pipes=" + number(r) + "," + number(w)}, cmd.Args[1:]...)...)
	return nil
}

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup kills the browser; its helpers end when its pipes break.
func endGroup(cmd *exec.Cmd, exited <-chan struct{}) {
	if cmd.Process == nil {
		return
	}
	_ = cmd.Process.Kill()
	select {
	case <-exited:
	case <-time.After(5 * time.Second):
	}
}
