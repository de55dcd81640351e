package caller

import (
	"os"
	"slices"
	"testing"
	"time"

	"showhow/daemon/access"
)

func BenchmarkExamineACaller(b *testing.B) {
	a := NewAncestry(nil, 0)
	p := Peer{PID: os.Getpid(), alive: func() bool { return true }}
	for b.Loop() {
		a.Principal(p)
	}
}

// A pid that is in use again by the time it is examined must not lend its good name.
func TestAReusedPidIsNotTheCaller(t *testing.T) {
	table := fakeTable{100: {pid: 100, ppid: 1, session: 100, started: time.Unix(50, 0)}}
	a := Ancestry{procs: table}
	if p := a.Principal(Peer{PID: 100, accepted: time.Unix(49, 0)}); p.Kind != access.Agent {
		t.Error("a process that began after the connection was taken for the caller")
	}
	if p := a.Principal(Peer{PID: 100, accepted: time.Unix(60, 0)}); p.Kind != access.User {
		t.Error(p.Why)
	}
	if p := a.Principal(Peer{PID: 100, accepted: time.Unix(60, 0), alive: func() bool { return false }}); p.Kind != access.Agent {
		t.Error("a caller that is gone was taken for a person")
	}
	if p := a.Principal(Peer{PID: 0}); p.Kind != access.Agent {
		t.Error("a caller that is not visible was taken for a person")
	}
	if p := a.Principal(Peer{PID: 7}); p.Kind != access.Agent {
		t.Error("a caller that cannot be examined was taken for a person")
	}
}

func TestAParentLoopTerminates(t *testing.T) {
	table := fakeTable{
		2: {pid: 2, ppid: 3, session: 2, started: time.Unix(1, 0)},
		3: {pid: 3, ppid: 2, session: 2, started: time.Unix(1, 0)},
	}
	a := Ancestry{procs: table}
	if p := a.Principal(Peer{PID: 2, accepted: time.Unix(5, 0)}); p.Kind != access.Agent {
		t.Error("an endless ancestry was taken for a person")
	}
}

type fakeTable map[int]process

func (f fakeTable) process(pid int) (process, error) {
	if p, ok := f[pid]; ok {
		return p, nil
	}
	return process{}, errNoProcess
}

func TestFamilies(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	table := fakeTable{
		10: {pid: 10, ppid: 1, session: 10, started: at(1), name: "bash"},
		20: {pid: 20, ppid: 10, session: 10, started: at(2), name: "claude"},
		30: {pid: 30, ppid: 20, session: 10, started: at(3), name: "codex", env: []string{"CLAUDECODE=1"}},
		40: {pid: 40, ppid: 30, session: 10, started: at(4), name: "showhow",
			env: []string{"CLAUDECODE=1", "CODEX_THREAD_ID=x", "CODEX_HOME=/x"}},
		50: {pid: 50, ppid: 10, session: 10, started: at(5), name: "showhow"},
	}
	a := Ancestry{procs: table}
	if got := a.Families(Peer{PID: 40, accepted: at(9)}); !slices.Equal(got, []string{"codex", "claude-code"}) {
		t.Errorf("%v", got)
	}
	if got := a.Families(Peer{PID: 50, accepted: at(9)}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := a.Families(Peer{PID: 40, accepted: at(9), alive: func() bool { return false }}); len(got) != 0 {
		t.Errorf("a caller that is gone speaks for %v", got)
	}
}

func TestMarksOfAgents(t *testing.T) {
	for kv, want := range map[string]bool{
		"CLAUDECODE=1": true, "CLAUDE_CODE_ENTRYPOINT=cli": true, "CODEX_SANDBOX=seatbelt": true, "OPENCLAW_SESSION_KEY=x": true,
		"AI_AGENT=someone": true, "AGENT=goose": true, "GEMINI_CLI=1": true, "CURSOR_AGENT=1": true, "SHOWHOW_AGENT=scout": true,
		"SHOWHOW_AGENT_RUN=1": true,
		// Empty, a person's settings of an agent, and names that only look alike.
		"CLAUDECODE=": false, "CODEX_HOME=/x": false, "CLAUDE_CODE_USE_BEDROCK=1": false, "OPENCLAW_STATE_DIR=/x": false,
		"AGENTS=1": false, "CLAUDECODES=1": false, "MY_CODEX_X=1": false, "SSH_AGENT_PID=7": false, "PATH=/claude": false,
	} {
		if got := mark(process{name: "bash", env: []string{"HOME=/x", kv}}) != ""; got != want {
			t.Errorf("%s: %v", kv, got)
		}
	}
	for name, want := range map[string]bool{"claude": true, "codex": true, "bash": false, "node": false, "claude-notes": false} {
		if got := mark(process{name: name}) != ""; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Whatever an agent without a token calls itself, it does not reach what belongs to a token.
func TestOwnersAreApart(t *testing.T) {
	agent := func(name string, families ...string) string {
		return (&Caller{Principal: access.Principal{Kind: access.Agent, Name: name}, Families: families}).Owner()
	}
	owners := []string{agent("scribe"), agent("", "scribe"), agent("", "other"), agent(""), agent("", ""),
		(&Caller{Principal: access.Principal{Kind: access.User, Name: "scribe"}}).Owner()}
	for i, o := range owners {
		if slices.Contains(owners[:i], o) {
			t.Errorf("%d is %s, too", i, o)
		}
	}
	if agent("scribe", "x") != owners[0] {
		t.Error("a token is enough")
	}
}
