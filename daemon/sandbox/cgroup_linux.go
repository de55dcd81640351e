package sandbox

import (
	"errors"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Where this process may divide a version 2 control group (a service or scope of the user's systemd, a container that
// delegates), the kernel itself bounds memory and processes of a box. Elsewhere resource limits and a check ten times
// a second do.

// group is the control group of one line or command.
type group struct {
	dir *os.File
}

// groups finds the parent of the boxes' groups, once: this process's own group does not change.
var groups = sync.OnceValues(func() (parent string, why error) { return delegated("/proc/self/cgroup", "/proc/self/mountinfo") })

var (
	errNoCgroup2    = errors.New("there is no control group of version 2")
	errNotDelegated = errors.New("no control group with memory and pids is delegated to this user")
)

// delegated is the nearest group above this process in which bounded groups may be created.
func delegated(self, mounts string) (string, error) {
	mount, err := cgroup2Mount(mounts)
	if err != nil {
		return "", err
	}
	raw, err := os.ReadFile(self)
	if err != nil {
		return "", errNoCgroup2
	}
	own := ""
	for line := range strings.SplitSeq(string(raw), "\n") {
		if p, ok := strings.CutPrefix(line, "0::"); ok {
			own = path.Clean("/" + p)
		}
	}
	for p := own; p != ""; p = path.Dir(p) {
		if dir := filepath.Join(mount, p); bounds(dir) {
			return dir, nil
		}
		if p == "/" {
			break
		}
	}
	return "", errNotDelegated
}

// cgroup2Mount is the mount point of version 2: the fifth field of a line whose type is cgroup2.
func cgroup2Mount(mounts string) (string, error) {
	raw, err := os.ReadFile(mounts)
	if err != nil {
		return "", errNoCgroup2
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		before, after, ok := strings.Cut(line, " - ")
		if fields := strings.Fields(before); ok && strings.HasPrefix(after, "cgroup2 ") && len(fields) > 4 {
			return fields[4], nil
		}
	}
	return "", errNoCgroup2
}

// bounds reports whether groups made below dir have the controllers and this process may move others into them.
func bounds(dir string) bool {
	raw, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	has := strings.Fields(string(raw))
	return err == nil && slices.Contains(has, "memory") && slices.Contains(has, "pids") &&
		unix.Access(dir, unix.W_OK) == nil && unix.Access(filepath.Join(dir, "cgroup.procs"), unix.W_OK) == nil
}

// openGroup makes a group with the box's limits; nil if it cannot.
func openGroup(parent string, memory int64, procs int) *group {
	if parent == "" {
		return nil
	}
	name := filepath.Join(parent, "showhow-box-"+strconv.Itoa(os.Getpid())+"-"+strconv.FormatUint(rand.Uint64(), 36))
	if os.Mkdir(name, 0o755) != nil {
		return nil
	}
	set := func(file string, n int64) error {
		return os.WriteFile(filepath.Join(name, file), []byte(strconv.FormatInt(n, 10)), 0o644)
	}
	err := errors.Join(set("memory.max", memory), set("pids.max", int64(procs)+2)) // and bubblewrap itself, outside and inside
	if err == nil {
		_ = set("memory.swap.max", 0)  // absent where there is no swap accounting
		_ = set("memory.oom.group", 1) // all of it or nothing
		if dir, err := os.Open(name); err == nil {
			return &group{dir}
		}
	}
	_ = os.Remove(name)
	return nil
}

// attach starts a program in the group.
func (g *group) attach(a *syscall.SysProcAttr) {
	if g != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(g.dir.Fd())
	}
}

// outOfMemory reports whether the kernel killed something in the group for its memory.
func (g *group) outOfMemory() bool {
	if g == nil {
		return false
	}
	raw, _ := os.ReadFile(filepath.Join(g.dir.Name(), "memory.events"))
	for line := range strings.SplitSeq(string(raw), "\n") {
		if n, ok := strings.CutPrefix(line, "oom_kill "); ok && n != "0" {
			return true
		}
	}
	return false
}

// close removes the group, whose processes have ended; the kernel may take a moment to notice.
func (g *group) close() {
	if g == nil {
		return
	}
	g.dir.Close()
	for end := time.Now().Add(time.Second); ; time.Sleep(5 * time.Millisecond) {
		if err := syscall.Rmdir(g.dir.Name()); err == nil || !errors.Is(err, syscall.EBUSY) || time.Now().After(end) {
			return
		}
	}
}

// LimitsBy says what enforces the limits of memory and processes here: the kernel's control groups or, with the
// reason, the substitute.
func LimitsBy() (cgroup bool, why string) {
	if _, err := groups(); err != nil {
		return false, err.Error()
	}
	return true, ""
}
