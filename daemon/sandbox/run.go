//go:build linux || darwin

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Run runs one line. dir is relative to the scratch folder ("." is the folder itself, "" where the last line ended);
// env is exported in addition. A killed or failed line is no error; an error is the box's own.
func (b *Box) Run(ctx context.Context, line, dir string, env map[string]string) (Result, error) {
	return b.RunUntil(ctx, line, dir, env, nil)
}

// RunUntil runs one line that leaves programs running, in the foreground or background. It is over when all of them
// have run for a moment, or when it ends without them; then everything is ended. Result.Running names those that ran.
// That, like everything said inside the box, is trusted only about the box.
func (b *Box) RunUntil(ctx context.Context, line, dir string, env map[string]string, programs []string) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return Result{}, fault.New(fault.Internal, "the sandbox is closed")
	}
	at, err := b.place(dir)
	if err != nil {
		return Result{}, err
	}
	if len(line) > maxLine || strings.ContainsRune(line, 0) {
		return Result{}, fault.New(fault.TooLarge, "the line is too long to run")
	}
	if err := b.own(); err != nil {
		return Result{}, fault.Wrap(err, fault.Internal, "the sandbox's folder cannot be handed over")
	}
	o := b.order(at, b.env, env)
	o.Shell, o.Line, o.Until = b.spec.Shell, line, programs
	res, state, err := b.do(ctx, &running{box: b}, o)
	if err == nil && res.Killed == "" {
		state, res.Running = whatRan(state, programs)
		b.remember(state)
	}
	return res, err
}

// Exec runs a program. Folder and variables of the box stay as they were.
func (b *Box) Exec(ctx context.Context, c Command) (Result, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return Result{}, fault.New(fault.Internal, "the sandbox is closed")
	}
	at, err := b.place(c.Dir)
	if err != nil {
		return Result{}, err
	}
	size := 0
	for _, a := range c.Args {
		size += len(a)
		if strings.ContainsRune(a, 0) {
			return Result{}, fault.New(fault.InvalidRequest, "the command holds a character that no program can be given")
		}
	}
	if len(c.Args) == 0 || size > maxLine {
		return Result{}, fault.New(fault.TooLarge, "the command is empty or too long to run")
	}
	if err := b.own(); err != nil {
		return Result{}, fault.Wrap(err, fault.Internal, "the sandbox's folder cannot be handed over")
	}
	o := b.order(at, b.env, c.Env)
	o.Args, o.Talk = c.Args, c.Stdin != nil
	if c.Stdin != nil {
		defer c.Stdin.Close()
	}
	res, _, err := b.do(ctx, &running{box: b, stdout: c.Stdout, stderr: c.Stderr, stdin: c.Stdin}, o)
	return res, err
}

// order is the common part of every line's and command's order.
func (b *Box) order(at string, more ...map[string]string) order {
	o := order{Dir: at, Home: b.home, Env: b.variables(), UID: b.uid, Procs: b.spec.MaxProcs, Bytes: b.spec.MaxBytes, Relay: b.proxy != nil}
	if b.spec.Service != "" {
		o.Serve = b.ServiceSocket()
	}
	for _, m := range more {
		for k, v := range m {
			if variable.MatchString(k) {
				o.Env[k] = v
			}
		}
	}
	return o
}

func (b *Box) do(ctx context.Context, r *running, o order) (Result, []byte, error) {
	b.set(r)
	defer b.set(nil)
	return r.run(ctx, o)
}

func (b *Box) set(r *running) {
	b.now.Lock()
	defer b.now.Unlock()
	b.current = r
}

var variable = lazyre.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// own gives the scratch folder's content to the commands' account.
func (b *Box) own() error {
	if b.uid == 0 {
		return nil
	}
	for _, dir := range []string{b.spec.Dir, filepath.Join(b.side, "tmp")} {
		err := filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			return os.Lchown(name, b.uid, b.uid)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// whatRan splits off what the helper wrote after the shell's farewell.
func whatRan(state []byte, programs []string) (rest []byte, ran []string) {
	for _, name := range slices.Backward(programs) {
		if cut, ok := bytes.CutSuffix(state, []byte(ranMark+name+"\x00")); ok {
			state, ran = cut, append(ran, name)
		}
	}
	return state, ran
}

// remember stores the shell's farewell: it was written inside the box and is trusted only about the box.
func (b *Box) remember(state []byte) {
	parts := strings.Split(string(state), "\x00")
	if len(parts) < 2 {
		return
	}
	if at, err := b.place(parts[0]); err == nil && parts[0] != "" {
		b.cwd = at
	}
	env := map[string]string{}
	for _, p := range parts[1:] {
		k, v, ok := strings.Cut(p, "=")
		if ok && variable.MatchString(k) && k != "_" && k != "SHLVL" && k != "PWD" {
			env[k] = v
		}
	}
	b.env = env
}

// running is one running line.
type running struct {
	box            *Box
	stdout, stderr io.Writer // also get the output as it comes; may be nil
	stdin          io.Reader // of a program that is talked to; nil for others
	mu             sync.Mutex
	why            string
	frozen         bool
	idle           time.Duration // that it was frozen, until the last thaw
	since          time.Time     // of the last freeze
	pid            int           // of the first process in the box
	cmd            *exec.Cmd
	family         // how this system finds what belongs to it
}

// input is the standard input of the first process in the box: the order, and after it the program's input. The file
// is its end; close ends the input.
func (r *running) input(told []byte) (in io.Reader, close func(), err error) {
	if r.stdin == nil {
		return bytes.NewReader(told), func() {}, nil
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	go func() { // it ends when the program does, or at the end of its input
		if _, err := ours.Write(told); err == nil {
			_, _ = io.Copy(ours, r.stdin)
		}
		ours.Close()
	}()
	return theirs, func() { theirs.Close() }, nil
}

// blame records why the line was ended; the first reason counts.
func (r *running) blame(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why == "" {
		r.why = why
	}
}

// bounded keeps a limited amount and ends the line at more.
type bounded struct {
	r    *running
	also io.Writer
	max  int64
	buf  bytes.Buffer
	over bool
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.r.stdin != nil { // an interactive program has no bound, and nobody needs all of its output
		if w.also != nil {
			return w.also.Write(p)
		}
		return len(p), nil
	}
	left := w.max - int64(w.buf.Len())
	kept := p[:min(int64(len(p)), left)]
	w.buf.Write(kept)
	if w.also != nil && len(kept) > 0 {
		_, _ = w.also.Write(kept)
	}
	if int64(len(p)) > left && !w.over {
		w.over = true
		w.r.kill(KilledOutput)
	}
	return len(p), nil
}

// maxState bounds the shell's farewell, in bytes.
const maxState = 256 << 10

func (r *running) result(began time.Time, waited, gone error, out, errs *bounded, state []byte) (Result, []byte, error) {
	res := Result{Stdout: out.buf.Bytes(), Stderr: errs.buf.Bytes(), Took: time.Since(began), ExitCode: r.cmd.ProcessState.ExitCode()}
	r.mu.Lock()
	res.Killed = r.why
	r.mu.Unlock()
	state, begun := bytes.CutPrefix(state, []byte(ready))
	var exit *exec.ExitError
	switch {
	case gone != nil:
		return res, nil, fault.Wrap(gone, fault.Internal, "what ran in the sandbox could not be ended")
	case res.Killed != "":
		res.ExitCode = -1
		return res, nil, nil
	case !begun:
		return res, nil, fault.Wrap(errors.New(strings.TrimSpace(errs.buf.String())), fault.SandboxUnavailable,
			"the sandbox cannot be started").WithHint(remedy())
	case waited != nil && !errors.As(waited, &exit) && !errors.Is(waited, exec.ErrWaitDelay):
		return res, nil, fault.Wrap(waited, fault.Internal, "the sandbox's end was not seen")
	}
	return res, state, nil
}
