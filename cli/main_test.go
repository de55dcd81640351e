//go:build unix

package cli_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"showhow/cli"
	"showhow/daemon"
)

const (
	asShowhow = "SHOWHOW_TEST_MAIN"  // this binary stands for showhow
	asStage   = "SHOWHOW_TEST_STAGE" // how far it is on the way out of its ancestry
)

// TestMain lets this binary stand in for showhow, daemon included, and runs the tests in a session of its own whose
// ancestors no agent has marked: whoever runs the tests, the scripts act as a person.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("SHOWHOW_TEST_CALLER") != "": // see consent_test.go
		os.Exit(caller(os.Getenv("SHOWHOW_TEST_CALLER"), os.Args[1:]))
	case os.Getenv(asShowhow) != "":
		os.Exit(cli.Main(os.Args[1:], cli.Programs{Daemon: runDaemon}))
	case len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-"):
		// A command that a test runs in its own process took this program for showhow, and started it as the daemon: running the
		// tests would start more of them without end.
		fmt.Fprintln(os.Stderr, "this is the test of cli, not showhow: set", asShowhow)
		os.Exit(2)
	case os.Getenv(asStage) == "":
		os.Exit(apart())
	case os.Getenv(asStage) == "leave":
		os.Exit(leave())
	}
	os.Unsetenv(asStage)
	for _, ours := range []int{3, 4} {
		syscall.CloseOnExec(ours) // what a test leaves running does not keep whoever waits for the result
	}
	go endWithParent()
	code := m.Run()
	fmt.Fprintln(os.NewFile(3, "code"), code)
	os.Exit(code)
}

func runDaemon(ctx context.Context, o cli.DaemonOptions, ready func()) error {
	err := daemon.Run(ctx, daemon.Options{Roots: o.Roots, Config: o.Config, Logger: o.Logger, DemoGrant: o.DemoGrant,
		ThrowAway: o.ThrowAway, DownloadDir: o.DownloadDir}, ready)
	if errors.Is(err, daemon.ErrRestart) {
		return nil
	}
	return err
}

// apart runs the tests as an orphan and returns their exit code. The orphan reports on one pipe and ends when the
// other does.
func apart() int {
	report, reportW, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	aliveR, alive, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer alive.Close()
	cmd := again("leave", reportW, aliveR)
	if err := cmd.Run(); err != nil {
		panic(err)
	}
	reportW.Close()
	code := 2
	text, _ := io.ReadAll(report)
	fmt.Sscan(string(text), &code)
	return code
}

// leave starts the tests in a session of their own and exits, which makes them an orphan.
func leave() int {
	cmd := again("run", os.NewFile(3, "code"), os.NewFile(4, "alive"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// again is this command line at another stage, with an unmarked environment.
func again(stage string, files ...*os.File) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, os.Stderr, files
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR", "GORACE", "GODEBUG":
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, asStage+"="+stage)
	return cmd
}

func endWithParent() {
	io.Copy(io.Discard, os.NewFile(4, "alive"))
	os.Exit(1)
}
