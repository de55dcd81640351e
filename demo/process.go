package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"showhow/demo/driver"
	"showhow/internal/syncbuf"
)

// process is a program that the demo starts and ends.
type process struct {
	cmd    *exec.Cmd
	errors syncbuf.Buffer
	ended  chan struct{}
	err    error
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	cmd.Stderr = &p.errors
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// until waits until the condition holds or the process has ended.
func (p *process) until(ctx context.Context, limit time.Duration, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !ok() {
		select {
		case <-p.ended:
			return fmt.Errorf("it ended: %s", bytes.TrimSpace(p.errors.Bytes()))
		case <-ctx.Done():
			return fmt.Errorf("not within %s", limit)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// stop asks the process to end and kills it if it does not in time.
func (p *process) stop(limit time.Duration) {
	p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.ended:
	case <-time.After(limit):
		p.cmd.Process.Kill()
		<-p.ended
	}
}

// person is the driver, a separate process.
type person struct {
	*process
	in      io.WriteCloser
	reports chan driver.Report
}

func startPerson(cmd *exec.Cmd) (*person, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, w := io.Pipe()
	cmd.Stdout = w
	proc, err := startProcess(cmd)
	if err != nil {
		return nil, err
	}
	p := &person{process: proc, in: in, reports: make(chan driver.Report, 64)}
	go func() {
		<-proc.ended
		w.Close()
	}()
	go func() {
		defer close(p.reports)
		for dec := json.NewDecoder(out); ; {
			var rep driver.Report
			if dec.Decode(&rep) != nil {
				io.Copy(io.Discard, out)
				return
			}
			p.reports <- rep
		}
	}()
	return p, nil
}

// next waits for the next report.
func (p *person) next(ctx context.Context, limit time.Duration) (driver.Report, error) {
	select {
	case rep, ok := <-p.reports:
		if !ok {
			return rep, fmt.Errorf("the person went away: %s", bytes.TrimSpace(p.errors.Bytes()))
		}
		if rep.Report == "error" {
			return rep, fmt.Errorf("%s: %s", rep.Step, rep.Error)
		}
		return rep, nil
	case <-time.After(limit):
		return driver.Report{}, fmt.Errorf("the person did nothing for %s", limit)
	case <-ctx.Done():
		return driver.Report{}, ctx.Err()
	}
}

func (p *person) order(o driver.Order) error { return json.NewEncoder(p.in).Encode(o) }

func (p *person) end() {
	p.order(driver.Order{Order: "end"})
	p.in.Close()
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		p.stop(5 * time.Second)
	}
}
