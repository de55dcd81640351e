package daemon

import (
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/capture/redact"
	"showhow/capture/secret"
)

// restTime is how long the rules stay loaded after the last use; they cost about 15 MB.
const restTime = 30 * time.Second

// lazyRedactor loads the redaction rules when a text has to be redacted outside a capture (what an agent writes as
// evidence) and unloads them again.
type lazyRedactor struct {
	mu    sync.Mutex
	rules *redact.Redactor
	timer *time.Timer
	lent  int // to scans under way
}

// Text redacts s. If the rules do not load, nothing of s is returned.
func (l *lazyRedactor) Text(s string) string {
	if s == "" {
		return s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.load() != nil {
		return secret.Token(secret.Withheld)
	}
	return l.rules.Text(s)
}

// Secret reports whether s holds a secret; personal data is not one. If the rules do not load, every text counts as a
// secret.
func (l *lazyRedactor) Secret(s string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.load() != nil || slices.ContainsFunc(l.rules.Find(s), func(sp redact.Span) bool { return !sp.Kind.Personal() })
}

// secrets replaces the secrets in a text by what mask says of their kind; personal data stays.
func (l *lazyRedactor) secrets(text string, mask func(kind string) string) string {
	if text == "" {
		return text
	}
	text = redact.Clean(text)
	var b strings.Builder
	at := 0
	for _, s := range l.Find(text) {
		if s.Kind.Personal() || s.Start < at {
			continue
		}
		b.WriteString(text[at:s.Start] + mask(string(s.Kind)))
		at = s.End
	}
	return b.String() + text[at:]
}

// Find returns the secrets and personal identifiers in a text, which must be Clean. If the rules do not load, the whole
// text counts as a secret.
func (l *lazyRedactor) Find(s string) []redact.Span {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.load() != nil {
		return []redact.Span{{End: len(s), Kind: secret.Withheld}}
	}
	return l.rules.Find(s)
}

// load makes sure that the rules are loaded for the next restTime. l.mu is held.
func (l *lazyRedactor) load() (err error) {
	if l.rules == nil {
		if l.rules, err = redact.Load(); err != nil {
			l.rules = nil
			return err
		}
		l.timer = time.AfterFunc(restTime, l.close)
	}
	l.timer.Reset(restTime)
	return nil
}

// lend keeps the rules loaded until they are given back.
func (l *lazyRedactor) lend() (r *redact.Redactor, giveBack func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return nil, nil, err
	}
	l.lent++
	return l.rules, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lent--
		l.timer.Reset(restTime)
	}, nil
}

func (l *lazyRedactor) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lent > 0 {
		return
	}
	if l.rules != nil {
		l.timer.Stop()
		l.rules.Close()
		l.rules = nil
	}
}
