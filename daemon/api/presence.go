package api

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"strings"
	"sync"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Presence is a person's word for one action on one subject as it was seen (decisions D2). The daemon itself writes a code to
// the caller's controlling terminal; whoever reads that terminal types it. A confirmation is bound to action, subject,
// revision and content hash, is good for two minutes, one use and three guesses, and void once the subject changed after it.
//
// A program that controls the terminal's other end (a terminal emulator, tmux, an agent's pseudo terminal) can read the code.
const (
	confirmationLife    = 2 * time.Minute
	confirmationGuesses = 3
	confirmationsOpen   = 8 // at a time; more is somebody guessing or flooding a terminal
)

// Subject is what is acted upon, as it is now.
type Subject struct {
	ID          string
	Revision    int
	ContentHash string
	ChangedAt   clock.Time
}

// claim is what a confirmation is bound to.
type claim struct {
	action, subject, hash string
	revision              int
}

type confirmation struct {
	claim
	code    string
	created time.Time
	expires time.Time
	guesses int
}

type confirmations struct {
	now   func() time.Time
	newID func() string
	mu    sync.Mutex
	open  map[string]*confirmation
}

func newConfirmations(now func() time.Time, newID func() string) *confirmations {
	return &confirmations{now: now, newID: newID, open: map[string]*confirmation{}}
}

// ask opens a confirmation and shows its code on the terminal.
func (c *confirmations) ask(r wire.ConfirmationRequest, tty *terminal, what string) (wire.Confirmation, error) {
	if tty == nil {
		return wire.Confirmation{}, noTerminal()
	}
	code := newCode()
	id, err := c.add(claim{r.Action, r.SubjectID, r.ContentHash, r.Revision}, code)
	if err != nil {
		return wire.Confirmation{}, err
	}
	text := fmt.Sprintf("\r\nShowhow: to confirm \"%s\" type this code: %s\r\n", what, code)
	if err := tty.show(text); err != nil {
		c.forget(id)
		return wire.Confirmation{}, noTerminal()
	}
	return wire.Confirmation{ConfirmationID: id, ExpiresAt: clock.At(c.now().Add(confirmationLife)), How: "terminal_code"}, nil
}

func noTerminal() error {
	return fault.New(fault.PresenceRequired, "a person must confirm this, and the caller has no terminal to show a code on").
		WithHint("run the command in a terminal, or confirm in the Showhow window")
}

func (c *confirmations) add(cl claim, code string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	for id, o := range c.open {
		if !now.Before(o.expires) {
			delete(c.open, id)
		}
	}
	if len(c.open) >= confirmationsOpen {
		return "", fault.New(fault.TooManyRequests, "too many confirmations are waiting for a person").WithHint("wait two minutes")
	}
	id := c.newID()
	c.open[id] = &confirmation{claim: cl, code: code, created: now, expires: now.Add(confirmationLife)}
	return id, nil
}

func (c *confirmations) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// use spends the confirmation in header (ID:CODE) for action on s as it is now. A wrong code costs a guess; anything else that
// does not fit spends the confirmation.
func (c *confirmations) use(header, action string, s Subject) error {
	id, code, _ := strings.Cut(header, ":")
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) {
		return rejected("the confirmation is unknown, used or expired")
	}
	if subtle.ConstantTimeCompare([]byte(normalCode(code)), []byte(o.code)) != 1 {
		if o.guesses++; o.guesses >= confirmationGuesses {
			delete(c.open, id)
		}
		return rejected("the code is wrong")
	}
	delete(c.open, id)
	if o.claim != (claim{action, s.ID, s.ContentHash, s.Revision}) {
		return rejected("the confirmation is for another action or for other content")
	}
	if clock.At(o.created).Before(s.ChangedAt.Time) {
		return rejected("the subject changed after it was confirmed")
	}
	return nil
}

func rejected(why string) error {
	return fault.New(fault.PresenceRejected, why).WithHint("look at it again and ask for a new confirmation")
}

// codeLetters leaves out what is easily confused. 29^6 is about 6e8 codes against three guesses.
const codeLetters = "abcdefghjkmnpqrstuvwxyz234679"

// newCode returns six letters; rejection sampling keeps them uniform.
func newCode() string {
	const limit = 256 - 256%len(codeLetters)
	var out []byte
	for b := make([]byte, 1); len(out) < 6; {
		rand.Read(b)
		if int(b[0]) < limit {
			out = append(out, codeLetters[int(b[0])%len(codeLetters)])
		}
	}
	return string(out)
}

func normalCode(typed string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(typed)), "-", "")
}
