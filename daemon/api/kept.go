package api

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"showhow/internal/fault"
	"showhow/internal/kept"
)

// A browser tab outlives a daemon that died or was restarted: the next one listens on the same port and knows the tab's login.
//
// What is kept for it lies in the runtime folder, which is this user's alone and gone at logout: the port, and of each login
// its SHA-256 and its end, which is never put off. Not kept: codes, open confirmations, and the terminal on which a login's
// confirmations were shown; a tab that goes on can do less than before, never more. Nothing is kept when the daemon was
// stopped or nobody used the port; what was kept is void after twelve hours, after the machine was started anew, and when the
// port cannot be had again, because whoever has it then is not us.
//
// It is kept only where the kernel says whose a connection is (admitted, peeruid_linux.go): between two daemons the port is
// free for everybody on the machine, and what a tab sends there must be worth nothing to another user. What this cannot stop:
// docs/security.md.
type keptLogins struct {
	Boot    string      `json:"boot"`
	Address string      `json:"address"`
	Logins  []keptLogin `json:"logins"`
}

type keptLogin struct {
	Hash    []byte    `json:"hash"`
	Expires time.Time `json:"expires"`
}

// list is every login of now, for keeping.
func (l *logins) list() (out []keptLogin) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep()
	for h, b := range l.bearers {
		out = append(out, keptLogin{h[:], b.expires})
	}
	return out
}

// restore takes up kept logins and returns how many are still good.
func (l *logins) restore(kept []keptLogin) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range kept {
		// An end later than any that we give is not from us.
		if len(k.Hash) == len(tokenHash{}) && k.Expires.Before(l.now().Add(bearerLife)) {
			l.bearers[tokenHash(k.Hash)] = login{expires: k.Expires}
		}
	}
	l.sweep()
	return len(l.bearers)
}

// keep writes down who is logged in. A failure costs the logins at the next restart, and nothing now.
func (s *Server) keep() {
	boot := bootID()
	if s.deps.LoginFile == "" || boot == "" {
		return
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	k := keptLogins{Boot: boot, Address: s.tcp.now(), Logins: s.logins.list()}
	if k.Address == "" {
		return
	}
	if err := kept.Save(s.deps.LoginFile, k); err != nil {
		s.log.Warn("browser logins cannot be kept over a restart", "code", string(fault.CodeOf(err)))
	}
}

// resume listens where the last daemon did when somebody is logged in there.
func (s *Server) resume() {
	k, ok := s.readKept()
	if !ok || s.logins.restore(k.Logins) == 0 {
		s.forget()
		return
	}
	if err := s.tcp.resume(k.Address); err != nil {
		s.log.Warn("the port of the browser's pages was taken: their logins have ended")
		s.moved.Store(true)
		s.logins.clear()
		s.forget()
	}
}

func (s *Server) readKept() (k keptLogins, ok bool) {
	boot := bootID()
	if s.deps.LoginFile == "" || boot == "" || !private(filepath.Dir(s.deps.LoginFile)) {
		return k, false
	}
	b, err := os.ReadFile(s.deps.LoginFile)
	return k, err == nil && json.Unmarshal(b, &k) == nil && k.Boot == boot
}

// closed ends every login with the port they were for, unless the daemon is about to be started again.
func (s *Server) closed() {
	s.logins.clear()
	if !s.restarting.Load() {
		s.forget()
	}
}

func (s *Server) forget() {
	if s.deps.LoginFile == "" {
		return
	}
	if err := os.Remove(s.deps.LoginFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("kept browser logins could not be removed")
	}
}
