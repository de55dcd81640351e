package api

import (
	"crypto/sha256"
	"sync"
	"time"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
)

// Browser pages log in without cookies (decisions D3: a cookie set by one port is sent to every other port of the
// host). `showhow open` makes a code that is valid for one exchange within a minute; the page exchanges it for a
// bearer. Both are stored as hashes only. A code ends with the daemon; a bearer's hash may outlive it (kept.go).
const (
	codeLife   = time.Minute
	bearerLife = 12 * time.Hour
)

type tokenHash [sha256.Size]byte

func hashOf(token string) tokenHash { return tokenHash(access.HashToken(token)) }

// login is what a code or a bearer stands for.
type login struct {
	expires time.Time
	tty     *caller.Terminal // of the caller who asked for the login: where confirmations for this page are shown
}

type logins struct {
	now     func() time.Time
	mu      sync.Mutex
	codes   map[tokenHash]login
	bearers map[tokenHash]login
}

func newLogins(now func() time.Time) *logins {
	return &logins{now: now, codes: map[tokenHash]login{}, bearers: map[tokenHash]login{}}
}

// code makes a one-time code.
func (l *logins) code(tty *caller.Terminal) (string, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep()
	c, expires := access.NewToken(access.CodePrefix), l.now().Add(codeLife)
	l.codes[hashOf(c)] = login{expires, tty}
	return c, expires
}

// exchange exchanges a code, once. A code is used up by the first attempt, even if it had expired.
func (l *logins) exchange(code string) (bearer string, expires time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := hashOf(code)
	c, ok := l.codes[h]
	delete(l.codes, h)
	if !ok || !l.now().Before(c.expires) {
		return "", time.Time{}, false
	}
	l.sweep()
	bearer, expires = access.NewToken(access.BearerPrefix), l.now().Add(bearerLife)
	l.bearers[hashOf(bearer)] = login{expires, c.tty}
	return bearer, expires, true
}

// check finds the login of a bearer. Looking up hashes in a map leaks nothing: an attacker cannot choose a hash.
func (l *logins) check(bearer string) (login, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.bearers[hashOf(bearer)]
	return b, ok && l.now().Before(b.expires)
}

// clear ends every login: their port is closed.
func (l *logins) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.codes)
	clear(l.bearers)
}

func (l *logins) sweep() {
	for _, m := range []map[tokenHash]login{l.codes, l.bearers} {
		for h, v := range m {
			if !l.now().Before(v.expires) {
				delete(m, h)
			}
		}
	}
}
