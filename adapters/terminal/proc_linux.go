package terminal

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// process is what identifies a shell: a pid is reused, its start time is not.
type process struct {
	pid   int
	name  string
	tty   string // controlling terminal, "" for none
	start uint64 // clock ticks since boot
	image uint64 // where its stack begins: another program under the same pid (exec) has it elsewhere; 0 unknown
}

// look reads a process of this user.
func look(pid int) (process, bool) {
	fi, err := os.Stat("/proc/" + strconv.Itoa(pid))
	if err != nil || !ownedByUs(fi) {
		return process{}, false
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	return parseStat(pid, string(data))
}

// parseStat parses /proc/PID/stat; the name, in parentheses, may itself hold any character. See proc(5).
func parseStat(pid int, stat string) (process, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	f := strings.Fields(stat[end+1:])
	if len(f) < 20 || f[0] == "Z" || f[0] == "X" {
		return process{}, false
	}
	dev, err := strconv.ParseInt(f[4], 10, 64)
	if err != nil {
		return process{}, false
	}
	start, err := strconv.ParseUint(f[19], 10, 64)
	if err != nil {
		return process{}, false
	}
	p := process{pid: pid, name: stat[open+1 : end], tty: ttyName(uint32(dev)), start: start}
	if len(f) > 25 {
		p.image, _ = strconv.ParseUint(f[25], 10, 64)
	}
	return p, true
}

// ttyName turns the kernel's tty number into a name: majors 136 to 143 are pts, 256 each, major 4 is tty.
func ttyName(dev uint32) string {
	major := dev >> 8 & 0xfff
	minor := dev&0xff | dev>>12&0xfff00
	switch {
	case major >= 136 && major <= 143:
		return fmt.Sprintf("pts/%d", (major-136)*256+minor)
	case major == 4 && minor < 64:
		return fmt.Sprintf("tty%d", minor)
	}
	return ""
}

// cwdOf is the working directory of a process of this user; "" if unknown.
func cwdOf(pid int) string {
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return ""
	}
	return dir
}
