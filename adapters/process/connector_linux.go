package process

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Numbers of <linux/connector.h> and <linux/cn_proc.h>.
const (
	cnProc       = 1 // idx and val of the connector's process events, and their multicast group
	listen       = 1 // PROC_CN_MCAST_LISTEN
	ignore       = 2 // PROC_CN_MCAST_IGNORE
	eventNone    = 0
	eventFork    = 1
	eventExec    = 2
	eventExit    = 0x80000000
	nlHeader     = 16
	cnHeader     = 20
	eventAt      = nlHeader + cnHeader // struct proc_event
	dataAt       = eventAt + 16        // its union
	messageBytes = 128
)

var (
	errSilent = errors.New("process: the connector does not answer") // in a container, or before Linux 6.6 without permission
	errBroken = errors.New("process: the connector's socket broke")
)

// connector is a socket on which the kernel reports every process.
type connector struct {
	fd    int
	drops uint32        // as counted by the kernel, when last looked at
	args  *arguments    // nil where that is not permitted
	lost  func(n int64) // called with the number of messages that the kernel dropped
	calm  func()        // called when, after a loss, the remaining messages have been delivered
	short bool          // there was a loss since
}

// openConnector subscribes and waits for the kernel's confirmation.
func openConnector(ctx context.Context) (*connector, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_CONNECTOR)
	if err != nil {
		return nil, err
	}
	c := &connector{fd: fd, lost: func(int64) {}, calm: func() {}}
	if err := c.subscribe(ctx, fd); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// openEvents opens the connector, with exec arguments where that is permitted; without a tracker it only checks
// whether it could.
func openEvents(ctx context.Context, t *tracker) (source, error) {
	c, err := openConnector(ctx)
	if err != nil || t == nil {
		return c, err
	}
	if a, err := openArguments(); err == nil {
		c.args = a
	}
	var total int64
	c.lost = func(n int64) {
		total += n
		t.lost(n, total)
	}
	c.calm = func() { t.catchUp(time.Now(), true) }
	return c, nil
}

// receiveBuffer is requested; the kernel grants what an unprivileged socket may have (net.core.rmem_max), and root
// all of it.
const receiveBuffer = 8 << 20

func (c *connector) subscribe(ctx context.Context, fd int) error {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, receiveBuffer) != nil {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, receiveBuffer)
	}
	if err := filterThreads(fd); err != nil {
		return err
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: cnProc}); err != nil {
		return err
	}
	if err := ask(fd, listen); err != nil {
		return err
	}
	return c.confirmed(ctx, fd)
}

// patience is how long the kernel may take to confirm; it confirms within the send, or never.
const patience = 250 * time.Millisecond

// confirmed waits for the answer to our LISTEN and ignores everything before it.
func (c *connector) confirmed(ctx context.Context, fd int) error {
	var buf [messageBytes]byte
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; {
		n, from, err := unix.Recvfrom(fd, buf[:], unix.MSG_DONTWAIT)
		switch {
		case err == unix.EAGAIN:
			p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			_, _ = unix.Poll(p, 20)
		case err == unix.ENOBUFS || err == unix.EINTR:
		case err != nil:
			return err
		case fromKernel(from) && n >= dataAt+4 && u32(buf[:], eventAt) == eventNone && u32(buf[:], nlHeader+12) == uint32(os.Getpid())+1:
			if u32(buf[:], dataAt) != 0 {
				return errSilent
			}
			c.drops, _ = dropped(fd)
			return nil
		}
	}
	return errSilent
}

// ask sends LISTEN or IGNORE. The ack number is ours, which distinguishes our answer from others'.
func ask(fd int, op uint32) error {
	var b [eventAt + 4]byte
	ne := binary.NativeEndian
	ne.PutUint32(b[0:], uint32(len(b)))
	ne.PutUint16(b[4:], unix.NLMSG_DONE)
	ne.PutUint32(b[12:], uint32(os.Getpid()))
	ne.PutUint32(b[nlHeader:], cnProc)
	ne.PutUint32(b[nlHeader+4:], cnProc)
	ne.PutUint32(b[nlHeader+12:], uint32(os.Getpid()))
	ne.PutUint16(b[nlHeader+16:], 4)
	ne.PutUint32(b[eventAt:], op)
	return unix.Sendto(fd, b[:], 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK})
}

// filterThreads makes the kernel drop events of threads, which come and go by the hundred in a browser. It keeps exec
// and our confirmation, and fork and exit if pid and tgid (of the child, or of the exiting task) are equal.
func filterThreads(fd int) error {
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		equalX  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_X
		toX     = unix.BPF_MISC | unix.BPF_TAX
		jump    = unix.BPF_JMP | unix.BPF_JA
		result  = unix.BPF_RET | unix.BPF_K
		compare = 13
		keep    = 14
	)
	prog := []unix.SockFilter{
		{Code: load, K: eventAt},
		{Code: equal, K: swapped(eventExec), Jt: keep - 2},
		{Code: equal, K: swapped(eventNone), Jt: keep - 3},
		{Code: equal, K: swapped(eventFork), Jt: 2},
		{Code: equal, K: swapped(eventExit), Jt: 5},
		{Code: result, K: 0},
		{Code: load, K: dataAt + 8}, // 6: fork's child_pid and child_tgid
		{Code: toX},
		{Code: load, K: dataAt + 12},
		{Code: jump, K: compare - 10},
		{Code: load, K: dataAt}, // 10: exit's process_pid and process_tgid
		{Code: toX},
		{Code: load, K: dataAt + 4},
		compare: {Code: equalX, Jf: 1},
		keep:    {Code: result, K: messageBytes},
		{Code: result, K: 0},
	}
	return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
		&unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]})
}

// swapped converts a number for comparison in a filter: filters load words in network order.
func swapped(n uint32) uint32 {
	var b [4]byte
	binary.NativeEndian.PutUint32(b[:], n)
	return binary.BigEndian.Uint32(b[:])
}

// dropped is how many messages the kernel could not put into the socket's buffer since it was opened (SO_MEMINFO's
// drops).
func dropped(fd int) (uint32, error) {
	var info [9]uint32
	size := uint32(unsafe.Sizeof(info))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_MEMINFO,
		uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return 0, errno
	}
	return info[8], nil
}

func fromKernel(from unix.Sockaddr) bool {
	nl, ok := from.(*unix.SockaddrNetlink)
	return ok && nl.Pid == 0
}

func u32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// run delivers until ctx ends (nil) or the socket fails. Call it once; the caller closes.
//
// It keeps a thread of its own, to which the scheduler gives short and therefore early turns: so a program that lives
// for half a millisecond is mostly read before it has gone.
func (c *connector) run(ctx context.Context, ready func(), changed func(change)) error {
	runtime.LockOSThread() // and never unlocked: the thread ends with its goroutine, and its schedule with it
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Runtime: uint64(turn.Nanoseconds())}, 0)
	ready()
	var buf [messageBytes]byte
	for ctx.Err() == nil {
		switch more, err := c.receive(c.fd, buf[:], changed); {
		case err != nil:
			return err
		case !more:
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}, int(breath.Milliseconds()))
		}
	}
	return nil
}

const (
	turn   = 100 * time.Microsecond // Linux 6.12 and later give a task that asks for less its turn earlier
	breath = 200 * time.Millisecond // how often the end, or a socket that is gone, is looked for
)

// receive takes one message off the socket; more reports whether there was one.
func (c *connector) receive(fd int, buf []byte, changed func(change)) (more bool, err error) {
	n, from, err := unix.Recvfrom(fd, buf, unix.MSG_DONTWAIT)
	switch {
	case err == unix.EAGAIN:
		if c.short {
			c.short = false
			c.calm()
		}
		return false, nil
	case err == unix.EINTR:
		return true, nil
	case err == unix.ENOBUFS:
		return true, c.overflowed(fd)
	case err != nil:
		return false, err
	case n == 0:
		return false, errBroken
	}
	if fromKernel(from) {
		if ch, ok := c.parse(buf[:n]); ok {
			changed(ch)
		}
	}
	return true, nil
}

// overflowed asks how much was lost. The kernel drops messages until the buffer is empty again, so this may happen
// more than once.
func (c *connector) overflowed(fd int) error {
	now, err := dropped(fd)
	if err != nil {
		return err
	}
	n := now - c.drops
	c.drops, c.short = now, true
	c.lost(int64(n))
	return nil
}

// parse parses one message; ok is false if it does not concern a process.
func (c *connector) parse(b []byte) (ch change, ok bool) {
	if len(b) < dataAt+8 {
		return ch, false
	}
	a, tgid := u32(b, dataAt), u32(b, dataAt+4)
	ch = change{pid: int(tgid), at: wall(binary.NativeEndian.Uint64(b[eventAt+8:]))}
	switch u32(b, eventAt) {
	case eventFork:
		if len(b) < dataAt+16 || u32(b, dataAt+8) != u32(b, dataAt+12) {
			return ch, false
		}
		ch.what, ch.parent, ch.pid = forked, int(tgid), int(u32(b, dataAt+12))
	case eventExec:
		ch.what, ch.image = started, c.image(int(tgid))
	case eventExit:
		if len(b) < dataAt+12 || a != tgid {
			return ch, false
		}
		ch.what, ch.exit = ended, exitCode(u32(b, dataAt+8))
	default:
		return ch, false
	}
	return ch, true
}

// image is what a process runs after an exec: the kernel's record, completed from /proc.
func (c *connector) image(pid int) *image {
	if c.args != nil {
		if noted := c.args.of(pid); noted != nil {
			return read(pid, noted)
		}
	}
	return look(pid)
}

// exitCode converts a wait status to a shell's $?.
func exitCode(status uint32) int {
	s := unix.WaitStatus(status)
	if s.Signaled() {
		return 128 + int(s.Signal())
	}
	return s.ExitStatus()
}

// wall converts the kernel's clock (CLOCK_MONOTONIC, ns) to wall time, by its distance from now.
func wall(ns uint64) time.Time {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return time.Now()
	}
	return time.Now().Add(time.Duration(int64(ns) - ts.Nano()))
}

func (c *connector) close() {
	_ = ask(c.fd, ignore) // before 6.6 the kernel would count us as listening for ever
	_ = unix.Close(c.fd)
	if c.args != nil {
		c.args.close()
	}
}
