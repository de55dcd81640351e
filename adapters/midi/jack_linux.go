//go:build midi_jack && cgo

package midi

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"showhow/adapters/midi/jack"
)

func cgoSources() []source { return []source{&jackSource{}} }

// jackSource holds a reference to the program's connection from the first listing of ports on.
type jackSource struct {
	mu     sync.Mutex
	conn   *jack.Conn
	server string // that conn belongs to
}

func (s *jackSource) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
}

func (s *jackSource) forget() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// ports implements source.
func (s *jackSource) ports() ([]port, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, up := jackServer()
	if !up || server != s.server {
		s.forget()
	}
	if !up {
		return nil, errNoSound
	}
	if s.conn == nil {
		conn, err := jack.Open("Showhow")
		if err != nil {
			return nil, errNoSound
		}
		s.conn, s.server = conn, server
	}
	names, err := s.conn.Ports()
	if err != nil {
		s.forget()
		return nil, errNoSound
	}
	out := make([]port, len(names))
	for i, full := range names {
		out[i] = port{id: full + " " + server, names: namesOf(full), ref: full} // the same port of another server is another one
	}
	return out, nil
}

// open implements source.
func (s *jackSource) open(p port) (input, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil, errNoSound
	}
	in, err := s.conn.Listen(p.ref.(string))
	if err != nil {
		return nil, err
	}
	return jackInput{in}, nil
}

// watch implements source. JACK reports ports on a thread of its own; polling is enough.
func (*jackSource) watch(context.Context, func()) {}

// jackInput is an input, and lossy.
type jackInput struct{ *jack.Input }

func (i jackInput) read(p []byte, deadline time.Time) (int, time.Time, error) {
	return i.Read(p, deadline)
}

func (i jackInput) close() error { return i.Close() }

// jackServer identifies the server, and whether one runs at all, without asking the library, which is slow.
func jackServer() (id string, up bool) {
	name := cmp.Or(os.Getenv("JACK_DEFAULT_SERVER"), "default")
	if st, err := os.Stat(fmt.Sprintf("/dev/shm/jack_%s_%d_0", name, os.Getuid())); err == nil {
		if sys, ok := st.Sys().(*syscall.Stat_t); ok {
			return fmt.Sprint(sys.Ino), true
		}
	}
	// PipeWire speaks JACK without its socket.
	if _, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "pipewire-0")); err == nil {
		return "pipewire", true
	}
	return "", false
}
