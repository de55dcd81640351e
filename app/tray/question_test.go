//go:build linux

package tray

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/app/apptest"
	"showhow/daemon/client"
	"showhow/daemon/sandbox"
)

// agent starts a scripted agent in the sandbox and returns the run once it asks.
func agent(w *apptest.World, lines string) client.SandboxRun {
	w.T.Helper()
	name := filepath.Join(w.Options.Roots.Home, "agents", "scripted")
	must(w.T, os.MkdirAll(filepath.Dir(name), 0o755))
	must(w.T, os.WriteFile(name, []byte("#!/bin/bash\nset -eu\n"+lines), 0o755))
	must(w.T, os.Chmod(name, 0o755)) // root's sandbox is another account
	r, err := w.Client.StartSandboxRun(w.T.Context(), client.SandboxRunRequest{Command: []string{name}})
	must(w.T, err)
	return run(w, r.RunID, func(r client.SandboxRun) bool { return r.Question != nil })
}

func run(w *apptest.World, id string, ok func(client.SandboxRun) bool) (r client.SandboxRun) {
	w.T.Helper()
	until(w.T, "the run", func() bool {
		var err error
		r, err = w.Client.SandboxRun(w.T.Context(), id)
		must(w.T, err)
		return ok(r) || r.State.Ended()
	})
	return r
}

func TestARunsQuestionIsAnsweredByAPersonAlone(t *testing.T) {
	t.Parallel()
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	id := agent(w, "showhow-ask --domain api.moved.test 'The API\nmoved'\nshowhow-ask 'Which team?' || exit 0\n").RunID
	ask := "The agent “scripted” asks to reach api.moved.test"
	allow := h.shows(ask + "/Allow in this run")
	h.shows(ask + "/It says: “The API moved”")
	until(t, "the sign that something waits", func() bool { return h.get("Status").Value() == "NeedsAttention" })
	if !strings.Contains(h.tooltip(), "waits for your answer") {
		t.Errorf("the tooltip says %q", h.tooltip())
	}

	// An agent's program on the session bus sends the same click.
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "CLAUDECODE=1", fmt.Sprintf("%s=%s %s %d", clickEnv, address, h.item(), allow))
	must(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	h.shows("Not done: the click was not a person's")
	if r := run(w, id, func(client.SandboxRun) bool { return true }); r.State != "waiting" || len(r.GrantedHosts) > 0 {
		t.Fatalf("an agent answered for the person: %s, %v", r.State, r.GrantedHosts)
	}

	h.click(allow)
	r := run(w, id, func(r client.SandboxRun) bool { return r.Question != nil && r.Question.Kind == "input" })
	if len(r.GrantedHosts) != 1 || !strings.HasPrefix(r.GrantedHosts[0], "api.moved.test") {
		t.Fatalf("the person allowed the host, the run got %v and is %s", r.GrantedHosts, r.State)
	}
	h.click(h.shows("The agent “scripted” asks you something/Refuse"))
	if r = run(w, id, func(r client.SandboxRun) bool { return r.State.Ended() }); r.State != "succeeded" {
		t.Fatalf("it ended %s: %s", r.State, r.Reason)
	}
	until(t, "the end of waiting", func() bool { return h.get("Status").Value() == "Active" })
}
