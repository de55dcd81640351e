// Package acceptance_test holds the acceptance rows of DOC3 0C.25 and 0C.28 as tests called after them, through the public API of
// a whole daemon: daemon.Run with a store, capabilities and adapters as in daily use, the typed client over the Unix socket,
// and bash in a pseudo terminal as the person. Each test has a daemon in folders of its own.
//
// Two things are not as in daily use. What a person would confirm on a terminal is answered by the demo's grant, which the
// daemon takes because the test made the data directory (decisions D2); and the clock may be put forward (daemon.Test).
package acceptance_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"showhow/adapters/terminal"
	"showhow/cli"
)

// conformanceAt is where the conformance suite's fixture is built by the test that needs it first.
var conformanceAt = filepath.Join(os.TempDir(), "showhow-conformance-"+strconv.Itoa(os.Getpid()))

// roles are what else this binary can be, by the variable that says so.
var roles = map[string]func() int{}

// TestMain lets this binary stand for showhow, also as the shell's hook calls it, and for a daemon that gets killed.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "showhow" {
		os.Exit(cli.Main(os.Args[1:], cli.Programs{}))
	}
	if len(os.Args) == 4 && os.Args[1] == "shell-init" && os.Args[2] == "--nonblock" {
		fd, err := strconv.Atoi(os.Args[3])
		if err != nil || terminal.SetNonblock(fd) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	for name, play := range roles {
		if os.Getenv(name) != "" {
			os.Exit(play())
		}
	}
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Unsetenv("DBUS_SESSION_BUS_ADDRESS") // no test puts a key into somebody's keychain
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.Remove(conformanceAt)
		os.Exit(code)
	}))
}
