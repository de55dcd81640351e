package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxArgv bounds what is read of a command line; of a longer one the whole arguments up to there are kept.
const maxArgv = 64 << 10

// look reads a process of this user from /proc; nil if it is gone. It is quick, because the process may not stay.
func look(pid int) *image {
	var i *image
	for range 3 { // until nothing else was executed while it was read
		next := read(pid, nil)
		if next == nil {
			break
		}
		if i = next; !i.mine {
			return i
		}
		if now := linkTo("/proc/" + strconv.Itoa(pid) + "/exe"); now == i.exe || now == "" {
			break
		}
	}
	if i != nil {
		i.born = bornAt(i.ticks)
	}
	return i
}

// read reads a process once; if the kernel noted the arguments, only the rest.
func read(pid int, noted *image) *image {
	dir := "/proc/" + strconv.Itoa(pid)
	switch mine, ok := ownerOf(dir); {
	case !ok:
		return noted
	case !mine:
		return &image{}
	}
	i := &image{mine: true}
	i.exe = linkTo(dir + "/exe")
	if noted == nil || noted.cut {
		cmdline := slurp(dir+"/cmdline", maxArgv)
		i.argv, i.cut = splitArgv(cmdline, len(cmdline) >= maxArgv)
	}
	i.live = i.stat(slurp(dir+"/stat", 1024))
	if !i.live && len(i.argv) == 0 {
		return noted
	}
	i.cwd = cwdOf(pid)
	if noted != nil {
		i.correct(noted)
	}
	return i
}

// correct applies what the kernel noted to an image: the process may run something else by now, or have renamed
// itself.
func (i *image) correct(noted *image) {
	same := i.comm == noted.comm
	if !same {
		i.exe = ""
	}
	if !same || !noted.cut || len(i.argv) <= len(noted.argv) {
		i.argv, i.cut = noted.argv, noted.cut
	}
	i.comm = noted.comm
}

// ownerOf reports whether a process is this user's; ok is false if it is gone. While one exits, the kernel shows root
// as its owner.
func ownerOf(dir string) (mine, ok bool) {
	var st unix.Stat_t
	for range 2 {
		if unix.Stat(dir, &st) != nil {
			return false, false
		}
		if int(st.Uid) == os.Geteuid() {
			return true, true
		}
	}
	return false, true
}

// groupOf is the process group of pid; 0 if it is gone.
func groupOf(pid int) int {
	var i image
	i.stat(slurp("/proc/"+strconv.Itoa(pid)+"/stat", 1024))
	return i.group
}

// lifeOf says whether pid still runs.
func lifeOf(pid int) life {
	var i image
	switch {
	case !i.stat(slurp("/proc/"+strconv.Itoa(pid)+"/stat", 1024)) || i.state == 'X':
		return gone
	case i.state != 'Z':
		return lives
	case i.threads > 1:
		return ending
	}
	return gone
}

// cwdOf is the working directory of pid; "" if it is gone.
func cwdOf(pid int) string { return linkTo("/proc/" + strconv.Itoa(pid) + "/cwd") }

// pids lists the running processes.
func pids() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var out []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// slurp reads at most limit bytes of a file whose size is not known.
func slurp(path string, limit int) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	buf := make([]byte, 0, min(limit, 2048))
	for len(buf) < limit {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(4*cap(buf), limit)), buf...)
		}
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		if err == unix.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			break
		}
		buf = buf[:len(buf)+n]
	}
	return buf
}

// splitArgv splits at NUL bytes. If there is more than b, an unterminated last argument is dropped.
func splitArgv(b []byte, more bool) (argv []string, cut bool) {
	if more && len(b) > 0 && b[len(b)-1] != 0 {
		b = b[:bytes.LastIndexByte(b, 0)+1]
		cut = true
	}
	if len(b) == 0 {
		return nil, cut
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00"), cut
}

// stat parses /proc/PID/stat; the name, in parentheses, may itself hold any character. See proc(5).
func (i *image) stat(b []byte) bool {
	s := string(b)
	open, end := strings.IndexByte(s, '('), strings.LastIndexByte(s, ')')
	if open < 0 || end < open {
		return false
	}
	f := strings.Fields(s[end+1:])
	if len(f) < 6 {
		return false
	}
	n := func(k int) int { v, _ := strconv.Atoi(f[k]); return v }
	if len(f) > 19 {
		i.ticks = n(19)
	}
	if len(f) > 17 {
		i.threads = n(17)
	}
	i.state = f[0][0]
	i.comm, i.parent, i.group = s[open+1:end], n(1), n(2)
	i.tty, i.foreground = ttyName(uint32(n(4))), n(2) == n(5)
	return true
}

// bornAt converts a process's start, in ticks of 10 ms since boot, to wall time.
func bornAt(ticks int) time.Time {
	var up unix.Timespec
	if ticks == 0 || unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(ticks)*10*time.Millisecond - time.Duration(up.Nano()))
}

// ttyName turns the kernel's tty number into a name: majors 136 to 143 are pts, 256 each, major 4 is tty.
func ttyName(dev uint32) string {
	major, minor := dev>>8&0xfff, dev&0xff|dev>>12&0xfff00
	switch {
	case major >= 136 && major <= 143:
		return "pts/" + strconv.Itoa(int((major-136)*256+minor))
	case major == 4 && minor < 64:
		return "tty" + strconv.Itoa(int(minor))
	}
	return ""
}

// linkTo reads a link in /proc; "" if it is not readable. The kernel marks deleted files.
func linkTo(path string) string {
	to, err := os.Readlink(path)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(to, " (deleted)")
}
