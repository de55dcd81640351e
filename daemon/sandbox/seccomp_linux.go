package sandbox

import (
	"bytes"
	"encoding/binary"
	"runtime"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Calls that a rehearsed command does not need: tracing and reading other programs, mounting and namespaces, the
// kernel's keys, modules, programs and performance counters, asynchronous rings (they bypass this filter).
var denied = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX,
	unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
}

const (
	retAllow = 0x7fff0000
	retErrno = 0x00050000
	retKill  = 0x80000000

	newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
		unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWTIME
	x32 = 0x40000000
)

// filter is the seccomp program of a box, nil if there is none for the processor.
func filter() ([]byte, error) {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64,
		"riscv64": unix.AUDIT_ARCH_RISCV64}[runtime.GOARCH]
	if !ok {
		return nil, nil
	}
	errno := func(e uint32) bpf.Instruction { return bpf.RetConstant{Val: retErrno | e} }
	nr, arg := bpf.LoadAbsolute{Off: 0, Size: 4}, func(i uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: 16 + 8*i, Size: 4} }
	prog := []bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: retKill},
		nr,
	}
	if runtime.GOARCH == "amd64" {
		prog = append(prog, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32, SkipTrue: 1}, errno(uint32(unix.ENOSYS)))
	}
	for _, n := range denied {
		prog = append(prog, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: n, SkipTrue: 1}, errno(uint32(unix.EPERM)))
	}
	prog = append(prog,
		// Its flags are in memory, where a filter cannot look: libraries fall back to clone.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE3, SkipTrue: 1}, errno(uint32(unix.ENOSYS)),
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE, SkipTrue: 4}, arg(0), bpf.JumpIf{
			Cond: bpf.JumpBitsNotSet, Val: newNamespaces, SkipTrue: 1}, errno(uint32(unix.EPERM)), nr,
		// Typing into a terminal or its selection.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_IOCTL, SkipTrue: 5}, arg(1), bpf.JumpIf{
			Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.TIOCLINUX, SkipTrue: 1}, errno(uint32(unix.EPERM)), nr,
		// Only the address families of ordinary programs: Unix sockets, the (empty) internet, and the list of the
		// box's own interfaces.
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_SOCKET, SkipTrue: 6}, arg(0),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipTrue: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET, SkipTrue: 3},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET6, SkipTrue: 2}, bpf.JumpIf{
			Cond: bpf.JumpEqual, Val: unix.AF_NETLINK, SkipTrue: 1}, errno(uint32(unix.EAFNOSUPPORT)),
		bpf.RetConstant{Val: retAllow},
	)
	raw, err := bpf.Assemble(prog)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, i := range raw {
		_ = binary.Write(&b, binary.NativeEndian, struct {
			Op     uint16
			Jt, Jf uint8
			K      uint32
		}{i.Op, i.Jt, i.Jf, i.K})
	}
	return b.Bytes(), nil
}
