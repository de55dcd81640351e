package api

import (
	"os"
	"sync/atomic"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
)

// A click in the tray confirms what the tray shows in full: a run's question, a waiting connector's call, and every
// confirmation that waits for a code elsewhere, as long as all of it fits into a menu. It confirms exactly the request
// that was sent back for it.
//
// Any program on the session bus can send a click to the tray. So the tray names the process that did, which the bus
// knows from the kernel, and that process is examined like a caller: one below an agent is refused, the desktop's
// panel is not. The tray itself must be this very program, and a person's. It never sees a code; the requester uses a
// ticket that nobody else got.
//
// What this cannot prevent is what ancestry cannot see (package caller): a program that detached itself from an agent
// without a mark and has a bus of its own, or that controls the panel by synthetic input. The same program could as
// well read a terminal.
type tray struct {
	ancestry *caller.Ancestry
	wall     func() time.Time
	polled   atomic.Int64 // Unix nanoseconds: when a tray that can be clicked last polled
}

// trayActions are the actions that the tray itself requests.
var trayActions = map[string]bool{"answer-run": true, "approve-call": true}

// byClick reports whether the caller is our tray, which may confirm for the person who clicked; err says why it may
// not.
func (t *tray) byClick(c *caller.Caller, clicker int) (bool, error) {
	if clicker == 0 || !t.isTray(c) {
		return false, nil
	}
	p := t.ancestry.Running(clicker)
	if p.Kind != access.User {
		return false, presence.Rejected("the click was not a person's: " + p.Why)
	}
	return true, nil
}

// isTray reports whether the caller is a person's process that runs this very program, as the tray does.
func (t *tray) isTray(c *caller.Caller) bool {
	if c.Kind != access.User || !c.OverSocket {
		return false
	}
	self, err := os.Executable()
	return err == nil && caller.Runs(c.PID, self)
}

// trayTimeout is how long after its last poll a tray counts as available; it polls every three seconds.
const trayTimeout = 10 * time.Second

// notePoll records a poll of the tray.
func (t *tray) notePoll() { t.polled.Store(t.wall().UnixNano()) }

// available reports whether a tray that a panel shows could be clicked.
func (t *tray) available() bool {
	return t.wall().Sub(time.Unix(0, t.polled.Load())) < trayTimeout
}
