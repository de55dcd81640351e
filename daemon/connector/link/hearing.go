package link

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/sandbox"
)

// Hearing is what a local program writes to its error output while somebody watches an attempt to reach it, and how it ended.
// It is in memory alone, until Close.
type Hearing struct {
	mu      sync.Mutex
	closed  bool
	tail    []byte
	cut     bool     // there was more before the tail
	secrets []string // that the program was given
	started bool
	ended   bool // by itself
	exit    int
	killed  string
}

// mostHeard bounds how much of a program's error output is kept.
const mostHeard = 8 << 10

// Hear begins to hear the programs that an attempt starts. Close ends it.
func Hear(seen *Seen) *Hearing {
	h := &Hearing{}
	seen.hearing.Store(h)
	return h
}

// hearing is who hears the attempt of a context; nil for nobody.
func hearing(ctx context.Context) *Hearing {
	if s := seenBy(ctx); s != nil {
		return s.hearing.Load()
	}
	return nil
}

// Close forgets what was heard, and hears no more: the program may run on.
func (h *Hearing) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed, h.tail, h.secrets = true, nil, nil
}

// begin says that a program is started with an environment. It may be called of nil, as may done.
func (h *Hearing) begin(env map[string]string) io.Writer {
	if h == nil {
		return io.Discard
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.started = true
	for _, v := range env {
		h.secrets = append(h.secrets, v)
		h.secrets = append(h.secrets, strings.Split(v, "\n")...) // a program may write a key line by line
	}
	return h
}

func (h *Hearing) done(res sandbox.Result, byItself bool) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended, h.exit, h.killed = byItself, res.ExitCode, res.Killed
}

// Write implements io.Writer.
func (h *Hearing) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return len(p), nil
	}
	h.tail = append(h.tail, p...)
	if more := len(h.tail) - mostHeard; more > 0 {
		h.tail, h.cut = append([]byte{}, h.tail[more:]...), true
	}
	return len(p), nil
}

// shortSecret is a length below which a secret is not looked for in an output: all of it would be masked.
const shortSecret = 4

// Heard is the end of the program's error output, without the secrets that it was given.
func (h *Hearing) Heard() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.SortFunc(h.secrets, func(a, b string) int { return len(b) - len(a) }) // one may be a part of another
	text := strings.ToValidUTF8(string(h.tail), "\ufffd")
	if h.cut { // the first line may be half of one, and of a secret
		_, text, _ = strings.Cut(text, "\n")
	}
	for _, s := range h.secrets {
		if s = strings.TrimSpace(s); len(s) >= shortSecret {
			text = strings.ReplaceAll(text, s, "•••")
		}
	}
	return text
}

// Ended says how the program ended by itself: with which exit code, or why it was ended. ok is false if none was started, or
// if it ran until it was ended from here.
func (h *Hearing) Ended() (exit int, killed string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.exit, h.killed, h.started && h.ended
}

// Started reports whether a program was started.
func (h *Hearing) Started() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.started
}
