//go:build midi_jack && cgo && linux

package jack

/*
#include "client.h"
#include <stdlib.h>

static uint64_t missed(client *c, int i) { return atomic_load(&c->slot[i].missed); }
static bool heard(client *c, int i) { return jack_port_connected(c->slot[i].port) > 0; }
*/
import "C"

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const headSize = int(unsafe.Sizeof(C.record{}))

// Input reads the messages of one port.
type Input struct {
	s    *session // nil once closed or lost
	slot C.int
	r, w *os.File
}

// Listen connects to the port with that full name.
func (c *Conn) Listen(from string) (*Input, error) {
	mu.Lock()
	defer mu.Unlock()
	s := c.live()
	if s == nil {
		return nil, ErrNoServer
	}
	in := &Input{}
	var err error
	if in.r, in.w, err = pipe(); err != nil {
		return nil, err
	}
	n := C.CString(from)
	defer C.free(unsafe.Pointer(n))
	if in.slot = C.client_listen(s.c, n, C.int(fd(in.w))); in.slot < 0 {
		return nil, errors.Join(os.ErrNotExist, in.r.Close(), in.w.Close())
	}
	in.s = s
	s.ports[in] = struct{}{}
	return in, nil
}

// lose ends a waiting Read: nothing will be written any more.
func (in *Input) lose() {
	in.s = nil
	_ = in.w.Close()
}

// Read copies the next message into p and returns its time. It fails with os.ErrDeadlineExceeded if none came before
// the deadline (the zero time means no deadline), io.EOF when the server has ended, os.ErrClosed after Close. Only
// one goroutine may call it; p has room for MaxMessage.
func (in *Input) Read(p []byte, deadline time.Time) (int, time.Time, error) {
	if err := in.r.SetReadDeadline(deadline); err != nil {
		return 0, time.Now(), err
	}
	var head [headSize]byte
	if _, err := io.ReadFull(in.r, head[:]); err != nil {
		return 0, time.Now(), err
	}
	at := time.Unix(0, int64(binary.NativeEndian.Uint64(head[:])))
	size := int(binary.NativeEndian.Uint32(head[8:]))
	if size > len(p) {
		return 0, at, io.ErrShortBuffer
	}
	n, err := io.ReadFull(in.r, p[:size]) // there already: records are written whole
	return n, at, err
}

// Missed counts messages that were too long or for which there was no room.
func (in *Input) Missed() uint64 {
	mu.Lock()
	defer mu.Unlock()
	if in.s == nil {
		return 0
	}
	return uint64(C.missed(in.s.c, in.slot))
}

// Close leaves the port and ends a waiting Read.
func (in *Input) Close() error {
	mu.Lock()
	defer mu.Unlock()
	if in.s != nil {
		C.client_hush(in.s.c, in.slot)
		delete(in.s.ports, in)
		in.lose()
	}
	return in.r.Close()
}

// Output is a port of this program that others may read, as from a device. Showhow itself only reads; its tests play.
type Output struct {
	s    *session
	slot C.int
	r, w *os.File
}

// Speak creates an output port.
func (c *Conn) Speak(port string) (*Output, error) {
	mu.Lock()
	defer mu.Unlock()
	s := c.live()
	if s == nil {
		return nil, ErrNoServer
	}
	out := &Output{}
	var err error
	if out.r, out.w, err = pipe(); err != nil {
		return nil, err
	}
	n := C.CString(port)
	defer C.free(unsafe.Pointer(n))
	if out.slot = C.client_speak(s.c, n, C.int(fd(out.r))); out.slot < 0 {
		return nil, errors.Join(os.ErrExist, out.r.Close(), out.w.Close())
	}
	out.s = s
	s.ports[out] = struct{}{}
	return out, nil
}

func (out *Output) lose() {
	out.s = nil
	_ = out.r.Close()
}

// Send plays one message.
func (out *Output) Send(message []byte) error {
	if len(message) == 0 || len(message) > MaxMessage {
		return io.ErrShortWrite
	}
	record := make([]byte, headSize, headSize+len(message))
	binary.NativeEndian.PutUint32(record[8:], uint32(len(message)))
	_, err := out.w.Write(append(record, message...))
	return err
}

// Heard reports whether somebody is connected to the port.
func (out *Output) Heard() bool {
	mu.Lock()
	defer mu.Unlock()
	return out.s != nil && out.s.alive() && bool(C.heard(out.s.c, out.slot))
}

// pipe creates a non-blocking pipe as large as the kernel grants.
func pipe() (r, w *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return nil, nil, err
	}
	_, _ = unix.FcntlInt(uintptr(p[1]), unix.F_SETPIPE_SZ, 1<<20)
	return os.NewFile(uintptr(p[0]), "jack"), os.NewFile(uintptr(p[1]), "jack"), nil
}

// fd is the descriptor for C. (*os.File).Fd would make it blocking.
func fd(f *os.File) (n uintptr) {
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { n = fd })
	}
	return n
}
