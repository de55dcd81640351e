package caller

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// procFS is a process table read from a procfs root.
type procFS struct{ root string }

func newProcessTable() processTable { return &procFS{root: "/proc"} }

// tick is USER_HZ, 100 on every Linux that Go supports.
const tick = time.Second / 100

// maxEnviron bounds what is read of one environment; Linux itself allows about 2 MB of arguments and environment.
const maxEnviron = 4 << 20

func (f *procFS) process(pid int) (process, error) {
	dir := filepath.Join(f.root, strconv.Itoa(pid))
	// The environment first: if the process is ending, it reads as empty, and stat, read later, shows that. It is
	// unreadable for another user's process (login, sshd) and for one that made itself undumpable: then no mark is
	// seen.
	env, envErr := os.ReadFile(filepath.Join(dir, "environ"))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, errNoProcess
	}
	p, ok := f.parseStat(pid, stat)
	if !ok {
		return process{}, errNoProcess
	}
	if p.ending {
		return p, errEnding
	}
	if st, err := os.Stat(dir); err == nil {
		if s, ok := st.Sys().(*syscall.Stat_t); ok {
			p.uid = int(s.Uid)
		}
	}
	if envErr == nil && len(env) <= maxEnviron {
		for kv := range bytes.SplitSeq(env, []byte{0}) {
			if len(kv) > 0 {
				p.env = append(p.env, string(kv))
			}
		}
	}
	return p, nil
}

// parseStat parses /proc/PID/stat. The name is in parentheses and may itself contain spaces and parentheses.
func (f *procFS) parseStat(pid int, stat []byte) (process, bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 21 {
		return process{}, false
	}
	num := func(i int) int64 { n, _ := strconv.ParseInt(fields[i], 10, 64); return n }
	return process{
		pid:     pid,
		name:    string(stat[open+1 : end]),
		ppid:    int(num(1)),
		session: int(num(3)),
		tty:     uint64(uint32(num(4))),
		started: time.Unix(0, num(19)*int64(tick)), // since boot, as sinceBoot counts
		ending:  num(20) == 0,                      // no memory any more: it is exiting, or a zombie
	}, true
}
