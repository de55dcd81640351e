package api

import (
	"errors"
	"fmt"
	"time"
)

// terminal is a caller's controlling terminal, where the daemon itself writes what only a person there should see.
type terminal struct {
	dev uint64 // device number, as the kernel gave it for the calling process
	uid int
}

var errNoTerminal = errors.New("no terminal of this user")

// terminalOf is the controlling terminal of the process behind p, if it has one.
func terminalOf(t processTable, p peer) (terminal, bool) {
	if p.pid <= 0 {
		return terminal{}, false
	}
	proc, err := t.process(p.pid)
	if err != nil || proc.tty == 0 {
		return terminal{}, false
	}
	return terminal{dev: proc.tty, uid: p.uid}, true
}

// show writes text to the terminal. The device is opened without becoming our controlling terminal, and only if the kernel
// still gives it this number and this owner; a terminal that does not take the text at once is no terminal with a person.
func (t terminal) show(text string) error {
	f, err := t.open()
	if err != nil {
		return err
	}
	defer f.Close()
	f.SetWriteDeadline(time.Now().Add(time.Second))
	_, err = fmt.Fprint(f, text)
	return err
}
