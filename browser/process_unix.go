//go:build !windows

package browser

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// givePipes makes the pipes the browser's descriptors 3 and 4, as its flag expects.
func givePipes(cmd *exec.Cmd, childR, childW, _, _ *os.File) error {
	cmd.Args = append(cmd.Args[:1:1], append([]string{"--remote-debugging-pipe"}, cmd.Args[1:]...)...)
	cmd.ExtraFiles = []*os.File{childR, childW}
	return nil
}

// ownGroup puts the browser and its helpers into one process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills the rest of the process group and waits for the browser and its helpers: a killed
// helper that a busy machine has not ended yet still writes into the profile.
func endGroup(cmd *exec.Cmd, exited <-chan struct{}) {
	if cmd.Process == nil {
		return
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-exited
	for end := time.Now().Add(closeTime); groupLives(cmd.Process.Pid) && time.Now().Before(end); {
		time.Sleep(2 * time.Millisecond)
	}
}
