package kit

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"showhow/internal/fault"
)

// Output is what a command writes for its caller. It remembers the first write that failed, because most commands
// print many lines and look at none of the results: an answer that nobody received is no success.
type Output struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

// NewOutput makes the output of a command.
func NewOutput(to io.Writer) *Output { return &Output{to: to} }

func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil { // what comes later would be an answer with a gap
		return 0, o.err
	}
	n, err := o.to.Write(b)
	if err != nil {
		o.err = fault.Wrap(err, fault.OutputFailed, "the output cannot be written; what was printed is incomplete").
			WithHint("make room on the disk or write elsewhere, and run it again")
	}
	return n, o.err
}

// Err is the error of the first write that failed.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// ReaderLeft reports whether a write failed because whoever read the output has enough, as `| head` does. On Unix a
// signal ends the program then.
func ReaderLeft(err error) bool {
	return errors.Is(err, syscall.EPIPE) && fault.Is(err, fault.OutputFailed)
}

// FileOf is the file behind a command's output, for a terminal and for a program that inherits it.
func FileOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*Output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	return f, ok
}
