package midi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// sequencer reads ALSA's sequencer, /dev/snd/seq, with its own system calls and no library. It is preferred over the
// raw devices: several programs may read a device at once, and programs' own ports are there too.
type sequencer struct {
	dev string // /dev/snd

	mu   sync.Mutex
	list *os.File // a client that only looks: making one each time would tell everybody that clients come and go
}

func (s *sequencer) node() string { return filepath.Join(s.dev, "seq") }

// client registers as a client of the sequencer.
func (s *sequencer) client() (*os.File, error) {
	f, err := os.OpenFile(s.node(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO) {
		return nil, errNoSound
	}
	if err != nil {
		return nil, meaning(err)
	}
	return f, nil
}

// close implements source.
func (s *sequencer) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list != nil {
		s.list.Close()
		s.list = nil
	}
}

// ports implements source: every readable port except the system's own.
func (s *sequencer) ports() ([]port, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		f, err := s.client()
		if err != nil {
			return nil, err
		}
		s.list = f
	}
	var out []port
	for c := (seqClient{client: -1}); ioctl(s.list, seqNextClient, &c) == nil; {
		if c.client == 0 {
			continue
		}
		p := seqPort{addr: seqAddr{client: uint8(c.client), port: 0xFF}}
		for ioctl(s.list, seqNextPort, &p) == nil {
			if p.capability&(capRead|capSubsRead|capNoExport) != capRead|capSubsRead {
				continue
			}
			out = append(out, port{id: fmt.Sprintf("%d:%d", p.addr.client, p.addr.port), ref: p.addr,
				names: namesOf(text(c.name[:]) + ":" + text(p.name[:]))})
		}
	}
	return out, nil
}

// open implements source: a client of its own, whose one port subscribes to the device's.
func (s *sequencer) open(p port) (input, error) {
	f, err := s.client()
	if err != nil {
		return nil, err
	}
	if err := subscribe(f, p.ref.(seqAddr)); err != nil {
		f.Close()
		return nil, meaning(err)
	}
	return &seqInput{f: f}, nil
}

// inputPool is how many events may be queued: two seconds at 1,000 a second, the most that the kernel allows.
const inputPool = 2000

// subscribe routes what a port sends to the client f.
func subscribe(f *os.File, from seqAddr) error {
	var id int32
	if err := ioctl(f, seqClientID, &id); err != nil {
		return err
	}
	c := seqClient{client: id}
	if err := ioctl(f, seqGetClient, &c); err != nil {
		return err
	}
	copy(c.name[:], "Showhow\x00")
	pool := seqPool{client: id}
	if err := errors.Join(ioctl(f, seqSetClient, &c), ioctl(f, seqGetPool, &pool)); err != nil {
		return err
	}
	pool.input = inputPool
	_ = ioctl(f, seqSetPool, &pool) // the kernel's own size will do
	own := seqPort{addr: seqAddr{client: uint8(id)}, capability: capWrite | capSubsWrite | capNoExport, kind: portMIDI | portApplication,
		channels: 16}
	copy(own.name[:], "in")
	if err := ioctl(f, seqCreatePort, &own); err != nil {
		return err
	}
	return ioctl(f, seqSubscribe, &seqSubscription{sender: from, dest: own.addr})
}

// seqInput is a subscription. It converts events back to bytes, so that all sources share one parser.
type seqInput struct {
	f    *os.File
	raw  [64 * eventSize]byte
	from []byte // of raw: not yet handed on
}

// errUnsubscribed: the device is gone, or somebody removed the subscription.
var errUnsubscribed = errors.New("midi: the subscription ended")

func (r *seqInput) read(p []byte, deadline time.Time) (int, time.Time, error) {
	if len(r.from) == 0 {
		if err := r.f.SetReadDeadline(deadline); err != nil {
			return 0, time.Now(), err
		}
		n, err := r.f.Read(r.raw[:])
		if errors.Is(err, syscall.ENOSPC) { // events were lost before they could be read: go on with the next ones
			return 0, time.Now(), nil
		}
		if err != nil {
			return 0, time.Now(), err
		}
		r.from = r.raw[:n]
	}
	at := time.Now()
	out := p[:0]
	for len(r.from) >= eventSize && cap(out)-len(out) >= maxEncoded {
		e := (*[eventSize]byte)(r.from)
		r.from = r.from[eventSize:]
		if e[0] == evUnsubscribed {
			return len(out), at, errUnsubscribed
		}
		var long []byte
		if e[1]&lengthMask == lengthVariable {
			n := int(order.Uint32(e[16:])) & extLength
			long = r.from[:min(n, len(r.from))]
			r.from = r.from[min((n+eventSize-1)/eventSize*eventSize, len(r.from)):]
		}
		out = encode(out, e, long)
	}
	if len(r.from) < eventSize {
		r.from = nil
	}
	return len(out), at, nil
}

func (r *seqInput) close() error { return r.f.Close() }

// watch implements source: the sequencer announces ports that come and go.
func (s *sequencer) watch(ctx context.Context, changed func()) {
	for ctx.Err() == nil {
		if f, err := s.client(); err == nil {
			s.follow(ctx, f, changed)
		}
		select { // the node comes with the first card, or with the driver
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
}

func (s *sequencer) follow(ctx context.Context, f *os.File, changed func()) {
	defer f.Close()
	stop := context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if subscribe(f, seqAddr{client: 0, port: 1}) != nil { // System, Announce
		return
	}
	buf := make([]byte, 16*eventSize)
	for {
		n, err := f.Read(buf)
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			return
		}
		for e := buf[:n]; len(e) >= eventSize; e = e[eventSize:] {
			if e[0] >= evPortStart && e[0] <= evPortChange || e[0] == evClientExit || e[0] == evClientChange {
				changed()
				break
			}
		}
	}
}
