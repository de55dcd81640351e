package apps

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"showhow/bench/corpus/person"
)

//go:embed look.js
var look string

// Facts are what a program stores, by name.
type Facts map[string]string

// Values are the values of one run.
type Values map[string]string

// Input is an input that a person would expect.
type Input struct {
	Key   string
	Names []string // names one would accept
}

// Workflow is one task.
type Workflow struct {
	Name, Goal string
	Grave      bool // the deed cannot be taken back
	Inputs     []Input
	Values     func(n int) Values // 0 and 1 are demonstrated, from 2 on rehearsed
	Demo       func(p *person.Person, v Values)
	Expect     func(v Values) Facts // what changes; "" for what is gone
}

// App is one program.
type App struct {
	Name    string
	Needs   []string // commands, or files by their path, that have to be there
	From    string   // what brings them
	Version func(ctx context.Context) string
	// Start runs it with fresh data below dir at a local address.
	Start     func(ctx context.Context, dir, address string) (*Running, error)
	Workflows []Workflow
	Changes   func(message []byte) bool // whether a message through its socket changes something; nil: it has none, or none is known
}

// Running is a started program.
type Running struct {
	Facts func(ctx context.Context) (Facts, error)
	cmd   *exec.Cmd
	done  chan struct{}
	also  func() // ends what runs beside it
}

// Close ends it and waits for it.
func (r *Running) Close() {
	if r.cmd != nil {
		_ = r.cmd.Process.Kill()
		<-r.done
	}
	if r.also != nil {
		r.also()
	}
}

// Missing names the command that is not installed, "" if all are.
func (a App) Missing() string {
	for _, c := range a.Needs {
		if _, err := exec.LookPath(c); err != nil && !isFile(c) {
			return fmt.Sprintf("%s (%s)", c, a.From)
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && strings.HasPrefix(path, "/")
}

// Changed are the facts that are others now; "" for what is gone.
func Changed(before, after Facts) Facts {
	out := Facts{}
	for k, v := range after {
		if old, ok := before[k]; !ok || old != v {
			out[k] = v
		}
	}
	for k := range before {
		if _, ok := after[k]; !ok {
			out[k] = ""
		}
	}
	return out
}

// Address returns a free address, which stays the program's.
func Address() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// start runs a command until it answers at the address.
func start(ctx context.Context, address, path string, env []string, dir, name string, args ...string) (*Running, error) {
	answers := func(ctx context.Context) bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
		if err != nil {
			return false
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil
	}
	return startCommand(ctx, answers, env, dir, name, args...)
}

// startCommand runs a command until it is ready.
func startCommand(ctx context.Context, ready func(context.Context) bool, env []string, dir, name string, args ...string) (*Running, error) {
	r := &Running{cmd: exec.Command(name, args...), done: make(chan struct{})}
	r.cmd.Dir, r.cmd.Env = dir, append(os.Environ(), env...)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(r.done)
		_ = r.cmd.Wait()
	}()
	for limit := time.After(time.Minute); !ready(ctx); {
		select {
		case <-r.done:
			return nil, errors.New(name + " ended")
		case <-limit:
			r.Close()
			return nil, errors.New(name + " does not answer")
		case <-ctx.Done():
			r.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return r, nil
}

// until waits for a program's data; if they do not come, it ends the program.
func until(ctx context.Context, r *Running, ready func(context.Context) bool) error {
	for limit := time.After(20 * time.Second); !ready(ctx); {
		select {
		case <-limit:
			r.Close()
			return errors.New("its data are not as they should be at first")
		case <-ctx.Done():
			r.Close()
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

// command runs a command to its end and returns its output.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return string(out), nil
}

func at(selector, text, within string) person.Sight {
	return person.Sight{Script: look, Words: []string{selector, text, within}}
}

func some(n int, list ...string) string { return list[n%len(list)] }

// first is the first line of a command's version output.
func first(ctx context.Context, name string, args ...string) string {
	out, _ := exec.CommandContext(ctx, name, args...).CombinedOutput()
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// filesIn are the files and folders below a folder.
func filesIn(dir string) (Facts, error) {
	out := Facts{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			out[rel] = "folder"
			return nil
		}
		text, err := os.ReadFile(path)
		out[rel] = "file " + string(text)
		return err
	})
	return out, err
}
