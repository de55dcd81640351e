package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"showhow/internal/fault"
)

// helperName is this program's name as the first process in a box.
const helperName = "showhow-box"

func isHelper(arg0 string) bool { return filepath.Base(arg0) == helperName }

// enter does nothing: the walls exist already, and nothing has to be relayed through them.
func enter(order) error { return nil }

func waitUntil(exec.Cmd, order, *os.File) (int, error) { return 0, errLinesOnly }

// family records which processes belong to the box: number and group.
type family struct {
	known  map[int]int
	looked time.Time
}

// table lists the processes of this machine.
func table() ([]process, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/ps", "-axo", "pid=,ppid=,pgid=,uid=,stat=,rss=")
	cmd.Env = []string{"LC_ALL=C"}
	out, err := cmd.Output()
	return parseTable(string(out)), err
}

// members requires the lock.
func (r *running) members() ([]process, error) {
	all, err := table()
	if err != nil || r.pid == 0 {
		return nil, err
	}
	if r.known == nil {
		r.known = map[int]int{}
	}
	return belonging(all, r.pid, r.known), nil
}

// tell sends a signal to all of them.
func (r *running) tell(all []process, s syscall.Signal) {
	if len(all) > 0 {
		_ = unix.Kill(-r.pid, s)
	}
	for _, p := range all {
		_ = unix.Kill(p.pid, s)
	}
}

// kill ends every known process of the box.
func (r *running) kill(why string) {
	r.blame(why)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pid == 0 {
		return
	}
	all, err := r.members()
	if err != nil {
		_ = unix.Kill(-r.pid, unix.SIGKILL)
	}
	r.tell(all, unix.SIGKILL)
}

// memory is the box's memory; called ten times a second, it checks once.
func (r *running) memory() (total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pid == 0 || time.Since(r.looked) < time.Second {
		return 0
	}
	r.looked = time.Now()
	all, _ := r.members()
	for _, p := range all {
		total += p.memory
	}
	return total
}

// halt stops every known process of the box, and reports whether all are stopped.
func (r *running) halt() bool {
	for range 20 {
		all, err := r.members()
		if err != nil {
			return false
		}
		still := true
		for _, p := range all {
			still = still && p.stopped()
		}
		if still {
			return true
		}
		r.tell(all, unix.SIGSTOP)
	}
	return false
}

// goOn continues everything in the box.
func (r *running) goOn() {
	all, _ := r.members()
	r.tell(all, unix.SIGCONT)
}

// end makes sure that no known process of the box is left running.
func (r *running) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		all, err := r.members()
		switch {
		case err != nil:
			_ = unix.Kill(-r.pid, unix.SIGKILL)
			return err
		case len(all) == 0:
			return nil
		case time.Now().After(deadline):
			return errors.New("it does not end")
		}
		r.tell(all, unix.SIGKILL)
	}
}

// account is the number of this account's processes.
func account() (n int, err error) {
	all, err := table()
	for _, p := range all {
		if p.user == os.Getuid() {
			n++
		}
	}
	return n, err
}

// outputPipe is a pipe that ends when everything in the box has ended, or soon after it should have.
type outputPipe struct{ from, to *os.File }

func (r *running) run(ctx context.Context, o order) (Result, []byte, error) {
	b := r.box
	if len(o.Until) > 0 {
		return Result{}, nil, errLinesOnly
	}
	others, err := account()
	if err == nil {
		err = b.write()
	}
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be started")
	}
	o.Procs += others
	told, err := o.written()
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be told what to run")
	}
	in, closeIn, err := r.input(told)
	if err != nil {
		return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be started")
	}
	defer closeIn()
	out, errs := &bounded{r: r, max: b.spec.MaxOutput, also: r.stdout}, &bounded{r: r, max: b.spec.MaxOutput, also: r.stderr}
	var state bytes.Buffer
	var pipes [3]outputPipe
	for i := range pipes {
		if pipes[i].from, pipes[i].to, err = os.Pipe(); err != nil {
			return Result{}, nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be started")
		}
		defer pipes[i].from.Close()
		defer pipes[i].to.Close() // once more when it was started: no harm
	}
	r.cmd = exec.Command(sandboxExec, "-f", b.profile, filepath.Join(b.bin(), helperName))
	r.cmd.Env, r.cmd.Dir, r.cmd.Stdin = []string{}, b.home, in
	r.cmd.Stdout, r.cmd.Stderr, r.cmd.ExtraFiles = pipes[0].to, pipes[1].to, []*os.File{pipes[2].to}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal, and a group of its own
	r.cmd.WaitDelay = 10 * time.Second
	began := time.Now()
	if err := r.cmd.Start(); err != nil {
		return Result{}, nil, fault.Wrap(err, fault.SandboxUnavailable, "the sandbox cannot be started").WithHint(remedy())
	}
	r.mu.Lock()
	r.pid = r.cmd.Process.Pid
	r.mu.Unlock()
	done := make(chan struct{})
	var watching, readers sync.WaitGroup
	for i, to := range []io.Writer{out, errs, &state} {
		pipes[i].to.Close()
		readers.Go(func() {
			if to == &state {
				_, _ = io.Copy(to, io.LimitReader(pipes[i].from, maxState))
				to = io.Discard
			}
			_, _ = io.Copy(to, pipes[i].from)
		})
	}
	watching.Go(func() { r.watch(ctx, done) })
	waited := r.cmd.Wait()
	gone := r.end()
	close(done)
	watching.Wait()
	for _, p := range pipes {
		_ = p.from.SetReadDeadline(time.Now().Add(time.Second)) // the process that holds it still was not seen
	}
	readers.Wait()
	return r.result(began, waited, gone, out, errs, state.Bytes())
}
