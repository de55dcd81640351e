package caller

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"showhow/daemon/access"
)

func BenchmarkExamineACaller(b *testing.B) {
	a := NewAncestry(nil, 0)
	p := peer{PID: os.Getpid(), alive: func() bool { return true }}
	for b.Loop() {
		a.Principal(p)
	}
}

// A pid that is in use again by the time it is examined must not lend its good name.
func TestAReusedPidIsNotTheCaller(t *testing.T) {
	table := fakeTable{100: {pid: 100, ppid: 1, session: 100, started: time.Unix(50, 0)}}
	a := Ancestry{procs: table}
	if p := a.Principal(peer{PID: 100, accepted: time.Unix(49, 0)}); p.Kind != access.Agent {
		t.Error("a process that began after the connection was taken for the caller")
	}
	if p := a.Principal(peer{PID: 100, accepted: time.Unix(60, 0)}); p.Kind != access.User {
		t.Error(p.Why)
	}
	if p := a.Principal(peer{PID: 100, accepted: time.Unix(60, 0), alive: func() bool { return false }}); p.Kind != access.Agent {
		t.Error("a caller that is gone was taken for a person")
	}
	if p := a.Principal(peer{PID: 0}); p.Kind != access.Agent {
		t.Error("a caller that is not visible was taken for a person")
	}
	if p := a.Principal(peer{PID: 7}); p.Kind != access.Agent {
		t.Error("a caller that cannot be examined was taken for a person")
	}
}

func TestALoopOfParentsEnds(t *testing.T) {
	table := fakeTable{
		2: {pid: 2, ppid: 3, session: 2, started: time.Unix(1, 0)},
		3: {pid: 3, ppid: 2, session: 2, started: time.Unix(1, 0)},
	}
	a := Ancestry{procs: table}
	if p := a.Principal(peer{PID: 2, accepted: time.Unix(5, 0)}); p.Kind != access.Agent {
		t.Error("an endless ancestry was taken for a person")
	}
}

type fakeTable map[int]Process

func (f fakeTable) process(pid int) (Process, error) {
	if p, ok := f[pid]; ok {
		return p, nil
	}
	return Process{}, errNoProcess
}

func TestStatNamesWithSpacesAndParentheses(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "42"), 0o755); err != nil {
		t.Fatal(err)
	}
	stat := "42 (a) b (c)) S 7 42 41 34817 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 123456 1 1\n"
	os.WriteFile(filepath.Join(dir, "42", "stat"), []byte(stat), 0o644)
	os.WriteFile(filepath.Join(dir, "42", "environ"), []byte("A=1\x00B=2\x00"), 0o644)
	p, err := (&procFS{root: dir}).process(42)
	if err != nil || p.Name != "a) b (c)" || p.ppid != 7 || p.session != 41 || p.tty != 34817 || len(p.Env) != 2 ||
		!p.started.Equal(time.Unix(1234, 56e7)) {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range []string{"", "42", "42 (x", "42 (x) S 1"} {
		os.WriteFile(filepath.Join(dir, "42", "stat"), []byte(bad), 0o644)
		if _, err := (&procFS{root: dir}).process(42); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestFamilies(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	table := fakeTable{
		10: {pid: 10, ppid: 1, session: 10, started: at(1), Name: "bash"},
		20: {pid: 20, ppid: 10, session: 10, started: at(2), Name: "claude"},
		30: {pid: 30, ppid: 20, session: 10, started: at(3), Name: "codex", Env: []string{"CLAUDECODE=1"}},
		40: {pid: 40, ppid: 30, session: 10, started: at(4), Name: "showhow",
			Env: []string{"CLAUDECODE=1", "CODEX_THREAD_ID=x", "CODEX_HOME=/x"}},
		50: {pid: 50, ppid: 10, session: 10, started: at(5), Name: "showhow"},
	}
	a := Ancestry{procs: table}
	if got := a.Families(peer{PID: 40, accepted: at(9)}); !slices.Equal(got, []string{"codex", "claude-code"}) {
		t.Errorf("%v", got)
	}
	if got := a.Families(peer{PID: 50, accepted: at(9)}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := a.Families(peer{PID: 40, accepted: at(9), alive: func() bool { return false }}); len(got) != 0 {
		t.Errorf("a caller that is gone speaks for %v", got)
	}
}
