package midi

import (
	"bytes"
	"encoding/binary"
	"os"
	"structs"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The parts of <sound/asequencer.h> in use.

type seqAddr struct{ client, port uint8 }

type seqClient struct {
	_            structs.HostLayout
	client, kind int32
	name         [64]byte
	filter       uint32
	multicast    [8]byte
	events       [32]byte
	ports, lost  int32
	card, pid    int32
	reserved     [56]byte
}

type seqPort struct {
	_                        structs.HostLayout
	addr                     seqAddr
	name                     [64]byte
	capability, kind         uint32
	channels, voices, synths int32
	readUse, writeUse        int32
	kernel                   uintptr
	flags                    uint32
	queue                    uint8
	reserved                 [59]byte
}

type seqPool struct {
	_                                            structs.HostLayout
	client, output, input, room, freeOut, freeIn int32
	reserved                                     [64]byte
}

type seqSubscription struct {
	_             structs.HostLayout
	sender, dest  seqAddr
	voices, flags uint32
	queue         uint8
	pad           [3]byte
	reserved      [64]byte
}

const (
	capRead      = 1 << 0
	capWrite     = 1 << 1
	capSubsRead  = 1 << 5
	capSubsWrite = 1 << 6
	capNoExport  = 1 << 7

	portMIDI        = 1 << 1
	portApplication = 1 << 20
)

// Requests: direction, size, 'S' (sequencer) or 'U' (control device) and number.
var (
	seqClientID   = request(kernelWrites, 'S', 0x01, unsafe.Sizeof(int32(0)))
	seqGetClient  = request(kernelReads|kernelWrites, 'S', 0x10, unsafe.Sizeof(seqClient{}))
	seqSetClient  = request(kernelReads, 'S', 0x11, unsafe.Sizeof(seqClient{}))
	seqCreatePort = request(kernelReads|kernelWrites, 'S', 0x20, unsafe.Sizeof(seqPort{}))
	seqSubscribe  = request(kernelReads, 'S', 0x30, unsafe.Sizeof(seqSubscription{}))
	seqGetPool    = request(kernelReads|kernelWrites, 'S', 0x4b, unsafe.Sizeof(seqPool{}))
	seqSetPool    = request(kernelReads, 'S', 0x4c, unsafe.Sizeof(seqPool{}))
	seqNextClient = request(kernelReads|kernelWrites, 'S', 0x51, unsafe.Sizeof(seqClient{}))
	seqNextPort   = request(kernelReads|kernelWrites, 'S', 0x52, unsafe.Sizeof(seqPort{}))
	ctlRawInfo    = request(kernelReads|kernelWrites, 'U', 0x41, unsafe.Sizeof(rawInfo{}))
	ctlPreferSub  = request(kernelReads, 'U', 0x42, unsafe.Sizeof(int32(0)))
)

const (
	kernelReads  = 1
	kernelWrites = 2
)

// request computes an ioctl number as most processors do; ALSA on MIPS, PowerPC and SPARC has other direction bits.
func request(direction, group, number, size uintptr) uintptr {
	return direction<<30 | size<<16 | group<<8 | number
}

// ioctl calls ioctl on a device without making it blocking.
func ioctl[T any](f *os.File, request uintptr, arg *T) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var errno unix.Errno
	err = conn.Control(func(fd uintptr) {
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(arg)))
	})
	if err == nil && errno != 0 {
		return errno
	}
	return err
}

func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

// Events: type, flags, tag, queue; time (8); source (2); destination (2); data (12).
const (
	eventSize      = 28
	lengthMask     = 3 << 2
	lengthVariable = 1 << 2
	extLength      = 1<<30 - 1 // of a variable length; the bits above are the kernel's
	maxEncoded     = 32        // more than one event's bytes, long ones excepted, which are cut

	evNoteOn       = 6
	evNoteOff      = 7
	evKeyPressure  = 8
	evController   = 10
	evProgram      = 11
	evPressure     = 12
	evBend         = 13
	evController14 = 14
	evPrivate      = 15
	evRegistered   = 16
	evStart        = 30
	evContinue     = 31
	evStop         = 32
	evClientExit   = 61
	evClientChange = 62
	evPortStart    = 63
	evPortChange   = 65
	evUnsubscribed = 67
	evExclusive    = 130
)

var order = binary.NativeEndian

// encode appends an event as the bytes of a MIDI cable; irrelevant events are dropped. Whole parameters, which
// programs may send, are expanded.
func encode(out []byte, e *[eventSize]byte, long []byte) []byte {
	data := e[16:]
	ch := data[0] & 0x0F
	param, value := order.Uint32(data[4:]), int(int32(order.Uint32(data[8:])))
	upper, lower := byte(value>>7)&0x7F, byte(value)&0x7F
	cc := func(pairs ...byte) []byte { return append(append(out, controlChange|ch), pairs...) }
	number := func(n uint32) (byte, byte) { return byte(n>>7) & 0x7F, byte(n) & 0x7F }
	switch e[0] {
	case evNoteOn:
		return append(out, noteOn|ch, data[1]&0x7F, data[2]&0x7F)
	case evNoteOff:
		return append(out, noteOff|ch, data[1]&0x7F, data[2]&0x7F)
	case evKeyPressure:
		return append(out, keyPressure|ch, data[1]&0x7F, data[2]&0x7F)
	case evController:
		return cc(byte(param)&0x7F, lower)
	case evController14:
		if param < 32 {
			return cc(byte(param), upper, byte(param)+32, lower)
		}
		return cc(byte(param)&0x7F, lower)
	case evPrivate:
		u, l := number(param)
		return cc(privateUpper, u, privateLower, l, dataUpper, upper, dataLower, lower)
	case evRegistered:
		u, l := number(param)
		return cc(registUpper, u, registLower, l, dataUpper, upper, dataLower, lower)
	case evProgram:
		return append(out, programChange|ch, lower)
	case evPressure:
		return append(out, channelPressure|ch, lower)
	case evBend:
		v := value + 8192
		return append(out, pitchBend|ch, byte(v)&0x7F, byte(v>>7)&0x7F)
	case evStart, evContinue, evStop:
		return append(out, map[byte]byte{evStart: start, evContinue: goOn, evStop: stop}[e[0]])
	case evExclusive:
		return append(out, long[:min(len(long), maxEncoded)]...)
	}
	return out
}
