package sandbox

import (
	"maps"
	"strconv"
	"strings"
)

// process is a line of `ps -axo pid=,ppid=,pgid=,uid=,stat=,rss=`, by which boxes without a process namespace are
// watched.
type process struct {
	pid, parent, group, user int
	state                    byte
	memory                   int64
}

func (p process) ended() bool   { return p.state == 'Z' }
func (p process) stopped() bool { return p.state == 'T' || p.state == 'Z' }

func parseTable(text string) (all []process) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 6 {
			continue
		}
		var n [4]int
		ok := true
		for i := range n {
			v, err := strconv.Atoi(f[i])
			n[i], ok = v, ok && err == nil
		}
		kib, err := strconv.ParseInt(f[5], 10, 64)
		if ok && err == nil && n[0] > 1 {
			all = append(all, process{n[0], n[1], n[2], n[3], f[4][0], kib << 10})
		}
	}
	return all
}

// belonging lists the running processes of a box: its first process's group, those known to belong (by number and
// group, because a reused number is somebody else's), and whatever they started. A process that left the group, and
// whose parent ended before it was ever seen, is missed. known is updated.
func belonging(all []process, first int, known map[int]int) (out []process) {
	was := maps.Clone(known)
	clear(known)
	for more := true; more; {
		more = false
		for _, p := range all {
			if _, in := known[p.pid]; in {
				continue
			}
			_, child := known[p.parent]
			if group, before := was[p.pid]; p.group == first || before && group == p.group || child {
				known[p.pid], more = p.group, true
			}
		}
	}
	for _, p := range all {
		if _, in := known[p.pid]; in && !p.ended() {
			out = append(out, p)
		}
	}
	return out
}
