package agents

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// run runs a command on this console; Ctrl-C reaches it directly.
func run(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return notRun(args[0], err)
	}
	err := cmd.Wait()
	if exit := new(exec.ExitError); err == nil || errors.As(err, &exit) {
		return Ended{code: cmd.ProcessState.ExitCode()}
	}
	return err
}

// End is the exit code of the command.
func (x Ended) End() int { return x.code }
