package daemon

import (
	"sync"
	"time"

	"showhow/capture/redact"
	"showhow/capture/secret"
)

// restTime is how long the rules stay loaded after the last use; they cost about 15 MB.
const restTime = 30 * time.Second

// lazyRedactor loads the redaction rules when a text has to be cleaned outside a capture (what an agent writes as evidence)
// and lets them go again.
type lazyRedactor struct {
	mu    sync.Mutex
	rules *redact.Redactor
	timer *time.Timer
}

// Text cleans s. When the rules do not load nothing of s is let through.
func (l *lazyRedactor) Text(s string) string {
	if s == "" {
		return s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules == nil {
		r, err := redact.Load()
		if err != nil {
			return secret.Token(secret.Withheld)
		}
		l.rules = r
		l.timer = time.AfterFunc(restTime, l.close)
	}
	l.timer.Reset(restTime)
	return l.rules.Text(s)
}

func (l *lazyRedactor) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules != nil {
		l.timer.Stop()
		l.rules.Close()
		l.rules = nil
	}
}
