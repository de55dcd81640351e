package midi

import (
	"errors"
	"os"
	"sync"
	"time"
)

// reader reads one open port and folds what it sends. Ports are folded separately: two hands on two devices are two
// gestures.
type reader struct {
	in     input
	device string   // as the scope names it
	names  []string // all of the port's
	now    func() time.Time
	lose   func()        // reports that the device is lost
	miss   func(n int64) // reports dropped messages
	done   chan struct{}
	missed uint64 // reported already

	mu     sync.Mutex
	parser parser
	fold   *folder
	paused bool
	gone   bool
}

// startReader reads until end or until the device is lost.
func startReader(in input, p wantedPort, w *watch) *reader {
	r := &reader{in: in, device: p.device, names: p.names, now: w.now, lose: w.poke, miss: w.miss, done: make(chan struct{}), paused: w.paused}
	r.fold = newFolder(func(g gesture) { w.emit(p.device, g) })
	go func() {
		defer close(r.done)
		w.guard(r.run)
	}()
	return r
}

func (r *reader) run() {
	buf := make([]byte, 4096) // the longest message of JACK
	for {
		r.mu.Lock()
		due := r.fold.due()
		r.mu.Unlock()
		n, at, err := r.in.read(buf, due)
		r.take(buf[:n], at)
		r.count()
		if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		r.mu.Lock()
		r.gone = true
		r.fold.flush(r.now())
		r.mu.Unlock()
		r.lose()
		return
	}
}

// take folds what was read. While paused only the parser runs, so that it knows where messages begin afterwards.
func (r *reader) take(b []byte, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range b {
		if m, ok := r.parser.feed(x); ok && !r.paused {
			r.fold.take(m, at)
		}
	}
	r.fold.tick(r.now())
}

// count reports messages dropped since the last call, unless they were not wanted.
func (r *reader) count() {
	l, ok := r.in.(lossy)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := l.Missed(); n > r.missed {
		if !r.paused {
			r.miss(int64(n - r.missed))
		}
		r.missed = n
	}
}

func (r *reader) pause(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused = on
	r.fold.flush(r.now())
}

func (r *reader) lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// end closes the port and waits for the reader.
func (r *reader) end() {
	_ = r.in.close()
	<-r.done
}
