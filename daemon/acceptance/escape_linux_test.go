package acceptance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
)

// attempt has an agent try something; what it prints is what it got.
func (l *lab) attempt(lines string, r client.SandboxRunRequest) (client.SandboxRun, string) {
	l.t.Helper()
	r.Command = l.agentScript("set +e\n" + lines)
	run := l.perform(r)
	o := got(l.c.SandboxRunOutput(l.t.Context(), run.RunID, 0))(l.t)
	return run, o.Text
}

// What an agent cannot be kept from beginning is bounded.
func TestRunsAreBounded(t *testing.T) {
	l := newLab(t)
	for _, c := range []struct {
		name, lines, reason string
		limits              client.SandboxRunLimits
	}{
		{"fork without end", "f() { f | f & }; f; while :; do sleep 0.1; done\n", "timeout", client.SandboxRunLimits{Seconds: 3, Processes: 40}},
		{"fill the disk", "while :; do head -c 1000000 /dev/zero >> big.$RANDOM; done\n", "disk", client.SandboxRunLimits{DiskMB: 20}},
		{"fill the memory", "x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 600\n", "memory", client.SandboxRunLimits{MemoryMB: 64}},
		{"talk without end", "yes\n", "output", client.SandboxRunLimits{OutputKB: 64}},
		{"take its time", "trap '' TERM HUP INT; setsid sleep 600 & sleep 600\n", "timeout", client.SandboxRunLimits{Seconds: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, _ := l.attempt(c.lines, client.SandboxRunRequest{Limits: c.limits})
			if run.State != "failed" || run.ReasonCode != c.reason || run.Retryable != (c.reason == "timeout") {
				t.Errorf("%s %s %v", run.State, run.ReasonCode, run.Retryable)
			}
		})
	}
}

// Nothing of a run is left when it has ended: no process, no folder; and a run that a restart interrupts can be repeated.
func TestNothingIsLeftOfARun(t *testing.T) {
	l := newLab(t)
	runs := filepath.Join(l.o.Roots.State, "runs")
	none := func() bool { e, _ := os.ReadDir(runs); return len(e) == 0 }
	mark := fmt.Sprintf("showhow-left-%d", time.Now().UnixNano())
	r := l.perform(client.SandboxRunRequest{
		Command: l.agentScript("setsid nohup sh -c 'while :; do sleep 0.1; done; : " + mark + "' >/dev/null 2>&1 &\nsleep 0.2\n")})
	if r.State != "succeeded" {
		t.Errorf("%+v", r)
	}
	l.until("the folder is gone", none)
	gone := func() bool {
		all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, f := range all {
			if raw, _ := os.ReadFile(f); strings.Contains(string(raw), mark) {
				return false
			}
		}
		return true
	}
	l.until("the process is gone", gone)

	id := l.start(client.SandboxRunRequest{Command: l.agentScript("echo begun; sleep 600\n")}).RunID
	l.until("it begins", func() bool {
		return strings.Contains(got(l.c.SandboxRunOutput(t.Context(), id, 0))(t).Text, "begun")
	})
	l.stop()
	must(t, l.world.start())
	c := client.Unix(l.o.Roots.Socket())
	again := got(c.SandboxRun(t.Context(), id))(t)
	if again.State != "failed" || !again.Retryable || again.ReasonCode != "daemon_restart" || !none() {
		t.Errorf("%+v", again)
	}
}

// Credentials: by names that the approved skill declares, after a person's word; never in a record, a log or the output.
func TestCredentialsOfARun(t *testing.T) {
	const value = "canary-agentmail-7291"
	l := newLab(t, withSecrets(fakeSecrets{"agentmail_api_key": value, "other_key": "canary-other-key"}))
	sent := l.agentmail(200)
	a := l.learned("api.agentmail.test")
	use := l.agentScript(`curl -sf -H "Authorization: $AGENTMAIL_API_KEY" -d x http://api.agentmail.test/v1/send; echo "key ` +
		`$AGENTMAIL_API_KEY other ${OTHER_KEY:-none}"; env | grep -c CANARY || true
`)
	_, err := l.c.StartSandboxRun(t.Context(), client.SandboxRunRequest{
		Command: use, Skill: "agentmail", Credentials: []string{"agentmail_api_key"}})
	refused(t, err, "FORBIDDEN") // nobody approved it
	a = got(l.c.Ability(t.Context(), a.AbilityID))(t)
	p := a.Permissions
	p.Credentials = []string{"agentmail_api_key"}
	got(l.c.ApproveAbility(t.Context(), a.AbilityID, client.AbilityApproval{ContentHash: a.ContentHash, Permissions: &p}))(t)
	_, err = client.Unix(l.o.Roots.Socket()).StartSandboxRun(t.Context(), client.SandboxRunRequest{Command: use, Skill: "agentmail"})
	refused(t, err, "PRESENCE_REQUIRED")
	_, err = l.c.StartSandboxRun(t.Context(), client.SandboxRunRequest{Command: use, Skill: "agentmail", Credentials: []string{"other_key"}})
	refused(t, err, "FORBIDDEN")
	r := l.perform(client.SandboxRunRequest{Command: use, Skill: "agentmail"})
	o := got(l.c.SandboxRunOutput(t.Context(), r.RunID, 0))(t)
	if r.State != "succeeded" || len(r.Credentials) != 1 || len(sent()) != 1 || !strings.Contains(sent()[0], value) {
		t.Fatalf("%+v %v", r, sent())
	}
	if strings.Contains(o.Text, value) || !strings.Contains(o.Text, "other none") {
		t.Errorf("%q", o.Text)
	}
	l.searched("a credential", value, "canary-other-key")
}
