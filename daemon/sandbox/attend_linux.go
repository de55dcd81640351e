package sandbox

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A program counts as running once it has been seen for a while, so that one which fails at once does not count, and
// it has some time to start after the line has ended.
const (
	steady   = time.Second
	startsIn = 5 * time.Second
	lookEach = 50 * time.Millisecond
)

// attend watches, inside a box, for programs that a line leaves running. The line is over when they have been running
// for a while, whether its shell waits for them or not; the rest is ended. It returns those that ran. over is closed
// when the shell has ended.
func attend(names []string, shell int, over <-chan struct{}) []string {
	self := commandLine(shell)
	since := map[string]time.Time{}
	var last time.Time // until when a program may still begin
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	for {
		ended := isClosed(over) // asked before the look: what the shell started just before its end is seen by it
		now, others := time.Now(), 0
		seen := map[string]bool{}
		for _, pid := range processes() {
			if pid == shell || pid == os.Getpid() || pid == 1 || !alive(pid) {
				continue
			}
			others++
			line := commandLine(pid)
			if line == nil || bytes.Equal(line, self) {
				continue // the shell's own child, before it has become another program
			}
			for _, n := range names {
				seen[n] = seen[n] || runsAs(pid, line, n)
			}
		}
		var ran []string
		for _, n := range names {
			switch {
			case !seen[n]:
				delete(since, n)
			case since[n].IsZero():
				since[n] = now
			}
			if t := since[n]; !t.IsZero() && now.Sub(t) >= steady {
				ran = append(ran, n)
			}
		}
		if len(ran) == len(names) {
			return ran
		}
		if ended && last.IsZero() {
			last = now.Add(startsIn)
		}
		if ended && (others == 0 || now.After(last)) {
			return ran
		}
		<-tick.C
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// runsAs reports whether a process is the named program: by its argv, by its own name, or as the script that an
// interpreter runs.
func runsAs(pid int, line []byte, name string) bool {
	args := strings.SplitN(string(line), "\x00", 3)
	if path.Base(args[0]) == name || len(args) > 1 && strings.Contains(args[1], "/") && path.Base(args[1]) == name {
		return true
	}
	comm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	return err == nil && strings.TrimSuffix(string(comm), "\n") == name[:min(len(name), 15)] // the kernel keeps no more
}

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return ok && len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}

// commandLine is nil for a process that is gone, or that is in the middle of exec.
func commandLine(pid int) []byte {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil || len(b) == 0 {
		return nil
	}
	return b
}

// processes lists those of the box: it has its own /proc.
func processes() (out []int) {
	all, _ := os.ReadDir("/proc")
	for _, d := range all {
		if n, err := strconv.Atoi(d.Name()); err == nil {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// endOthers kills everything in the box except its first process and this one.
func endOthers() { _ = unix.Kill(-1, unix.SIGKILL) }
