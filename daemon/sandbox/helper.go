//go:build linux || darwin

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Inside a box this program is the first process. That must happen before main runs, whichever binary it is.
func init() {
	if len(os.Args) > 0 && isHelper(os.Args[0]) {
		os.Exit(help())
	}
}

func help() int {
	code, err := perform()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		return 1
	}
	return code
}

// perform drops all rights, and runs the line.
func perform() (int, error) {
	runtime.LockOSThread() // rights are dropped per thread, and this thread starts the shell
	o, err := readOrder(os.Stdin)
	if err != nil {
		return 0, err
	}
	for fd := 3; fd < 64; fd++ {
		unix.CloseOnExec(fd)
	}
	unix.Umask(0o077)
	if err := limit(o); err != nil {
		return 0, err
	}
	if err := enter(o); err != nil {
		return 0, err
	}
	if len(o.Args) > 0 {
		return program(o)
	}
	return shell(o)
}

// readOrder reads the order and not a byte more: what follows may be the program's input.
func readOrder(in io.Reader) (o order, err error) {
	head := make([]byte, orderHead)
	if _, err := io.ReadFull(in, head); err != nil {
		return o, errors.New("no order")
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(head)), 16, 32)
	if err != nil || n > 1<<20 {
		return o, errors.New("no order")
	}
	told := make([]byte, n)
	if _, err := io.ReadFull(in, told); err != nil || json.Unmarshal(told, &o) != nil {
		return o, errors.New("no order")
	}
	return o, nil
}

// program runs a Command directly. A program that is not found or cannot be started ends with a shell's exit code.
func program(o order) (int, error) {
	if err := os.Chdir(o.Dir); err != nil {
		return 0, err
	}
	path, code := find(o.Args[0], o.Env["PATH"])
	state := os.NewFile(3, "state")
	if _, err := state.WriteString(ready); err != nil {
		return 0, err
	}
	if code != 0 {
		fmt.Fprintf(os.Stderr, "%s: it is not in the sandbox, or no program\n", o.Args[0])
		return code, nil
	}
	in := os.Stdin
	if !o.Talk {
		var err error
		if in, err = os.Open(os.DevNull); err != nil {
			return 0, err
		}
	}
	return wait(exec.Cmd{Path: path, Args: o.Args, Dir: o.Dir, Stdin: in, Stdout: os.Stdout, Stderr: os.Stderr}, o)
}

func limit(o order) error {
	set := func(what int, n uint64) error {
		var had unix.Rlimit
		if err := unix.Getrlimit(what, &had); err != nil {
			return err
		}
		n = min(n, had.Max) // a lower one stays
		return unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n})
	}
	return errors.Join(set(unix.RLIMIT_CORE, 0), set(unix.RLIMIT_NOFILE, 1024), set(unix.RLIMIT_FSIZE, uint64(o.Bytes)),
		set(unix.RLIMIT_NPROC, uint64(o.Procs)), set(unix.RLIMIT_MEMLOCK, 8<<20))
}

// find resolves a program: a path as it is, a name along PATH. The code is a shell's: 127 not found, 126 cannot be
// run.
func find(name, path string) (at string, code int) {
	if strings.Contains(name, "/") {
		switch {
		case unix.Access(name, unix.F_OK) != nil:
			return "", 127
		case unix.Access(name, unix.X_OK) != nil:
			return "", 126
		}
		return name, 0
	}
	for _, dir := range filepath.SplitList(path) {
		if p := filepath.Join(dir, name); unix.Access(p, unix.X_OK) == nil {
			return p, 0
		}
	}
	return "", 127
}

func shell(o order) (int, error) {
	dir := o.Dir
	if os.MkdirAll(dir, 0o700) != nil {
		dir = o.Home
	}
	if err := os.Chdir(dir); err != nil {
		return 0, err
	}
	path, err := findShell(o.Shell)
	if err != nil {
		return 0, err
	}
	args, bye := []string{}, farewell
	switch o.Shell {
	case "bash":
		args = append(args, "--noprofile", "--norc")
	case "zsh":
		args = append(args, "-f")
	case "fish":
		args, bye = append(args, "--no-config"), farewellOfFish
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	state := os.NewFile(3, "state")
	if _, err := state.WriteString(ready); err != nil {
		return 0, err
	}
	extra := make([]*os.File, stateFD-2)
	extra[stateFD-3] = state
	cmd := exec.Cmd{Path: path, Args: append(append([]string{o.Shell}, args...), "-c", bye+o.Line+"\n"), Dir: dir, Stdin: null,
		Stdout: os.Stdout, Stderr: os.Stderr, ExtraFiles: extra}
	if len(o.Until) > 0 {
		return waitUntil(cmd, o, state)
	}
	return wait(cmd, o)
}

// wait runs cmd to its end.
func wait(cmd exec.Cmd, o order) (int, error) {
	setEnv(&cmd, o)
	return exitOf(cmd.Run())
}

func setEnv(cmd *exec.Cmd, o order) {
	for k, v := range o.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	slices.Sort(cmd.Env)
}

// exitOf is the exit code as a shell reports it.
func exitOf(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() {
			return 128 + int(st.Signal()), nil
		}
		return exit.ExitCode(), nil
	}
	return 0, err
}

func findShell(name string) (string, error) {
	for _, dir := range []string{"/bin", "/usr/bin", "/usr/local/bin"} {
		if p := filepath.Join(dir, name); unix.Access(p, unix.X_OK) == nil {
			return p, nil
		}
	}
	return "", errors.New("the shell is not installed")
}
