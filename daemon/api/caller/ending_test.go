package caller

import (
	"testing"
	"time"

	"showhow/daemon/access"
)

// table is a list of processes; those that are ending show nothing of what they were.
type table map[int]process

func (t table) process(pid int) (process, error) {
	p, ok := t[pid]
	switch {
	case !ok:
		return p, errNoProcess
	case p.ending:
		return p, errEnding
	}
	return p, nil
}

// A process that is ending has no environment any more: it must not pass for one without an agent's mark.
func TestAnEndingProcessVouchesForNobody(t *testing.T) {
	at := time.Unix(100, 0)
	shell := process{pid: 10, ppid: 1, session: 10, started: at}
	for name, c := range map[string]struct {
		procs table
		want  access.Kind
	}{
		"a person's shell": {table{10: shell, 20: {pid: 20, ppid: 10, session: 10, started: at}}, access.User},
		"its session's leader is a zombie": {table{10: {pid: 10, ppid: 1, session: 10, started: at, ending: true},
			20: {pid: 20, ppid: 1, session: 10, started: at}}, access.Agent},
		"its parent is ending": {table{10: shell, 15: {pid: 15, ppid: 10, session: 10, started: at, ending: true},
			20: {pid: 20, ppid: 15, session: 10, started: at}}, access.Agent},
	} {
		a := Ancestry{procs: c.procs}
		if got := a.Principal(Peer{PID: 20, accepted: at, alive: func() bool { return true }}); got.Kind != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
