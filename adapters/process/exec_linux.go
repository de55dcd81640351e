package process

import (
	"encoding/binary"
	"errors"
	"os"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
)

// The kernel writes a record at each exec of this user: pid, length of the arguments, name of the executed file,
// process group, arguments. It is complete even if the program has gone by the time it is read.
const (
	recordLen   = 4
	recordComm  = 8
	recordGroup = 24
	recordArgs  = 32
	recordArgv  = 4096 // what is kept of the arguments; /proc has the rest while the program lives
	recordBytes = recordArgs + recordArgv
	ringBytes   = 1 << 20
)

// arguments reads the records. It needs the right to load a BPF program: root, or CAP_BPF and CAP_PERFMON.
type arguments struct {
	program *ebpf.Program
	ring    *ebpf.Map
	hook    link.Link
	reader  *ringbuf.Reader
	record  ringbuf.Record
	seen    map[int][]*image // read, but not asked for yet, in order
}

// openArguments attaches to the kernel's sched_process_exec, which fires just before the connector's event.
func openArguments() (*arguments, error) {
	a := &arguments{seen: map[int][]*image{}}
	var err error
	if a.ring, err = ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.RingBuf, MaxEntries: ringBytes}); err != nil {
		return nil, err // where that is not permitted, it is refused here, before anything costly
	}
	if err := a.attach(); err != nil {
		a.close()
		return nil, err
	}
	a.reader.SetDeadline(time.Unix(1, 0)) // never wait
	return a, nil
}

func (a *arguments) attach() error {
	at, err := offsets()
	if err != nil {
		return err
	}
	a.program, err = ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.RawTracepoint, License: "Dual BSD/GPL",
		Instructions: copyArguments(a.ring.FD(), os.Geteuid(), at)})
	if err != nil {
		return err
	}
	if a.hook, err = link.AttachRawTracepoint(link.RawTracepointOptions{Name: "sched_process_exec", Program: a.program}); err != nil {
		return err
	}
	a.reader, err = ringbuf.NewReader(a.ring)
	return err
}

// layout has the offsets of the fields that we read in this kernel.
type layout struct{ mm, argStart, argEnd, signal, pids, numbers, nr uint32 }

// offsets reads the layout from the kernel's own type information.
func offsets() (l layout, err error) {
	spec, err := btf.LoadKernelSpec()
	if err != nil {
		return l, err
	}
	for _, f := range []struct {
		of, member string
		to         *uint32
	}{{"task_struct", "mm", &l.mm}, {"mm_struct", "arg_start", &l.argStart}, {"mm_struct", "arg_end", &l.argEnd},
		{"task_struct", "signal", &l.signal}, {"signal_struct", "pids", &l.pids}, {"pid", "numbers", &l.numbers}, {"upid", "nr", &l.nr}} {
		var s *btf.Struct
		if err := spec.TypeByName(f.of, &s); err != nil {
			return l, err
		}
		at, ok := offset(s.Members, f.member)
		if !ok {
			return l, errors.New("process: this kernel's layout is another")
		}
		*f.to = at
	}
	return l, nil
}

// offset finds a member, also inside unnamed ones.
func offset(members []btf.Member, name string) (uint32, bool) {
	for _, m := range members {
		if m.Name == name {
			return m.Offset.Bytes(), true
		}
		if m.Name != "" {
			continue
		}
		var inner []btf.Member
		switch t := m.Type.(type) {
		case *btf.Struct:
			inner = t.Members
		case *btf.Union:
			inner = t.Members
		}
		if at, ok := offset(inner, name); ok {
			return m.Offset.Bytes() + at, true
		}
	}
	return 0, false
}

// copyArguments is the BPF program: for a caller who is this user it reserves a record, copies pid, name and
// arguments, and submits it. r6: task, then its mm; r7: the record; r8: start of the arguments; r9: their length. The
// stack's last word is scratch, the one before it the process group.
func copyArguments(ring, uid int, at layout) asm.Instructions {
	readKernel := func(from asm.Register, off uint32) asm.Instructions { // scratch = *(from + off)
		return asm.Instructions{
			asm.Mov.Reg(asm.R1, asm.RFP), asm.Add.Imm(asm.R1, -8),
			asm.Mov.Imm(asm.R2, 8),
			asm.Mov.Reg(asm.R3, from), asm.Add.Imm(asm.R3, int32(off)),
			asm.FnProbeReadKernel.Call(),
		}
	}
	scratch := func(to asm.Register) asm.Instruction { return asm.LoadMem(to, asm.RFP, -8, asm.DWord) }
	p := asm.Instructions{
		asm.LoadMem(asm.R6, asm.R1, 0, asm.DWord),
		asm.FnGetCurrentUidGid.Call(),
		asm.JNE.Imm32(asm.R0, int32(uid), "end"), // the uid is the lower half
	}
	p = append(p, readKernel(asm.R6, at.signal)...)
	p = append(p, scratch(asm.R7))
	p = append(p, readKernel(asm.R7, at.pids+8*pidTypeGroup)...)
	p = append(p, scratch(asm.R7))
	p = append(p, readKernel(asm.R7, at.numbers+at.nr)...)
	p = append(p, scratch(asm.R7), asm.StoreMem(asm.RFP, -16, asm.R7, asm.DWord))
	p = append(p, readKernel(asm.R6, at.mm)...)
	p = append(p, scratch(asm.R6))
	p = append(p, readKernel(asm.R6, at.argStart)...)
	p = append(p, scratch(asm.R8))
	p = append(p, readKernel(asm.R6, at.argEnd)...)
	p = append(p, scratch(asm.R9), asm.Sub.Reg(asm.R9, asm.R8),
		asm.LoadMapPtr(asm.R1, ring), asm.Mov.Imm(asm.R2, recordBytes), asm.Mov.Imm(asm.R3, 0),
		asm.FnRingbufReserve.Call(),
		asm.JEq.Imm(asm.R0, 0, "end"),
		asm.Mov.Reg(asm.R7, asm.R0),
		asm.FnGetCurrentPidTgid.Call(),
		asm.RSh.Imm(asm.R0, 32),
		asm.StoreMem(asm.R7, 0, asm.R0, asm.Word),
		asm.LoadMem(asm.R1, asm.RFP, -16, asm.DWord),
		asm.StoreMem(asm.R7, recordGroup, asm.R1, asm.Word),
		asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, recordComm), asm.Mov.Imm(asm.R2, 16),
		asm.FnGetCurrentComm.Call(),
		asm.JLE.Imm(asm.R9, recordArgv, "fits"),
		asm.Mov.Imm(asm.R9, recordArgv),
		asm.StoreMem(asm.R7, recordLen, asm.R9, asm.Word).WithSymbol("fits"),
		asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, recordArgs), asm.Mov.Reg(asm.R2, asm.R9), asm.Mov.Reg(asm.R3, asm.R8),
		asm.FnProbeReadUser.Call(),
		asm.JEq.Imm(asm.R0, 0, "submit"),
		asm.Mov.Imm(asm.R0, 0), asm.StoreMem(asm.R7, recordLen, asm.R0, asm.Word), // not readable: no arguments
		asm.Mov.Reg(asm.R1, asm.R7).WithSymbol("submit"), asm.Mov.Imm(asm.R2, noWakeup),
		asm.FnRingbufSubmit.Call(),
		asm.Mov.Imm(asm.R0, 0).WithSymbol("end"),
		asm.Return(),
	)
	return p
}

// pidTypeGroup is PIDTYPE_PGID of <linux/pid_types.h>.
const pidTypeGroup = 2

// noWakeup (BPF_RB_NO_WAKEUP): nobody waits for the ring; it is read on connector events.
const noWakeup = 1

// of takes the record of the next exec of pid; nil if there is none, as for another user's process.
func (a *arguments) of(pid int) *image {
	for a.reader.ReadInto(&a.record) == nil {
		if b := a.record.RawSample; len(b) >= recordArgs {
			a.note(b)
		}
	}
	noted := a.seen[pid]
	if len(noted) == 0 {
		return nil
	}
	if a.seen[pid] = noted[1:]; len(noted) == 1 {
		delete(a.seen, pid)
	}
	return noted[0]
}

// maxNoted bounds the records that the connector may never ask for after it lost messages.
const maxNoted = 4096

func (a *arguments) note(b []byte) {
	if len(a.seen) >= maxNoted {
		clear(a.seen)
	}
	n := min(int(binary.NativeEndian.Uint32(b[recordLen:])), len(b)-recordArgs)
	i := &image{mine: true, comm: cString(b[recordComm:recordGroup]), group: int(binary.NativeEndian.Uint32(b[recordGroup:]))}
	i.argv, i.cut = splitArgv(b[recordArgs:recordArgs+n], n >= recordArgv)
	pid := int(binary.NativeEndian.Uint32(b))
	a.seen[pid] = append(a.seen[pid], i)
}

func cString(b []byte) string {
	for n, c := range b {
		if c == 0 {
			return string(b[:n])
		}
	}
	return string(b)
}

func (a *arguments) close() {
	if a.reader != nil {
		_ = a.reader.Close()
	}
	if a.hook != nil {
		_ = a.hook.Close()
	}
	if a.program != nil {
		_ = a.program.Close()
	}
	_ = a.ring.Close()
}
