package store

import (
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"
)

// The test binary is also the process that gets killed: with childRole set it plays that role instead of running
// tests.
const childRole = "SHOWHOW_STORE_CHILD"

var children = map[string]func(){}

func TestMain(m *testing.M) {
	if part, ok := children[os.Getenv(childRole)]; ok {
		part()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child prepares this test binary to play a role.
func child(part string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childRole+"="+part), env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// childMust ends a child that cannot play its role.
func childMust(err error) {
	if err != nil {
		println("child:", err.Error())
		os.Exit(3)
	}
}
