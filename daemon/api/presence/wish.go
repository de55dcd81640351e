package presence

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// A wish is what a request wanted that was sent back for a person's word: in words for that person, and the request itself as
// a keyed hash. A click in the tray is for exactly that request (tray.go); a typed code is for action, subject, revision and
// content, which whoever types it has before them.
type Wish struct {
	Says    []string
	Request [sha256.Size]byte
	at      time.Time
}

// wishLife is how long after the refusal a confirmation may be asked for with its words; wishesKept bounds them.
const (
	wishLife   = 10 * time.Minute
	wishesKept = 64
)

// shown reports whether a menu can show all of it.
func (w Wish) shown() bool {
	return len(w.Says) > 0 && len(w.Says) <= linesShown && !slices.ContainsFunc(w.Says, func(s string) bool {
		return len([]rune(s)) > lineShown
	})
}

// Wants notes what was refused. The last request with the same claim stands: its words are shown, and it alone may be done.
func (c *Confirmations) Wants(cl Claim, w Wish) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.at = c.now()
	if len(c.wishes) >= wishesKept {
		clear(c.wishes)
	}
	c.wishes[cl] = w
}

// Wish is what was wanted by the last request with this claim.
func (c *Confirmations) Wish(cl Claim) (w Wish, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok = c.wishes[cl]
	return w, ok && c.now().Sub(w.at) < wishLife
}

// Digest tells one request from another, whatever id it has.
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
