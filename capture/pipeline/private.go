package pipeline

import (
	"sync"
	"time"

	"showhow/capture"
)

// What a person keeps out of a shell's history is private, whichever adapter could see it. A program started in a
// watched shell is reported separately, perhaps before its shell says whether the command was private. So such a
// launch waits for that verdict, in memory only: it is kept with its command or withheld with it. Launches do not
// wait for a shell that never reported anything, as in a session that does not watch shells; what a watched shell
// still runs at the end is withheld.
const (
	silence    = 2 * time.Second // a shell that never said anything by then is not listened to
	lookAgain  = 100 * time.Millisecond
	maxWaiting = 512 // launches; beyond, the oldest is withheld
	maxWords   = 256 // on private commands, for each shell
)

// stretch is the time in which a private command ran, or its shell stood at the prompt before it.
type stretch struct{ from, until time.Time }

// verdicts are what the shells reported about their commands. Except for said, it belongs to the pipeline's
// goroutine.
type verdicts struct {
	mu      sync.Mutex
	said    []private            // not yet heard
	last    map[string]time.Time // by shell: the end of the last command it reported
	private map[string][]stretch
	waiting []waiting
}

type private struct {
	shell string
	ended time.Time
}

type waiting struct {
	o     capture.Observation
	since time.Time
}

// Private implements adapters.PrivacyListener: a private command has ended in this shell.
func (p *Pipeline) Private(shell string, ended time.Time) {
	p.verdicts.mu.Lock()
	defer p.verdicts.mu.Unlock()
	p.verdicts.said = append(p.verdicts.said, private{shell, p.occurred(ended)})
}

// waits reports whether an observation is a launch that needs its shell's verdict.
func (w *verdicts) waits(o *capture.Observation) bool {
	return o.Kind == capture.ProcessLaunch && o.Verb == capture.Run && o.Origin.Shell != ""
}

// hear notes the end of a command that is kept.
func (w *verdicts) hear(o *capture.Observation) {
	if o.Kind == capture.TerminalCommand && o.Command != nil {
		w.ended(o.Origin.Shell, o.OccurredAt.Add(o.Command.Duration))
	}
}

// ended notes the end of a command and returns when the previous one ended.
func (w *verdicts) ended(shell string, at time.Time) (before time.Time) {
	if w.last == nil {
		w.last, w.private = map[string]time.Time{}, map[string][]stretch{}
	}
	if before = w.last[shell]; at.After(before) {
		w.last[shell] = at
	}
	return before
}

// hearPrivate processes the reports of private commands.
func (w *verdicts) hearPrivate() {
	w.mu.Lock()
	said := w.said
	w.said = nil
	w.mu.Unlock()
	for _, s := range said {
		before := w.ended(s.shell, s.ended)
		all := append(w.private[s.shell], stretch{before, s.ended})
		w.private[s.shell] = all[max(0, len(all)-maxWords):]
	}
}

// decide splits the waiting launches into those to keep and those to withhold; the rest keeps waiting, and at the end
// nothing does.
func (w *verdicts) decide(now time.Time, end bool) (keep []capture.Observation, withheld int64) {
	w.hearPrivate()
	rest := w.waiting[:0]
	for i, l := range w.waiting {
		last, speaks := w.last[l.o.Origin.Shell]
		at := l.o.OccurredAt
		switch {
		case w.isPrivate(l.o.Origin.Shell, at):
			withheld++
		case !at.After(last), speaks && end && !at.After(last.Add(slack)), !speaks && (end || now.Sub(l.since) >= silence):
			keep = append(keep, l.o)
		case end || len(w.waiting)-i > maxWaiting:
			withheld++
		default:
			rest = append(rest, l)
		}
	}
	clear(w.waiting[len(rest):])
	w.waiting = rest
	return keep, withheld
}

func (w *verdicts) isPrivate(shell string, at time.Time) bool {
	for _, s := range w.private[shell] {
		if at.After(s.from) && !at.After(s.until) {
			return true
		}
	}
	return false
}
