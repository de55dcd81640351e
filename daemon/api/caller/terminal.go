package caller

import (
	"errors"
	"fmt"
	"time"
)

// Terminal is a caller's controlling terminal, where the daemon itself writes what only a person there should see.
type Terminal struct {
	dev uint64 // device number, as the kernel gave it for the calling process
	uid int
}

var errNoTerminal = errors.New("no terminal of this user")

// TerminalOf is the controlling terminal of the process behind p, if it has one.
func (a *Ancestry) TerminalOf(p Peer) (Terminal, bool) {
	if p.PID <= 0 {
		return Terminal{}, false
	}
	proc, err := a.procs.process(p.PID)
	if err != nil || proc.tty == 0 {
		return Terminal{}, false
	}
	return Terminal{dev: proc.tty, uid: p.UID}, true
}

// Show writes text to the terminal. The device is opened without becoming our controlling terminal, and only if the
// kernel still gives it this number and this owner; a terminal that does not accept the text at once has no person at
// it.
func (t Terminal) Show(text string) error {
	f, err := t.open()
	if err != nil {
		return err
	}
	defer f.Close()
	f.SetWriteDeadline(time.Now().Add(time.Second))
	_, err = fmt.Fprint(f, text)
	return err
}
