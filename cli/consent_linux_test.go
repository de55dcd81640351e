package cli_test

import (
	"fmt"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// A run waits for a person's yes, and accepts it from nobody else: not from an agent, its child or its terminal, not
// by a guess, not by a confirmation of something else or of an earlier question. Each attack leaves it waiting.
func TestOnlyAPersonAnswersARun(t *testing.T) {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	g := newGate(t)
	token := g.token()
	r, err := g.c.StartSandboxRun(t.Context(), client.SandboxRunRequest{Command: []string{"bash", "-c",
		"showhow-ask --domain one.example 'the first'; showhow-ask --domain two.example 'the second'; true"}})
	g.ok(err)
	asked := func(host string) client.SandboxRun {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			now, err := g.c.SandboxRun(t.Context(), r.RunID)
			g.ok(err)
			if now.Question != nil && now.Question.Host == host {
				return now
			}
			if now.State.Ended() {
				t.Fatalf("it ended: %+v", now)
			}
		}
		t.Fatal("it does not ask for " + host)
		return r
	}
	yes := func(q client.SandboxRun) attempt {
		return attempt{name: "allow " + q.Question.Host, method: "POST", at: "/api/agent-runs/" + r.RunID + "/answer",
			args: []string{"run", "answer", r.RunID, "--allow"}, more: func(_ *gate, m map[string]any) {
				m["question_id"], m["allow"] = q.Question.QuestionID, true
			}}
	}
	attack := func(a attempt, what string, want fault.Code, env []string, headers ...string) {
		t.Helper()
		if status, code := g.call(env, a.method, a.path(g), a.body(g), headers...); code != want || status != want.Spec().HTTP {
			t.Errorf("%s: %s: %d %s", a.name, what, status, code)
		}
	}
	child := []string{"CLAUDECODE=1"}
	first := yes(asked("one.example"))
	attack(first, "nobody confirms", fault.PresenceRequired, nil)
	attack(first, "an agent's token", fault.Forbidden, nil, "Authorization: Bearer "+token)
	attack(first, "an agent's child", fault.Forbidden, child)
	if shown, err := g.terminal(append([]string{asShowhow + "=1"}, child...), typing, first.args...); err == nil ||
		shownCode.MatchString(shown) {
		t.Errorf("an agent's terminal: %v\n%s", err, shown)
	}
	attack(first, "another's confirmation", fault.PresenceRejected, nil, "X-Showhow-Confirmation: "+g.confirmation(attempts[2]))
	good := g.confirmation(first)
	attack(first, "an agent with a person's confirmation", fault.Forbidden, child, "X-Showhow-Confirmation: "+good)
	if now := asked("one.example"); len(now.GrantedHosts) != 0 {
		t.Fatalf("an attack was an answer: %+v", now)
	}
	good = g.confirmation(first)
	if status, code := g.call(nil, first.method, first.path(g), first.body(g), "X-Showhow-Confirmation: "+good); status != 200 {
		t.Fatalf("a person: %d %s", status, code)
	}
	second := yes(asked("two.example"))
	attack(second, "the first one's confirmation again", fault.PresenceRejected, nil, "X-Showhow-Confirmation: "+good)
	attack(first, "the first answer again", fault.PresenceRejected, nil, "X-Showhow-Confirmation: "+good)
	if now := asked("two.example"); fmt.Sprint(now.GrantedHosts) != "[one.example]" {
		t.Errorf("granted %v", now.GrantedHosts)
	}
	_, err = g.c.CancelSandboxRun(t.Context(), r.RunID)
	g.ok(err)
}
