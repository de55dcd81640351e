package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Order is an order of the parent.
type Order struct {
	Order    string `json:"order"`               // perform, end
	DebugURL string `json:"debug_url,omitempty"` // the browser's ws:// address, or the http:// address of its debugging port
	Plan     Plan   `json:"plan,omitzero"`
}

// Report is a report to the parent.
type Report struct {
	Report  string `json:"report"` // ready, step, done, error
	TTY     string `json:"tty,omitempty"`
	PID     int    `json:"pid,omitempty"` // of the shell
	Step    string `json:"step,omitempty"`
	Watched bool   `json:"watched,omitempty"` // the shell's prompt showed the mark
	File    string `json:"file,omitempty"`    // base name of what was downloaded
	Error   string `json:"error,omitempty"`
}

// Config is the person's configuration.
type Config struct {
	Home     string        // of the shell; a .bashrc with the hook is written there when there is none
	Showhow  string        // absolute path of the program, for that .bashrc
	Env      []string      // of the shell; nil means this process's
	Pace     time.Duration // between keys; 0 means 18 ms, brisk for a person
	Patience time.Duration // how long to look for what should appear; 0 means 20 s
}

func (c Config) pace() time.Duration {
	if c.Pace > 0 {
		return c.Pace
	}
	return 18 * time.Millisecond
}

func (c Config) patience() time.Duration {
	if c.Patience > 0 {
		return c.Patience
	}
	return 20 * time.Second
}

// reporter writes reports, one line each.
type reporter struct {
	mu  sync.Mutex
	enc *json.Encoder
	err error
}

func (r *reporter) send(rep Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = r.enc.Encode(rep)
	}
}

// Run starts the shell and follows orders until the end of in, an "end", or the end of ctx. An order that fails is
// reported and the next one awaited; the returned error concerns the set-up or the connection to the parent. If ctx
// ends, the reader of in is left behind until in ends: the process is expected to exit.
func Run(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	r := &reporter{enc: json.NewEncoder(out)}
	sh, err := startShell(ctx, c)
	if err != nil {
		r.send(Report{Report: "error", Step: "start the shell", Error: err.Error()})
		return err
	}
	defer sh.close()
	r.send(Report{Report: "ready", TTY: sh.tty, PID: sh.cmd.Process.Pid})
	orders, readErr := readOrders(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o, ok := <-orders:
			if !ok {
				if err := <-readErr; err != nil {
					return fmt.Errorf("reading orders: %w", err)
				}
				return r.err
			}
			if o.Order == "end" {
				return r.err
			}
			follow(ctx, o, r, sh, c)
		}
	}
}

func readOrders(ctx context.Context, in io.Reader) (<-chan Order, <-chan error) {
	orders, failed := make(chan Order), make(chan error, 1)
	go func() {
		defer close(orders)
		dec := json.NewDecoder(in)
		for {
			var o Order
			if err := dec.Decode(&o); err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				failed <- err
				return
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				failed <- nil
				return
			}
		}
	}()
	return orders, failed
}

// follow performs one order and reports the result.
func follow(ctx context.Context, o Order, r *reporter, sh *shell, c Config) {
	p := &person{c: c, shell: sh, plan: o.Plan.withDefaults(), report: r}
	err := errors.New("no such order")
	if o.Order == "perform" {
		err = p.perform(ctx, o.DebugURL)
	}
	if err != nil {
		r.send(Report{Report: "error", Step: p.step, Error: err.Error()})
		return
	}
	r.send(Report{Report: "done", Watched: p.watched, File: p.file})
}
