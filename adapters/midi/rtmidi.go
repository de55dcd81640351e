//go:build midi_rtmidi && cgo && !midi_jack

package midi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"showhow/internal/lazyre"
	"sync"
	"time"

	"gitlab.com/gomidi/midi/v2/drivers/rtmididrv/imported/rtmidi"
)

// cgoSources are CoreMIDI and WinMM, through RtMidi. On Linux kernelSources reads ALSA better, without a library, and
// RtMidi's JACK frees what JACK's thread still uses.
func cgoSources() []source {
	var out []source
	for _, api := range rtmidi.CompiledAPI() {
		switch api {
		case rtmidi.APIMacOSXCore, rtmidi.APIWindowsMM:
			out = append(out, &rt{api: api})
		}
	}
	return out
}

// rt lists ports with one client and opens each port with another.
type rt struct {
	api  rtmidi.API
	mu   sync.Mutex
	list rtmidi.MIDIIn
}

func (s *rt) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list != nil {
		_ = s.list.Close()
		s.list = nil
	}
}

var portNumberRE = lazyre.New(`\s+\d+$`) // WinMM: RtMidi appends it

// ports implements source.
func (s *rt) ports() ([]port, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		in, err := rtmidi.NewMIDIIn(s.api, "Showhow", 1)
		if err != nil {
			return nil, errNoSound
		}
		s.list = in
	}
	names, err := portNames(s.list)
	if err != nil {
		return nil, errNoSound
	}
	var out []port
	for i, full := range names {
		if full == "" {
			continue
		}
		p := port{id: nth(names, i), names: namesOf(full), ref: nth(names, i)}
		if runtime.GOOS == "windows" {
			if n := plain(portNumberRE.ReplaceAllString(full, "")); n != "" {
				p.names = append([]string{n}, p.names...)
			}
		}
		out = append(out, p)
	}
	return out, nil
}

func portNames(in rtmidi.MIDIIn) ([]string, error) {
	n, err := in.PortCount()
	if err != nil {
		return nil, err
	}
	names := make([]string, n)
	for i := range names {
		names[i], _ = in.PortName(i)
	}
	return names, nil
}

// nth is a port's name with its index among those of the same name.
func nth(names []string, i int) string {
	n := 0
	for _, x := range names[:i] {
		if x == names[i] {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", names[i], n)
}

// rtQueue is how many messages may be queued: over 4 s at 1,000 a second.
const rtQueue = 4096

// open implements source. It looks up the port's number by its name in the client that opens it.
func (s *rt) open(p port) (input, error) {
	in, err := rtmidi.NewMIDIIn(s.api, "Showhow", rtQueue)
	if err != nil {
		return nil, err
	}
	names, err := portNames(in)
	for i := range names {
		if p.ref != nth(names, i) {
			continue
		}
		if err = errors.Join(in.IgnoreTypes(false, true, true), in.OpenPort(i, "in")); err == nil {
			return &rtInput{in: in}, nil
		}
		break
	}
	_ = in.Close()
	if err == nil {
		err = os.ErrNotExist
	}
	return nil, err
}

// watch implements source: RtMidi has no notifications.
func (*rt) watch(context.Context, func()) {}

// rtInput polls the library's queue. RtMidi's callbacks would run Go on a system thread, and a callback while the
// port is being closed crashes the program.
type rtInput struct {
	mu   sync.Mutex // the library frees the client in Close
	in   rtmidi.MIDIIn
	done bool
	at   time.Time // when the last message came
	busy time.Time
}

// How often the queue is polled while messages come, and after a second without any.
const (
	rtSoon  = 2 * time.Millisecond
	rtLater = 20 * time.Millisecond
)

func (r *rtInput) read(p []byte, deadline time.Time) (int, time.Time, error) {
	for {
		n, at, err := r.fetch(p)
		if n > 0 || err != nil {
			return n, at, err
		}
		now := time.Now()
		if !deadline.IsZero() && !now.Before(deadline) {
			return 0, now, os.ErrDeadlineExceeded
		}
		wait := rtLater
		if now.Sub(r.busy) < time.Second {
			wait = rtSoon
		}
		time.Sleep(wait)
	}
}

// fetch takes one message from the queue. The driver gives its delay after the previous one.
func (r *rtInput) fetch(p []byte) (n int, at time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return 0, time.Now(), os.ErrClosed
	}
	defer func() {
		if recover() != nil { // exclusive data longer than the library's buffer: it is gone
			n, err = 0, nil
		}
	}()
	msg, delta, err := r.in.Message()
	if err != nil || len(msg) == 0 {
		return 0, time.Now(), err
	}
	now := time.Now()
	r.busy = now
	if at = r.at.Add(time.Duration(delta * float64(time.Second))); r.at.IsZero() || at.After(now) {
		at = now
	}
	r.at = at
	return copy(p, msg), at, nil
}

func (r *rtInput) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return nil
	}
	r.done = true
	return r.in.Close()
}
