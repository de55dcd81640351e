package terminal

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"showhow/adapters"
)

// pipe is one captured terminal while it is captured. Its reader ends before close returns.
type pipe struct {
	tty     string
	id      string // "PID NONCE"
	path    string
	who     string // beside it: pid and nonce of its reader
	here    string // named by the nonce: exists as long as this very pipe is read
	file    *os.File
	info    os.FileInfo
	created time.Time // commands that began earlier began unobserved
	sink    adapters.Sink
	done    chan struct{}

	mu     sync.Mutex
	shells map[int]*shell // by pid
}

// open makes a terminal's pipe and starts reading it. The name of its reader stands beside it before it appears.
func (w *watch) open(tty string) (*pipe, error) {
	nonce := rand.Text()
	p := &pipe{tty: tty, path: w.path(tty, ".fifo"), who: w.path(tty, ".who"), here: w.path(tty, "."+nonce), sink: w.sink,
		id: strconv.Itoa(os.Getpid()) + " " + nonce, done: make(chan struct{}), shells: map[int]*shell{}}
	for _, s := range Live(w.runtimeDir) {
		if s.TTY == tty {
			p.shells[s.PID] = idle(s.PID)
		}
	}
	if err := os.Remove(p.path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	evict(p.who, w.path(tty, "."))
	err := os.WriteFile(p.who, []byte(p.id+"\n"), 0o600)
	if err == nil {
		err = os.WriteFile(p.here, nil, 0o600)
	}
	if err == nil {
		err = makePipe(p.path)
	}
	if err == nil {
		p.created = w.now()
		p.file, err = openPipe(p.path)
	}
	if err == nil {
		p.info, err = p.file.Stat()
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	go p.read()
	return p, nil
}

// evict tells the shells that whoever read this terminal's pipe before, or died doing so, does not any more.
func evict(who, prefix string) {
	data, err := os.ReadFile(who)
	if err != nil {
		return
	}
	_, nonce, ok := strings.Cut(strings.TrimSpace(string(data)), " ")
	if ok && nonce != "" && nonce == filepath.Base(nonce) {
		_ = os.Remove(prefix + nonce)
	}
}

// close removes the pipe, reads what is still in it, and waits for the reader.
func (p *pipe) close() {
	p.remove()
	_ = p.file.SetReadDeadline(time.Unix(1, 0))
	<-p.done
}

// remove takes away what is ours, and not what another daemon may have put in its place.
func (p *pipe) remove() {
	_ = os.Remove(p.here)
	if who, err := os.ReadFile(p.who); err == nil && string(who) == p.id+"\n" {
		_ = os.Remove(p.path)
		_ = os.Remove(p.who)
	}
}

func (p *pipe) read() {
	defer close(p.done)
	defer p.file.Close()
	var in parser
	buf := make([]byte, 64<<10)
	for {
		n, err := p.file.Read(buf)
		p.take(&in, buf[:n])
		if err != nil {
			break
		}
	}
	for range 64 { // what a full pipe can still hold, and some more
		n := rest(p.file, buf)
		if n <= 0 {
			break
		}
		p.take(&in, buf[:n])
	}
}

// rest reads without waiting, deadline or not; 0 when there is nothing.
func rest(f *os.File, buf []byte) int {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	err = raw.Control(func(fd uintptr) {
		for {
			var errno error
			if n, errno = readNow(fd, buf); !errors.Is(errno, syscall.EINTR) {
				return
			}
		}
	})
	if err != nil {
		return 0
	}
	return n
}

type place int

const (
	here  place = iota
	gone        // removed: make it again
	taken       // somebody else put theirs there
)

// inPlace says whether the shells still find this pipe under its name.
func (p *pipe) inPlace() place {
	if who, err := os.ReadFile(p.who); err == nil && string(who) != p.id+"\n" {
		return taken
	}
	on, err := os.Lstat(p.path)
	if err != nil || !os.SameFile(on, p.info) {
		return gone
	}
	if _, err := os.Lstat(p.here); err != nil {
		return gone
	}
	return here
}

// marked reports whether a shell that showed the mark still lives in this terminal.
func (p *pipe) marked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for pid, s := range p.shells {
		now, ok := look(pid)
		if !ok || now.start != s.start {
			delete(p.shells, pid)
		} else if s.marked && (now.tty == "" || now.tty == p.tty) {
			return true
		}
	}
	return false
}
