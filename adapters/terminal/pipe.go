package terminal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"showhow/adapters"
)

// pipe is one terminal of the scope: captured, or paused, when it only tells the shells so. Its readers end before
// close returns.
type pipe struct {
	tty     string
	nonce   string
	id      string // the content of who
	path    string
	who     string // beside it: "PID NONCE on SPOOL" or "PID NONCE paused"
	here    string // named by the nonce: exists as long as this very pipe is read
	file    *os.File
	info    os.FileInfo
	spool   *spool                    // for fish; nil where there is no file system in memory, and while paused
	created atomic.Pointer[time.Time] // commands that began earlier began unobserved; nil: not made yet
	sink    adapters.Sink
	now     func() time.Time
	shown   func(process) // a shell reported the mark
	done    chan struct{}

	mu     sync.Mutex
	shells map[int]*shell // by pid
}

// open creates a terminal's pipe and starts reading it. The file with its reader's name exists before the pipe
// appears.
func (w *watch) open(tty string, paused bool) (*pipe, error) {
	nonce := rand.Text()
	p := &pipe{tty: tty, nonce: nonce, path: w.path(tty, ".fifo"), who: w.path(tty, ".who"), here: w.path(tty, "."+nonce),
		sink: w.sink, now: w.now, shown: w.showed, id: strconv.Itoa(os.Getpid()) + " " + nonce, shells: map[int]*shell{}}
	if paused {
		p.id += " paused"
		return p, p.place()
	}
	for _, s := range Live(w.runtimeDir) {
		if s.TTY == tty {
			p.shells[s.PID] = idle(s.PID)
		}
	}
	if w.spools != "" {
		s, err := openSpool(w.spools, fmt.Sprintf("%d.%s", os.Getpid(), nonce), w.now, p.spooled)
		if err != nil {
			return nil, err // no room: tried again, else fish would stay unseen for good
		}
		p.spool = s
	}
	if p.id += " on"; p.spool != nil {
		p.id += " " + p.spool.path()
	}
	err := p.place()
	if err == nil {
		created := w.now()
		p.created.Store(&created)
		p.file, err = openPipe(p.path, p.info)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	p.done = make(chan struct{})
	go p.read()
	return p, nil
}

// place creates the files that the shells look for: first the reader's name, atomically, last the file that says that
// this pipe is read. From then on any previous reader of this terminal no longer reads.
func (p *pipe) place() error {
	before, _ := os.ReadFile(p.who)
	if err := p.sign(); err != nil {
		return err
	}
	if _, nonce, ok := reader(string(before)); ok {
		_ = os.Remove(strings.TrimSuffix(p.here, p.nonce) + nonce)
	}
	info, err := makePipe(p.path)
	if err == nil {
		p.info = info
		err = os.WriteFile(p.here, nil, 0o600)
	}
	return err
}

// sign replaces the reader's name by ours. Another daemon that checks its pipe meanwhile sees its own name or ours.
func (p *pipe) sign() error {
	tmp := p.here + ".new"
	err := os.WriteFile(tmp, []byte(p.id+"\n"), 0o600)
	if err == nil {
		err = os.Rename(tmp, p.who)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}

// close removes the pipe, reads what is still in it, and waits for the readers.
func (p *pipe) close() {
	p.remove()
	if p.done != nil {
		_ = p.file.SetReadDeadline(time.Unix(1, 0))
		<-p.done
	}
	if p.spool != nil {
		p.spool.close()
	}
}

// remove removes what is ours, and not what another daemon may have put in its place.
func (p *pipe) remove() {
	_ = os.Remove(p.here)
	if p.inPlace() != taken {
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

// rest reads without waiting, whatever the deadline; 0 if there is nothing.
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

// inPlace says whether the shells still find this pipe under its name. It checks the reader's name last, because
// whoever takes over a terminal writes it first: a pipe that another daemon just replaced was not removed by a
// person.
func (p *pipe) inPlace() place {
	state := gone
	if on, err := os.Lstat(p.path); err == nil && p.info != nil && os.SameFile(on, p.info) {
		if _, err := os.Lstat(p.here); err == nil {
			state = here
		}
	}
	if who, err := os.ReadFile(p.who); err == nil && string(who) != p.id+"\n" {
		return taken
	}
	return state
}

// marked reports whether a shell that showed the mark still lives in this terminal.
func (p *pipe) marked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for pid, s := range p.shells {
		now, ok := look(pid)
		if !ok || !now.same(s.process) {
			delete(p.shells, pid)
		} else if s.marked && (now.tty == "" || now.tty == p.tty) {
			return true
		}
	}
	return false
}
