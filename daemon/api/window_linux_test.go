package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"showhow/daemon/api/caller"
)

// The window is known by its file, not by its name.
func TestRunsExactlyThisFile(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip("no cat")
	}
	content, err := os.ReadFile(cat)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for range 2 {
		p := filepath.Join(t.TempDir(), WindowProgram)
		if err := os.WriteFile(p, content, 0o700); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	cmd := exec.Command(paths[0])
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	if !caller.Runs(cmd.Process.Pid, paths[0]) {
		t.Error("the program itself is not recognised")
	}
	if caller.Runs(cmd.Process.Pid, paths[1]) || caller.Runs(cmd.Process.Pid, paths[0]+".gone") || caller.Runs(-1, paths[0]) {
		t.Error("another file of the same name is taken for it")
	}
}
