//go:build unix

package agents

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// run runs a command in place of this process: with the same streams and process group, so that the terminal's keys
// and job control work as usual. Signals to this process alone are forwarded.
func run(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 16)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2} {
		if !signal.Ignored(s) { // what was ignored stays so, for the command too
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return notRun(args[0], err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	terminal := term.IsTerminal(int(os.Stdin.Fd()))
	for {
		select {
		case s := <-signals:
			if terminal && (s == syscall.SIGINT || s == syscall.SIGQUIT) {
				continue // the terminal sent it to the command as well
			}
			cmd.Process.Signal(s)
		case err := <-done:
			return howEnded(cmd, err)
		}
	}
}

func howEnded(cmd *exec.Cmd, err error) error {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case ok && status.Signaled():
		return Ended{code: 128 + int(status.Signal()), signal: status.Signal()}
	case ok:
		return Ended{code: status.ExitStatus()}
	case err == nil:
		return Ended{}
	}
	return errors.Join(errors.New("the command's end is not known"), err)
}

// End ends this program as the command ended: by the same signal, so that a waiting parent sees no difference.
func (x Ended) End() int {
	if s, ok := x.signal.(syscall.Signal); ok {
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) // the command's core is enough
		signal.Reset(s)
		syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second) // it comes at once; should the system hold it back, the code below says the same
	}
	return x.code
}
