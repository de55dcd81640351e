package acceptance_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stepRole in the environment makes this binary a daemon's parent that can kill it before any system call by which it
// changes its files. What it reads is the number of that call from now on; what it writes are the daemon's "ready", then
// "armed", and a line for each such call.
const stepRole = "SHOWHOW_ACCEPTANCE_STEPS"

func init() { roles[stepRole] = stepKiller }

func stepKiller() int {
	runtime.LockOSThread() // whoever traces is a thread
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), stepRole+"=")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ready, _ := bufio.NewReader(out).ReadString('\n')
	if ready == "" {
		fmt.Fprintln(os.Stderr, "steps: the daemon does not start")
		return 1
	}
	io.WriteString(os.Stdout, ready)
	s := steps{pid: cmd.Process.Pid, below: os.Getenv(childDir) + "/"}
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	if s.at, err = strconv.Atoi(strings.TrimSpace(line)); err == nil {
		err = s.attach()
	}
	if err == nil {
		fmt.Println("armed")
		err = s.follow()
	}
	_ = cmd.Process.Kill()
	_, _ = unix.Wait4(s.pid, nil, unix.WALL, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, "steps:", err)
		return 1
	}
	return 0
}

// steps follows a process from one change of its files to the next.
type steps struct {
	pid     int
	below   string
	n, at   int
	last    string // the file written last, and in how many pieces so far
	pieces  int
	threads map[int]bool
}

const traced = unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL

// attach attaches to all threads. Those that are made meanwhile are found by looking again.
func (s *steps) attach() error {
	s.threads = map[int]bool{}
	for {
		found, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", s.pid))
		if err != nil {
			return err
		}
		fresh := 0
		for _, f := range found {
			tid, _ := strconv.Atoi(filepath.Base(f))
			if s.threads[tid] {
				continue
			}
			_, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(tid), 0, traced, 0, 0)
			if e == unix.ESRCH {
				continue // it has ended
			}
			if e == unix.EPERM && tid == s.pid {
				return errors.New("tracing is not allowed here")
			}
			if e != 0 && e != unix.EPERM { // a thread of one that is attached to is attached to
				return e
			}
			s.threads[tid], fresh = true, fresh+1
			if e == 0 {
				_ = unix.PtraceInterrupt(tid)
			}
		}
		if fresh == 0 {
			return nil
		}
	}
}

// follow returns when the process has ended, or stands before the step at which it is to be killed.
func (s *steps) follow() error {
	for {
		var ws unix.WaitStatus
		tid, err := unix.Wait4(-1, &ws, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.ECHILD || err == nil && tid == s.pid && (ws.Exited() || ws.Signaled()):
			return nil
		case err != nil:
			return err
		case !ws.Stopped():
			continue
		}
		pass := 0
		switch sig := ws.StopSignal(); {
		case sig == unix.SIGTRAP|0x80:
			if name, path := s.change(tid); name != "" && s.step(name, path) {
				return nil
			}
		case uint32(ws)>>16 == 0: // its own; else what tracing stopped for
			pass = int(sig)
		}
		if err := unix.PtraceSyscall(tid, pass); err != nil && err != unix.ESRCH {
			return err
		}
	}
}

// step counts a step, and reports whether it is the last. A file that is written piece by piece is two steps: before the first
// piece, and before the second, when it is half there.
func (s *steps) step(name, path string) bool {
	if name == "write" && path == s.last {
		s.pieces++
	} else {
		s.last, s.pieces = "", 1
		if name == "write" {
			s.last = path
		}
	}
	if s.pieces > 2 {
		return false
	}
	s.n++
	fmt.Println("step", s.n, name, strings.TrimPrefix(path, s.below))
	return s.n == s.at
}

// change says how the thread is about to change which file of the installation, "" if it is not.
func (s *steps) change(tid int) (name, path string) {
	var info struct {
		op   uint8
		_    [23]byte
		nr   uint64
		args [6]uint64
		_    [64]byte
	}
	const getSyscallInfo = 0x420e
	_, _, e := unix.Syscall6(unix.SYS_PTRACE, getSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if e != 0 || info.op != 1 { // at its entry
		return "", ""
	}
	a := info.args
	const makes = unix.O_CREAT | unix.O_TRUNC
	switch info.nr {
	case unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE:
		name, path = "write", s.open(a[0])
	case unix.SYS_COPY_FILE_RANGE:
		name, path = "write", s.open(a[2])
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC:
		name, path = "sync", s.open(a[0])
	case unix.SYS_OPENAT:
		if a[2]&makes != 0 {
			name, path = "create", s.at2(a[0], a[1])
		}
	case unix.SYS_OPEN:
		if a[1]&makes != 0 {
			name, path = "create", s.text(a[0])
		}
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		name, path = "place", s.at2(a[2], a[3])
	case unix.SYS_RENAME, unix.SYS_LINK:
		name, path = "place", s.text(a[1])
	case unix.SYS_UNLINKAT:
		name, path = "remove", s.at2(a[0], a[1])
	case unix.SYS_UNLINK, unix.SYS_RMDIR:
		name, path = "remove", s.text(a[0])
	case unix.SYS_MKDIRAT:
		name, path = "folder", s.at2(a[0], a[1])
	case unix.SYS_MKDIR:
		name, path = "folder", s.text(a[0])
	}
	if !strings.HasPrefix(path, s.below) || strings.HasSuffix(path, "-shm") { // an index in memory that nobody reads later
		return "", ""
	}
	return name, path
}

// open is the path of an open file.
func (s *steps) open(fd uint64) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", s.pid, int32(fd)))
	return path
}

// at2 is a path that may be relative to an open folder.
func (s *steps) at2(dir, addr uint64) string {
	path := s.text(addr)
	if filepath.IsAbs(path) || path == "" {
		return path
	}
	return filepath.Join(s.open(dir), path)
}

// text reads a string of the process.
func (s *steps) text(addr uint64) string {
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", s.pid))
	if err != nil {
		return ""
	}
	defer f.Close()
	b := make([]byte, unix.PathMax)
	n, _ := f.ReadAt(b, int64(addr)) // as far as the memory goes
	path, _, _ := bytes.Cut(b[:n], []byte{0})
	return string(path)
}
