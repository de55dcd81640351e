//go:build unix

package cli_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"showhow/app/e2e/calendar"
	"showhow/daemon/client"
	"showhow/daemon/sandbox"
)

// The scripts run the real program with a real daemon, each in a home of its own. Beside testscript's own commands:
//
//	exit CODE PROGRAM ARG...     run a program, which must end with this exit code
//	api PATH FILE                write the body that the daemon answers to GET PATH
//	same FILE FILE               a printed body and the API's are the same
//	registry NAME                serve a registry of skills on this machine, whose address is then in the variable NAME;
//	                             what is in team/ is also in mirror/ and in mirror2/
//	calendar NAME                serve a calendar that requires a sign-in, whose address is then in the variable NAME
//	visit FILE                   go to the calendar's sign-in that FILE comes to name, and allow it
//	pushes KEY REF FILE          somebody else pushes a SKILL.md to a registry, signed with the key of this name; - is no key
//	pack FILE FOLDER             zip what is in a folder
//	tty SCRIPT PROGRAM ARG...    run a program on a terminal as the lines of SCRIPT say (tty_test.go); its output is in tty.out
//
// The condition [sandbox] holds where this machine lets programs be put into one.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		Setup:               home,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "sandbox" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return sandbox.Probe() == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exit": exitCode, "api": apiBody, "same": sameBody, "tty": onTerminal, "registry": skillRegistry,
			"calendar": openCalendar, "visit": visit,
			"pushes": pushes, "pack": pack,
		},
	})
}

func pack(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	z := zip.NewWriter(f)
	ts.Check(z.AddFS(os.DirFS(ts.MkAbs(args[1]))))
	ts.Check(errors.Join(z.Close(), f.Close()))
}

// home creates a home with showhow on its PATH, and ends the daemon afterwards.
func home(env *testscript.Env) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bin := filepath.Join(env.WorkDir, ".bin")
	run, err := os.MkdirTemp("", "sh") // short: the path of a socket has 104 bytes
	if err != nil {
		return err
	}
	for _, dir := range []string{bin, filepath.Join(env.WorkDir, "home")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := os.Symlink(self, filepath.Join(bin, "showhow")); err != nil {
		return err
	}
	env.Vars = []string{
		"HOME=" + filepath.Join(env.WorkDir, "home"), "XDG_RUNTIME_DIR=" + run, "WORK=" + env.WorkDir, "TMPDIR=" + env.WorkDir,
		"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "TERM=xterm", "LANG=C.UTF-8", "SHELL=/bin/bash", asShowhow + "=1",
		"SHOWHOW_HOOK_PATIENCE=50", // a script waits longer than an agent
		"GORACE=atexit_sleep_ms=0", // each command is a process of its own
	}
	env.Defer(func() {
		cmd := exec.Command(self, "daemon", "stop")
		cmd.Env = env.Vars
		cmd.Run() // fails when the script has ended it
		os.RemoveAll(run)
	})
	return nil
}

func openCalendar(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: calendar NAME")
	}
	address, err := calendar.Serve()
	ts.Check(err)
	ts.Setenv(args[0], address)
}

var (
	signIn = regexp.MustCompile(`https?://\S+/authorize\?\S+`)
	allow  = regexp.MustCompile(`href="([^"]+)">Allow`)
)

// visit is the browser of the person who signs in.
func visit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: visit FILE")
	}
	named := func() string {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			ts.Check(err)
		}
		return signIn.FindString(string(b))
	}
	address := named()
	for deadline := time.Now().Add(ttyTime); address == ""; address = named() {
		if time.Now().After(deadline) {
			ts.Fatalf("%s names no sign-in", args[0])
		}
		time.Sleep(5 * time.Millisecond) // poll:
	}
	page := got(ts, address)
	m := allow.FindStringSubmatch(page)
	if m == nil {
		ts.Fatalf("nothing can be allowed there:\n%s", page)
	}
	got(ts, html.UnescapeString(m[1]))
}

func got(ts *testscript.TestScript, address string) string {
	r, err := http.Get(address)
	ts.Check(err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	ts.Check(err)
	if r.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s\n%s", address, r.Status, b)
	}
	return string(b)
}

func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func apiBody(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: api PATH FILE")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := client.Unix(filepath.Join(ts.Getenv("XDG_RUNTIME_DIR"), "showhow", "daemon.sock"))
	body, err := c.Raw(ctx, "GET", args[0], nil)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), body, 0o600))
}

// environment is the script's.
func environment(ts *testscript.TestScript) (env []string) {
	for _, k := range []string{"HOME", "XDG_RUNTIME_DIR", "WORK", "TMPDIR", "PATH", "TERM", "LANG", "SHELL", "DBUS_SESSION_BUS_ADDRESS",
		"CLAUDECODE", "SHOWHOW_TOKEN", "GORACE", asShowhow} {
		if v := ts.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// sameBody compares a printed body with the API's, except for the final newline.
func sameBody(ts *testscript.TestScript, neg bool, args []string) {
	got, want := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if strings.TrimSpace(got) != strings.TrimSpace(want) || strings.Count(got, "\n") != 1 {
		ts.Fatalf("printed:\n%s\nthe API answers:\n%s", got, want)
	}
}
