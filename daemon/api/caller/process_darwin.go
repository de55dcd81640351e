package caller

import (
	"bytes"
	"encoding/binary"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

type sysctlTable struct{}

func newProcessTable() processTable { return sysctlTable{} }

func (sysctlTable) process(pid int) (process, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return process{}, errNoProcess
	}
	name, _, _ := bytes.Cut(k.Proc.P_comm[:], []byte{0})
	p := process{
		pid:     pid,
		ppid:    int(k.Eproc.Ppid),
		uid:     int(k.Eproc.Ucred.Uid),
		name:    string(name),
		tty:     uint64(uint32(k.Eproc.Tdev)),
		started: time.Unix(k.Proc.P_starttime.Sec, int64(k.Proc.P_starttime.Usec)*1000),
	}
	if p.tty == 0xffffffff {
		p.tty = 0 // NODEV
	}
	if sid, err := unix.Getsid(pid); err == nil {
		p.session = sid
	}
	if raw, err := unix.SysctlRaw("kern.procargs2", pid); err == nil {
		p.env = environ(raw)
	}
	return p, nil
}

// environ reads KERN_PROCARGS2: argc, the executable's path, padding, argc arguments, then the environment.
func environ(raw []byte) []string {
	if len(raw) < 4 {
		return nil
	}
	argc := int(binary.NativeEndian.Uint32(raw))
	parts := strings.Split(string(raw[4:]), "\x00")
	i := 1
	for i < len(parts) && parts[i] == "" {
		i++
	}
	var env []string
	for i += argc; i < len(parts) && parts[i] != ""; i++ {
		env = append(env, parts[i])
	}
	return env
}
