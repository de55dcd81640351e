//go:build midi_jack && cgo && linux

package jack

/*
#cgo pkg-config: jack
#include "client.h"
#include <stdlib.h>

static const char **ports(client *c) { return jack_get_ports(c->jack, NULL, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput); }
static bool gone(client *c) { return atomic_load(&c->gone); }
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"
)

// MaxMessage is the longest message that is passed on, in bytes.
const MaxMessage = int(C.max_message)

// ErrNoServer: no JACK server answers, or the one that did has ended.
var ErrNoServer = errors.New("jack: no server")

// mu guards everything here: all calls are quick, and libjack has a single lock as well.
var mu sync.Mutex

// shared is the program's only client.
var shared *session

// session is one client, from opening to closing.
type session struct {
	c     *C.client         // nil once closed
	conns int               // that have not been closed
	ports map[port]struct{} // open
}

// port is an Input or an Output.
type port interface{ lose() }

// alive reports whether the server is running; if not, it ends the session.
func (s *session) alive() bool {
	if s.c != nil && bool(C.gone(s.c)) {
		s.end()
	}
	return s.c != nil
}

// end closes the client and every port of it.
func (s *session) end() {
	if s.c == nil {
		return
	}
	C.client_close(s.c)
	s.c = nil
	if shared == s {
		shared = nil
	}
	for p := range s.ports {
		p.lose()
	}
	clear(s.ports)
}

// Conn is a reference to the shared connection.
type Conn struct{ s *session }

// Open connects to the server under this name, unless the program is already connected.
func Open(name string) (*Conn, error) {
	mu.Lock()
	defer mu.Unlock()
	if shared == nil || !shared.alive() {
		n := C.CString(name)
		defer C.free(unsafe.Pointer(n))
		c := C.client_open(n)
		if c == nil {
			return nil, ErrNoServer
		}
		shared = &session{c: c, ports: map[port]struct{}{}}
	}
	shared.conns++
	return &Conn{shared}, nil
}

// Close releases the reference. The last one closes the connection and any Input that is still open.
func (c *Conn) Close() {
	mu.Lock()
	defer mu.Unlock()
	if c.s == nil {
		return
	}
	if c.s.conns--; c.s.conns == 0 {
		c.s.end()
	}
	c.s = nil
}

// live is the session, nil if it has ended. The caller holds mu.
func (c *Conn) live() *session {
	if c.s == nil || !c.s.alive() {
		return nil
	}
	return c.s
}

// Ports returns the full names of the MIDI output ports.
func (c *Conn) Ports() ([]string, error) {
	mu.Lock()
	defer mu.Unlock()
	s := c.live()
	if s == nil {
		return nil, ErrNoServer
	}
	list := C.ports(s.c)
	if list == nil {
		return nil, nil
	}
	defer C.jack_free(unsafe.Pointer(list))
	var out []string
	for p := list; *p != nil; p = (**C.char)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))) {
		out = append(out, C.GoString(*p))
	}
	return out, nil
}
