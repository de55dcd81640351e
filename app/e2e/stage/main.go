// Package main is the stage of the pages' end-to-end test: a home of its own, an order desk, a real daemon, a login
// for a browser and the demo's person, who demonstrates on request. It speaks JSON lines.
//
// Once everything is ready it prints {"url", "site", "shell", "downloads", "agent", "codes", "home", "run", "notes",
// "calendar", "registry"} on standard output. notes and calendar are addresses of services that can be connected, the second
// of which requires a sign-in (services.go); registry is the host of a registry of skills; home and run are this person's
// HOME and XDG_RUNTIME_DIR; codes is a file to which the terminal that asked for the login is copied, so that a test can read
// the codes that a person would read there; agent is a program that asks a question and reports one command, for practice;
// with --keychain this person has a keychain, and bus is its address.
//
// On standard input it accepts "perform" (answers {"done":true} or {"error"}), "kill" (kills the daemon at once;
// answers {"done":true}), "start" (starts the daemon again, with a new login; answers {"url", "codes"}), "change"
// (the notes offer another tool from now on; answers {"done":true}), and it ends with the input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"

	"showhow/daemon/client"
	"showhow/demo/driver"
	"showhow/demo/orderdesk"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

type stage struct {
	self string
	dir  string
	out  *json.Encoder
	desk *orderdesk.Desk
	site string
	*services

	in      *json.Encoder // to the person
	reports *json.Decoder

	daemon  *exec.Cmd
	logins  int
	agent   string
	bus     string // the address of a bus with a keychain; "" where there is none
	started []*exec.Cmd
}

func run(ctx context.Context) error {
	self, err := filepath.Abs(os.Args[1])
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "showhow-stage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	s := &stage{self: self, dir: dir, out: json.NewEncoder(os.Stdout)}
	defer func() {
		stop()
		for _, c := range s.started {
			c.Wait()
		}
	}()
	if err := s.furnish(); err != nil {
		return err
	}
	if s.services, err = openServices(); err != nil {
		return err
	}
	if err := s.hire(); err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(s.agent))
	person, tty, err := s.startPerson(ctx)
	if err != nil {
		return err
	}
	s.started = append(s.started, person)
	if slices.Contains(os.Args[2:], "--keychain") {
		if err := s.keychain(ctx); err != nil {
			return err
		}
	}
	c := client.Unix(filepath.Join(s.dir, "run", "showhow", "daemon.sock"))
	url, err := s.startDaemon(ctx, c)
	if err != nil {
		return err
	}
	s.out.Encode(map[string]string{"url": url, "site": s.site, "shell": tty, "downloads": s.downloads(), "agent": s.agent, "codes": s.codes(),
		"home": s.home(), "run": filepath.Join(s.dir, "run"), "bus": s.bus, "notes": s.notes, "calendar": s.calendar, "registry": s.registry})
	return s.serve(ctx, c)
}

// keychain gives this person a keychain on a separate bus, if those programs are installed.
func (s *stage) keychain(ctx context.Context) error {
	for _, p := range []string{"dbus-daemon", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(p); err != nil {
			return nil
		}
	}
	s.bus = "unix:path=" + filepath.Join(s.dir, "run", "bus")
	bus := s.program(ctx, "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address="+s.bus)
	chain := s.program(ctx, "gnome-keyring-daemon", "--unlock", "--foreground", "--components=secrets")
	chain.Stdin = strings.NewReader("pw") // of a keychain that is made with it
	if err := bus.Start(); err != nil {
		return err
	}
	s.started = append(s.started, bus)
	var conn *dbus.Conn
	defer func() {
		if conn != nil {
			conn.Close()
		}
	}()
	if err := until(ctx, func() (ok bool) { var err error; conn, err = dbus.Connect(s.bus); return err == nil }); err != nil {
		return err
	}
	if err := chain.Start(); err != nil {
		return err
	}
	s.started = append(s.started, chain)
	return until(ctx, func() (there bool) {
		err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&there)
		return err == nil && there
	})
}

// startDaemon starts it and logs in.
func (s *stage) startDaemon(ctx context.Context, c *client.Client) (url string, err error) {
	s.daemon = s.command(ctx, "daemon", "--json")
	if s.logins > 0 { // a demo's daemon wants a home that nobody lived in
		s.daemon.Env = slices.DeleteFunc(s.daemon.Env, func(v string) bool { return strings.HasPrefix(v, "SHOWHOW_DEMO_") })
	}
	if err := s.daemon.Start(); err != nil {
		return "", err
	}
	s.started = append(s.started, s.daemon)
	if err := until(ctx, func() bool { _, err := c.Version(ctx); return err == nil }); err != nil {
		return "", err
	}
	s.logins++
	terminal, url, err := s.login(ctx)
	if err == nil {
		s.started = append(s.started, terminal)
	}
	return url, err
}

// hire writes the agent's program where every account may read it: in the sandbox another account runs it.
func (s *stage) hire() error {
	dir, err := os.MkdirTemp("", "showhow-agent-")
	if err != nil {
		return err
	}
	s.agent = filepath.Join(dir, "helper")
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.agent, []byte(`#!/bin/sh
echo "reading the brief"
month=$(showhow-ask "Which month is meant?") || exit 1
echo "working on $month"
echo "$month" > report.csv
printf '{"tool":"shell","command":"echo month > `+
		`report.csv","cwd":"/home/work","outcome":"ok","exit_code":0,"files":[{"path":"/home/work/report.csv","change":"created","size":9}]}' |
  showhow hook generic --agent "$(ls ~/.local/state/showhow/receipts)"
`), 0o755)
}

// serve follows orders until standard input ends.
func (s *stage) serve(ctx context.Context, c *client.Client) error {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			lines <- in.Text()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, ok := <-lines:
			switch {
			case !ok:
				return nil
			case line == "kill":
				s.daemon.Process.Kill()
				s.daemon.Wait()
				s.out.Encode(map[string]bool{"done": true})
			case line == "start":
				url, err := s.startDaemon(ctx, c)
				if err != nil {
					return err
				}
				s.out.Encode(map[string]string{"url": url, "codes": s.codes()})
			case line == "change":
				s.change()
				s.out.Encode(map[string]bool{"done": true})
			case line == "perform":
				if err := s.perform(ctx, c); err != nil {
					s.out.Encode(map[string]string{"error": err.Error()})
				} else {
					s.out.Encode(map[string]bool{"done": true})
				}
			}
		}
	}
}

// furnish creates the home and opens the desk.
func (s *stage) furnish() error {
	for _, d := range []string{s.downloads(), filepath.Join(s.dir, "run"), filepath.Join(s.home(), ".config", "showhow")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	config := "idle_exit_minutes = 0\n\n[[targets]]\nname = \"agents\"\ndir = \"~/.agents/skills\"\n"
	if err := os.WriteFile(filepath.Join(s.home(), ".config", "showhow", "config.toml"), []byte(config), 0o600); err != nil {
		return err
	}
	s.desk = orderdesk.New(7)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.site = l.Addr().String()
	srv := &http.Server{Handler: s.desk.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(l)
	return nil
}

func (s *stage) home() string      { return filepath.Join(s.dir, "home") }
func (s *stage) downloads() string { return filepath.Join(s.home(), "Downloads") }
func (s *stage) codes() string     { return filepath.Join(s.dir, fmt.Sprintf("terminal-%d.log", s.logins)) }

// command runs the program in the stage's own home; it is asked to end when ctx does.
func (s *stage) command(ctx context.Context, args ...string) *exec.Cmd {
	return s.program(ctx, s.self, args...)
}

func (s *stage) program(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = []string{"HOME=" + s.home(), "XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"), "TMPDIR=" + s.dir, "SHELL=/bin/bash",
		"TERM=xterm", "LANG=C.UTF-8",
		"PATH=" + os.Getenv("PATH"), "SHOWHOW_DEMO_GRANT=stage-stage-stage-stage-stage-stage", "SHOWHOW_DEMO_BROWSER=1",
		"SHOWHOW_DEMO_DOWNLOADS=" + s.downloads()}
	if s.bus != "" {
		cmd.Env = append(cmd.Env, "DBUS_SESSION_BUS_ADDRESS="+s.bus)
	}
	if b := os.Getenv("SHOWHOW_BROWSER"); b != "" {
		cmd.Env = append(cmd.Env, "SHOWHOW_BROWSER="+b)
	}
	cmd.Dir = s.home()
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	return cmd
}

func (s *stage) startPerson(ctx context.Context) (*exec.Cmd, string, error) {
	cmd := s.command(ctx, "demo", "drive")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	s.in, s.reports = json.NewEncoder(in), json.NewDecoder(out)
	var ready driver.Report
	if err := s.reports.Decode(&ready); err != nil {
		return nil, "", err
	}
	return cmd, ready.TTY, nil
}

// login asks for a login in a terminal of its own, as a person would, and keeps that terminal open: confirmations
// appear there.
func (s *stage) login(ctx context.Context) (*exec.Cmd, string, error) {
	cmd := s.program(ctx, "script", "--quiet", "--flush", "--return", "--command",
		"unset SHOWHOW_DEMO_GRANT; '"+s.self+"' open; exec sleep 3600", s.codes())
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/#code=\S+`)
	var url string
	err := until(ctx, func() bool {
		b, _ := os.ReadFile(s.codes())
		url = string(address.Find(b))
		return url != ""
	})
	return cmd, url, err
}

// perform has the person do the task in the managed browser and the shell.
func (s *stage) perform(ctx context.Context, c *client.Client) error {
	desk := "http://" + s.site + "/"
	opened, err := c.OpenBrowser(ctx, desk)
	if err != nil {
		return err
	}
	orders := s.desk.Orders()
	plan := driver.PlanFor(orders[len(orders)/2], desk, s.downloads())
	if err := s.in.Encode(driver.Order{Order: "perform", DebugURL: opened.DebugURL, Plan: plan}); err != nil {
		return err
	}
	for {
		var r driver.Report
		if err := s.reports.Decode(&r); err != nil {
			return err
		}
		switch r.Report {
		case "done":
			return nil
		case "error":
			return fmt.Errorf("%s: %s", r.Step, r.Error)
		}
	}
}

func until(ctx context.Context, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for !ok() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("not within a minute")
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}
