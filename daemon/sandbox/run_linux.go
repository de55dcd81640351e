package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"showhow/internal/fault"
)

// family is the box's process namespace, and its control group.
type family struct {
	first *os.Process // with it everything in the box ends
	group *group      // nil: none can be made here
}

// kill ends everything in the box.
func (r *running) kill(why string) {
	r.blame(why)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first != nil {
		_ = r.first.Kill()
	} else {
		r.killMaker()
	}
}

// killMaker ends bubblewrap while it makes the box, and what it has started by then: that would wait for it for ever. r.mu is held.
func (r *running) killMaker() {
	if r.cmd.Process != nil && r.cmd.Process.Signal(syscall.Signal(0)) == nil { // its number is still its own
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
	}
}

func (r *running) run(ctx context.Context, o order) (Result, []byte, error) {
	b := r.box
	told, err := o.written()
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be told what to run")
	}
	pipes, err := openPipes(b.filter)
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be started")
	}
	defer pipes.close()
	args := append(b.arguments(), "--info-fd", "4")
	if b.filter != nil {
		args = append(args, "--seccomp", "5")
	}
	out, errs := &bounded{r: r, max: b.spec.MaxOutput, also: r.stdout}, &bounded{r: r, max: b.spec.MaxOutput, also: r.stderr}
	r.group = openGroup(b.groups, b.spec.MaxMemory, b.spec.MaxProcs)
	defer func() { r.group.close() }()
	in, closeIn, err := r.input(told)
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be started")
	}
	defer closeIn()
	prepare := func() {
		r.cmd = exec.Command(b.bwrap, append(args, "--", helperPath)...)
		r.cmd.Env, r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = []string{}, in, out, errs
		r.cmd.ExtraFiles = pipes.theirs()
		r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		r.cmd.WaitDelay = 10 * time.Second
		r.group.attach(r.cmd.SysProcAttr)
	}
	prepare()

	// bubblewrap dies with the thread that started it: the thread stays until it has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	err = r.cmd.Start()
	if err != nil && r.group != nil { // a group that may be made and not entered: the other limits do
		r.group.close()
		r.group, b.groups = nil, ""
		prepare()
		err = r.cmd.Start()
	}
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.SandboxUnavailable,
			"the sandbox cannot be started").WithHint("is the package bubblewrap installed?")
	}
	pipes.started()
	done := make(chan struct{})
	var watching sync.WaitGroup
	var state []byte
	watching.Go(func() {
		state, _ = io.ReadAll(io.LimitReader(pipes.state, maxState))
		_, _ = io.Copy(io.Discard, pipes.state)
	})
	watching.Go(func() { r.meet(pipes.info) })
	watching.Go(func() { r.watch(ctx, done) })
	waited := r.cmd.Wait()
	gone := r.end()
	close(done)
	watching.Wait()
	if r.group.outOfMemory() {
		r.blame(KilledMemory)
	}
	return r.result(began, waited, gone, out, errs, state)
}

// meet learns the pid of the first process in the box.
func (r *running) meet(info io.Reader) {
	var told struct {
		PID int `json:"child-pid"`
	}
	if json.NewDecoder(info).Decode(&told) != nil || told.PID == 0 {
		return
	}
	p, err := os.FindProcess(told.PID) // by its descriptor: it cannot become another's number
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.first, r.pid = p, told.PID
	if r.why != "" {
		_ = p.Kill()
	}
}

// end makes sure that nothing is left running: the namespace's first process takes everything with it, and its end is
// awaited.
func (r *running) end() error {
	r.mu.Lock()
	first, pid := r.first, r.pid
	r.mu.Unlock()
	if first == nil {
		return nil
	}
	_ = first.Kill()
	defer first.Release()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil // it is gone
	}
	defer unix.Close(fd)
	if first.Signal(syscall.Signal(0)) != nil {
		return nil
	}
	for deadline := time.Now().Add(20 * time.Second); ; {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 1000)
		switch {
		case n > 0:
			return nil
		case err != nil && !errors.Is(err, unix.EINTR):
			return err
		case time.Now().After(deadline):
			return errors.New("it does not end")
		}
	}
}
