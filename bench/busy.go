package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/demo/orderdesk"
)

// How long a capturing daemon is watched while idle, and while somebody works.
const (
	stillTime = 10 * time.Second
	busyTime  = 20 * time.Second
)

// busy measures the daemon while a session captures with browser, shell, programs and a folder in its scope: first
// idle, then while a person (a separate process) works without a pause at the demo's order desk and in a shell, and
// starts programs. Memory is the maximum seen in that time. The browser is another program and not counted.
func busy(ctx context.Context, bin, dir string, samples map[string][]float64) error {
	o := &office{home: filepath.Join(dir, "home"), run: filepath.Join(dir, "run"), bin: bin, grant: rand.Text() + rand.Text()}
	defer o.close()
	if err := o.open(ctx); err != nil {
		return err
	}
	if err := o.arm(ctx); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // let the pages settle: this is a wait for quiet, not for a state
	still := o.daemon.watch(ctx, stillTime, nil)
	samples["capture_idle_cpu_pct"] = append(samples["capture_idle_cpu_pct"], still.cpu)
	samples["capture_idle_rss_mb"] = append(samples["capture_idle_rss_mb"], still.rss)

	var failed error
	rounds := 0
	done := make(chan struct{})
	work, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer close(done)
		for ; work.Err() == nil; rounds++ {
			if failed = o.work(work, rounds); failed != nil {
				return
			}
		}
	}()
	worked := o.daemon.watch(ctx, busyTime, done)
	stop()
	kept, withheld, err := o.counts(ctx)
	o.person.Process.Kill() // it may be in the middle of something
	<-done
	if err != nil {
		return err
	}
	if rounds == 0 || kept < 10 {
		return fmt.Errorf("only %d observations of %d rounds: %w", kept, rounds, failed)
	}
	fmt.Fprintf(os.Stderr, "busy for %s: %d observations, %d withheld\n", busyTime, kept, withheld)
	samples["busy_cpu_pct"] = append(samples["busy_cpu_pct"], worked.cpu)
	samples["busy_rss_mb"] = append(samples["busy_rss_mb"], worked.rss)
	return nil
}

// load is a daemon's usage: percent of one core, and peak memory.
type load struct{ cpu, rss float64 }

// watch samples the daemon for a time, or until end is closed.
func (d *daemon) watch(ctx context.Context, t time.Duration, end <-chan struct{}) load {
	begin, before := time.Now(), d.cpu()
	var l load
	limit := time.After(t)
	for more := true; more; {
		l.rss = max(l.rss, d.rssMB())
		select {
		case <-ctx.Done():
			more = false
		case <-end:
			more = false
		case <-limit:
			more = false
		case <-time.After(250 * time.Millisecond):
		}
	}
	l.cpu = 100 * (d.cpu() - before).Seconds() / time.Since(begin).Seconds()
	return l
}

// office is a desk, a daemon in a home of its own, a person and a session.
type office struct {
	home, run, bin, grant string

	desk    *orderdesk.Desk
	server  *http.Server
	url     string
	site    string
	daemon  *daemon
	c       *client.Client
	person  *exec.Cmd
	orders  io.WriteCloser
	reports *json.Decoder
	tty     string
	session string
	debug   string
}

func (o *office) downloads() string { return filepath.Join(o.home, "Downloads") }

func (o *office) environ(more ...string) []string {
	env := []string{"HOME=" + o.home, "XDG_RUNTIME_DIR=" + o.run, "SHELL=/bin/bash", "TERM=xterm", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	for _, keep := range []string{"DISPLAY", "XAUTHORITY", "SHOWHOW_BROWSER"} {
		if v := os.Getenv(keep); v != "" {
			env = append(env, keep+"="+v)
		}
	}
	return append(env, more...)
}

func (o *office) open(ctx context.Context) error {
	for _, d := range []string{o.downloads(), o.run} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	o.desk = orderdesk.New(1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	o.server = &http.Server{Handler: o.desk.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go o.server.Serve(l)
	o.site = l.Addr().String()
	o.url = "http://" + o.site + "/"

	cmd := exec.CommandContext(ctx, o.bin, "daemon", "--json")
	cmd.Env = o.environ("SHOWHOW_DEMO_GRANT="+o.grant, "SHOWHOW_DEMO_BROWSER=1", "SHOWHOW_DEMO_DOWNLOADS="+o.downloads())
	if err := cmd.Start(); err != nil {
		return err
	}
	o.daemon = &daemon{cmd: cmd}
	sock := filepath.Join(o.run, "showhow", "daemon.sock")
	o.c = client.Unix(sock, client.WithDemoGrant(o.grant))
	for deadline := time.Now().Add(15 * time.Second); !answers(sock); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("the daemon did not answer")
		}
	}
	return o.seat(ctx)
}

// seat starts the person.
func (o *office) seat(ctx context.Context) (err error) {
	o.person = exec.CommandContext(ctx, o.bin, "demo", "drive")
	o.person.Env, o.person.Dir = o.environ(), o.home
	if o.orders, err = o.person.StdinPipe(); err != nil {
		return err
	}
	out, err := o.person.StdoutPipe()
	if err != nil {
		return err
	}
	o.reports = json.NewDecoder(out)
	if err := o.person.Start(); err != nil {
		return err
	}
	rep, err := o.report()
	o.tty = rep.TTY
	return err
}

func (o *office) report() (rep driver.Report, err error) {
	if err = o.reports.Decode(&rep); err == nil && rep.Report == "error" {
		err = fmt.Errorf("%s: %s", rep.Step, rep.Error)
	}
	return rep, err
}

// programs are what the person starts besides the desk's own commands; the scope names them.
var programs = []string{"wc", "cut", "grep", "sort", "gzip", "sha256sum", "true"}

func (o *office) arm(ctx context.Context) error {
	scope := client.Scope{Sites: []string{o.site}, Shells: []string{o.tty}, Apps: programs, Folders: []string{o.downloads()},
		Devices: []string{}}
	created, err := o.c.CreateSession(ctx, client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "outside_agent",
		Scope: &scope, Goal: "Work"})
	if err != nil {
		return err
	}
	o.session = created.Session.LearnSessionID
	started, err := o.c.StartSession(ctx, o.session)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "watching with", started.AdaptersArmed)
	opened, err := o.c.OpenBrowser(ctx, o.url)
	if err != nil {
		return err
	}
	o.debug = opened.DebugURL
	return nil
}

// work is one round of the person's work: change and export an order, run programs on the export.
func (o *office) work(ctx context.Context, round int) error {
	all := o.desk.Orders()
	p := driver.PlanFor(all[round%len(all)], o.url, o.downloads())
	p.Commands = append(slices.Clone(driver.DefaultCommands), "sort {file} > sorted.csv", "gzip -kf {file}", "sha256sum {file} > sum.txt",
		"for i in $(seq 100); do /bin/true; done")
	b, err := json.Marshal(driver.Order{Order: "perform", DebugURL: o.debug, Plan: p})
	if err != nil {
		return err
	}
	if _, err := o.orders.Write(append(bytes.TrimSpace(b), '\n')); err != nil {
		return err
	}
	for ctx.Err() == nil {
		rep, err := o.report()
		if err != nil || rep.Report == "done" {
			return err
		}
	}
	return nil
}

func (o *office) counts(ctx context.Context) (kept, withheld int64, err error) {
	s, err := o.c.ObservationScope(ctx, o.session)
	if err != nil {
		return 0, 0, err
	}
	if s.CaptureState != "capturing" {
		return 0, 0, fmt.Errorf("capture is %s (%s)", s.CaptureState, s.PauseReason)
	}
	for _, w := range s.Withheld {
		withheld += w.Count
	}
	return s.EventsKept, withheld, nil
}

func (o *office) close() {
	if o.person != nil && o.person.Process != nil {
		o.orders.Close()
		o.person.Process.Kill()
		o.person.Wait()
	}
	if o.daemon != nil {
		if err := o.daemon.stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if o.server != nil {
		o.server.Close()
	}
}
