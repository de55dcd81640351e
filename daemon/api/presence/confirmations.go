package presence

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"strings"
	"sync"
	"time"

	"showhow/daemon/api/caller"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// A confirmation is a person's consent to one action on one subject as it was seen (decisions D2). The daemon itself
// writes a code to the caller's controlling terminal; whoever reads that terminal types it. A confirmation is bound to
// action, subject, revision and content hash, is valid for two minutes, one use and three guesses, and void once the
// subject has changed.
//
// A program that controls the terminal's other end (a terminal emulator, tmux, an agent's pseudo terminal) can read
// the code.
const (
	confirmationLife    = 2 * time.Minute
	confirmationGuesses = 3
	confirmationsOpen   = 8 // at a time; more is guessing or flooding a terminal
)

// Claim is what a confirmation is bound to.
type Claim struct {
	Action, Subject, Hash string
	Revision              int
}

type confirmation struct {
	Claim
	code    string
	created time.Time
	expires time.Time
	guesses int

	// For the tray, which answers without the code (tray.go).
	challenge Challenge
	ticket    string // what the requester then uses; nobody else knows it
	askedIn   string // where it was requested: terminal, browser or program
	answer    answerState
	inTray    bool // the tray may answer it
}

type answerState string

const (
	notAnswered answerState = "open"
	granted     answerState = "granted"
	refused     answerState = "refused"
)

// Confirmations holds the open confirmations, and the refused requests that they may be for. It is safe for concurrent
// use.
type Confirmations struct {
	now        func() time.Time
	newID      func() string
	key        [32]byte // of the digests of requests
	mu         sync.Mutex
	open       map[string]*confirmation
	challenges map[Claim]Challenge
}

// New makes an empty set; now and newID are the clock and the source of ids.
func New(now func() time.Time, newID func() string) *Confirmations {
	c := &Confirmations{now: now, newID: newID, open: map[string]*confirmation{}, challenges: map[Claim]Challenge{}}
	rand.Read(c.key[:])
	return c
}

// ClaimOf is the claim of a request for a confirmation.
func ClaimOf(r wire.ConfirmationRequest) Claim {
	return Claim{r.Action, r.SubjectID, r.ContentHash, r.Revision}
}

// Ask opens a confirmation: it shows the code on the terminal, if there is one, and lets the tray answer too, if one
// is available.
func (c *Confirmations) Ask(r wire.ConfirmationRequest, tty *caller.Terminal, how, what string, tray bool) (wire.Confirmation, error) {
	ch, ok := c.Challenged(ClaimOf(r))
	tray = tray && ok && ch.fitsMenu()
	if tty == nil && !tray {
		return wire.Confirmation{}, noTerminal(how)
	}
	code := newCode()
	id, err := c.add(ClaimOf(r), code)
	if err != nil {
		return wire.Confirmation{}, err
	}
	out := wire.Confirmation{ConfirmationID: id, ExpiresAt: clock.At(c.now().Add(confirmationLife)), How: "terminal_code", Tray: tray,
		Question: Questions[r.Action], About: about(ch.Lines, what)}
	if tty == nil || tty.Show(codeText(out.Question, out.About, code)) != nil {
		if out.How = "tray"; !tray {
			c.forget(id)
			return wire.Confirmation{}, noTerminal(how)
		}
	}
	if tray {
		out.Ticket = c.offerToTray(id, ch, how)
	}
	return out, nil
}

// about lists everything that a person reads about a request, the same everywhere; a request without lines is named by
// its ids.
func about(says []string, what string) []string {
	if len(says) == 0 {
		return []string{what}
	}
	return says
}

// codeText is what a person reads on the terminal: the same lines that the page or the command shows.
func codeText(question string, about []string, code string) string {
	text := "\r\nShowhow: " + question + "\r\n"
	for _, s := range about {
		text += "  " + s + "\r\n"
	}
	return text + fmt.Sprintf("To confirm exactly this, type this code: %s\r\n", code)
}

// Offer opens a confirmation for our own window, which gets the code and the question to ask the person first.
func (c *Confirmations) Offer(r wire.ConfirmationRequest, what string) (wire.Confirmation, error) {
	code := newCode()
	id, err := c.add(ClaimOf(r), code)
	if err != nil {
		return wire.Confirmation{}, err
	}
	return wire.Confirmation{ConfirmationID: id, ExpiresAt: clock.At(c.now().Add(confirmationLife)), How: "window", What: what,
		Code: code}, nil
}

func noTerminal(how string) error {
	f := fault.New(fault.PresenceRequired, "a person must confirm this, and there is no terminal to show the code in")
	if how == "browser" {
		return f.WithHint("run `showhow open` in a terminal and go on at its address: codes are shown there then; or start `showhow tray`, " +
			"which can confirm too")
	}
	if how == "terminal" { // there is one, and the code could not be written to it
		return fault.New(fault.PresenceRequired, "a person must confirm this, and the code cannot be shown in this terminal: it belongs to "+
			"another user, as after su or sudo, or takes no text").
			WithHint("run the command in a terminal of your own, start `showhow tray`, which can confirm too, or confirm in the Showhow window")
	}
	return f.WithHint("run the command in a terminal, start `showhow tray`, which can confirm too, or confirm in the Showhow window")
}

func (c *Confirmations) add(cl Claim, code string) (string, error) {
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
	c.open[id] = &confirmation{Claim: cl, code: code, created: now, expires: now.Add(confirmationLife), answer: notAnswered}
	return id, nil
}

func (c *Confirmations) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
}

// Use spends the confirmation in header (ID:CODE, or ID:TICKET after a click in the tray) for action on s in its
// current state, by this request. A wrong code costs a guess; any other mismatch spends the confirmation.
func (c *Confirmations) Use(header, action string, s Subject, request func() [sha256.Size]byte) error {
	id, code, _ := strings.Cut(header, ":")
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok := c.open[id]
	if !ok || !c.now().Before(o.expires) {
		return Rejected("the confirmation is unknown, used or expired")
	}
	clicked := o.ticket != "" && subtle.ConstantTimeCompare([]byte(code), []byte(o.ticket)) == 1
	switch {
	case clicked && o.answer == granted:
		if o.challenge.Digest != request() {
			delete(c.open, id)
			return Rejected("what was confirmed in the tray is another request")
		}
	case clicked:
		return Rejected("nobody has confirmed it in the tray yet")
	case subtle.ConstantTimeCompare([]byte(normalCode(code)), []byte(o.code)) != 1 || o.answer == refused:
		if o.guesses++; o.guesses >= confirmationGuesses {
			delete(c.open, id)
		}
		return Rejected("the code is wrong")
	}
	delete(c.open, id)
	if o.Claim != (Claim{action, s.ID, s.ContentHash, s.Revision}) {
		return Rejected("the confirmation is for another action or for other content")
	}
	if clock.At(o.created).Before(s.ChangedAt.Time) {
		return Rejected("the subject changed after it was confirmed")
	}
	return nil
}

// Rejected is the error for a confirmation that does not count.
func Rejected(why string) error {
	return fault.New(fault.PresenceRejected, why).WithHint("look at it again and ask for a new confirmation")
}

// codeLetters omits what is easily confused. 29^6 is about 6e8 codes against three guesses.
const codeLetters = "abcdefghjkmnpqrstuvwxyz234679"

// newCode returns six letters or digits; rejection sampling keeps them uniform.
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
