package presence

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// A Challenge is a request that was sent back for a person's confirmation: described in lines for that person, and the
// request itself as a keyed hash. A click in the tray confirms exactly that request (tray.go); a typed code confirms
// action, subject, revision and content, which whoever types it has seen, or, where the subject has no content of its
// own, exactly that request and its lines.
type Challenge struct {
	Lines  []string
	Digest [sha256.Size]byte
	at     time.Time
}

const (
	challengeLife = 10 * time.Minute // how long after the refusal a confirmation may be asked for with its lines
	maxChallenges = 64               // at a time
)

// fitsMenu reports whether a menu can show all of it.
func (ch Challenge) fitsMenu() bool {
	return len(ch.Lines) > 0 && len(ch.Lines) <= linesShown && !slices.ContainsFunc(ch.Lines, func(s string) bool {
		return len([]rune(s)) > lineShown
	})
}

// Challenge records a request that was refused for lack of a confirmation. The last request with the same claim
// counts: its lines are shown, and only it may be done.
func (c *Confirmations) Challenge(cl Claim, ch Challenge) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch.at = c.now()
	if len(c.challenges) >= maxChallenges {
		clear(c.challenges)
	}
	c.challenges[cl] = ch
}

// Challenged is the last refused request with this claim.
func (c *Confirmations) Challenged(cl Claim) (ch Challenge, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch, ok = c.challenges[cl]
	return ch, ok && c.now().Sub(ch.at) < challengeLife
}

// Digest identifies a request; client_request_id does not count.
func (c *Confirmations) Digest(operation string, params, body any) (out [sha256.Size]byte) {
	b, err := json.Marshal(body)
	var fields map[string]any
	if err == nil && json.Unmarshal(b, &fields) == nil {
		delete(fields, "client_request_id")
		b, _ = json.Marshal(fields)
	}
	p, _ := json.Marshal(params)
	m := hmac.New(sha256.New, c.key[:])
	fmt.Fprintf(m, "%s\x00%d\x00%s\x00%s", operation, len(p), p, b)
	copy(out[:], m.Sum(nil))
	return out
}
