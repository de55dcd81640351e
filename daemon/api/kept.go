package api

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"showhow/daemon/api/caller"
	"showhow/internal/fault"
	"showhow/internal/kept"
)

// A browser tab outlives a daemon that crashed or was restarted: the next one listens on the same port and knows the
// tab's login.
//
// What is kept for that lies in the runtime folder, which is this user's alone and gone at logout: the port, and for
// each login its SHA-256 and its expiry, which is never extended. Not kept: codes, open confirmations, and the
// terminal on which a login's confirmations were shown; a resumed tab can do less than before, never more. Nothing is
// kept when the daemon was stopped or nobody used the port; what was kept is void after twelve hours, after a reboot,
// and when the port cannot be bound again, because whoever has it then is not us.
//
// It is kept only where the kernel reports the owner of a connection (admitted, peeruid_linux.go): between two daemons
// the port is free for everybody on the machine, and what a tab sends there must be worthless to another user. What
// this cannot prevent: docs/security.md.
type keptLogins struct {
	Boot    string      `json:"boot"`
	Address string      `json:"address"`
	Logins  []keptLogin `json:"logins"`
}

type keptLogin struct {
	Hash    []byte    `json:"hash"`
	Expires time.Time `json:"expires"`
}

// browserAccess is how a browser connects: a port that is open while it is used, and the logins there.
type browserAccess struct {
	gate       *tcpGate
	logins     *logins
	file       string // where logins are kept over a restart; "" nowhere
	log        *slog.Logger
	keeping    sync.Mutex  // of the file
	restarting atomic.Bool // the daemon is about to restart
	portLost   atomic.Bool // another process has the port of kept logins
}

func newBrowserAccess(now func() time.Time, file string, log *slog.Logger) *browserAccess {
	d := &browserAccess{logins: newLogins(now), file: file, log: log}
	d.gate = newTCPGate(d.closed)
	return d
}

// list returns the current logins, for keeping.
func (l *logins) list() (out []keptLogin) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep()
	for h, b := range l.bearers {
		out = append(out, keptLogin{h[:], b.expires})
	}
	return out
}

// restore adopts kept logins and returns how many are still valid.
func (l *logins) restore(kept []keptLogin) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range kept {
		// An expiry later than any that we give is not ours.
		if len(k.Hash) == len(tokenHash{}) && k.Expires.Before(l.now().Add(bearerLife)) {
			l.bearers[tokenHash(k.Hash)] = login{expires: k.Expires}
		}
	}
	l.sweep()
	return len(l.bearers)
}

// keep writes the logins down. A failure costs the logins at the next restart, and nothing now.
func (d *browserAccess) keep() {
	boot := caller.BootID()
	if d.file == "" || boot == "" {
		return
	}
	d.keeping.Lock()
	defer d.keeping.Unlock()
	k := keptLogins{Boot: boot, Address: d.gate.now(), Logins: d.logins.list()}
	if k.Address == "" {
		return
	}
	if err := kept.Save(d.file, k); err != nil {
		d.log.Warn("browser logins cannot be kept over a restart", "code", string(fault.CodeOf(err)))
	}
}

// resume listens on the last daemon's port if a login is kept for it.
func (d *browserAccess) resume() {
	k, ok := d.readKept()
	if !ok || d.logins.restore(k.Logins) == 0 {
		d.forget()
		return
	}
	if err := d.gate.resume(k.Address); err != nil {
		d.log.Warn("the port of the browser's pages was taken: their logins have ended")
		d.portLost.Store(true)
		d.logins.clear()
		d.forget()
	}
}

func (d *browserAccess) readKept() (k keptLogins, ok bool) {
	boot := caller.BootID()
	if d.file == "" || boot == "" || !private(filepath.Dir(d.file)) {
		return k, false
	}
	b, err := os.ReadFile(d.file)
	return k, err == nil && json.Unmarshal(b, &k) == nil && k.Boot == boot
}

// closed ends every login with their port, unless the daemon is about to restart.
func (d *browserAccess) closed() {
	d.logins.clear()
	if !d.restarting.Load() {
		d.forget()
	}
}

func (d *browserAccess) forget() {
	if d.file == "" {
		return
	}
	if err := os.Remove(d.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.log.Warn("kept browser logins could not be removed")
	}
}
