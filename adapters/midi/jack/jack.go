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

// ErrNoServer says that no JACK server answers, or that the one that did has ended.
var ErrNoServer = errors.New("jack: no server")

// mu guards everything here: what is called is quick, and libjack has one lock for all of it, too.
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

// alive ends the session when its server has ended.
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

// Conn is a share of the connection to the server.
type Conn struct{ s *session }

// Open connects to the server under this name, unless the program is connected already.
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

// Close gives the share up. The connection ends with the last one; an Input that is still open has ended then.
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

// live is the session, nil when it has ended. The caller holds mu.
func (c *Conn) live() *session {
	if c.s == nil || !c.s.alive() {
		return nil
	}
	return c.s
}

// Ports are the full names of the ports that give MIDI.
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
