package process

import (
	"slices"
	"time"

	"showhow/capture"
)

// When a launch is reported, counted from its start or end.
const (
	linger    = 20 * time.Millisecond // a program of several threads that executes another seems to end first
	soon      = time.Second
	watched   = 10 * time.Second // it has its terminal's foreground: the person waits for it
	atAnother = time.Second      // a program that left others behind this early handed over to them
)

// launch is what a person started: a program and all that it started in turn.
type launch struct {
	root  int
	at    time.Time
	scope *capture.Scope // as it was then
	quiet bool           // not counted: started while paused, by a prompt for itself, or part of the terminal's command

	named bool                   // the scope names it
	key   string                 // of its observation
	shown bool                   // a window of it came up
	o     *capture.Observation   // until it is reported
	why   capture.WithheldReason // where it is not named

	living   int // processes
	children int
	over     bool // the root ended
	blind    bool // how is not known
	exit     int
	end      time.Time
	due      time.Time
	waited   bool // it was found in the foreground
}

// assess decides what happens to a launch by the program its root runs now: a wrapper may turn into what the scope
// names.
func (t *tracker) assess(l *launch, p *proc, i *image, names []string) {
	app := match(*l.scope, i, names)
	l.why = ""
	switch {
	case l.quiet:
	case p.tree == owns:
		l.why = capture.OwnWindow
	case l.scope.Empty():
		l.why = capture.NoScope
	case app == "" && slices.Contains(l.scope.Shells, p.tty):
		// it is part of the terminal adapter's command
	case app == "":
		l.why = capture.OffScope
	case p.tree == agents:
		l.why = capture.WrongMode
	default:
		t.describe(l, p, i, app, names)
	}
}

// describe builds the observation.
func (t *tracker) describe(l *launch, p *proc, i *image, app string, names []string) {
	argv := i.argv[i.script():]
	if has(browserNames, names) {
		kept, private := browsing(*l.scope, app, argv)
		if private {
			l.why = capture.PrivateData
			return
		}
		argv = kept
	}
	if len(argv) == 0 {
		argv = []string{app}
	}
	cut := i.cut || len(i.argv) == 0
	l.named = true
	parent := p.starter
	if p.started == noPlace && !slices.Contains(l.scope.Apps, parent) {
		parent = ""
	}
	l.key = t.key()
	o := &capture.Observation{Key: l.key, Kind: capture.ProcessLaunch, Verb: capture.Run, OccurredAt: l.at,
		Surface: capture.SurfaceRawUI, Origin: capture.Origin{App: app, PID: p.pid},
		Command: &capture.RawCommand{Line: line(argv, cut), CwdFrom: i.cwd, Parent: parent}}
	if p.tty != "" {
		o.Surface = capture.SurfaceWrapper
		if slices.Contains(l.scope.Shells, p.tty) {
			o.Origin.Shell = p.tty
		}
	}
	l.o = o
}

// settle reports what is due and returns when to call it again.
func (t *tracker) settle() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	t.next = now.Add(time.Hour)
	var due []*launch
	for l := range t.open {
		if !l.due.After(now) && !t.wait(l) {
			due = append(due, l)
		} else if l.due.Before(t.next) {
			t.next = l.due
		}
	}
	t.reportAll(due)
	return max(t.next.Sub(now), time.Millisecond)
}

// reportAll reports launches in the order in which they began.
func (t *tracker) reportAll(list []*launch) {
	slices.SortFunc(list, func(a, b *launch) int { return a.at.Compare(b.at) })
	for _, l := range list {
		t.report(l)
	}
}

// wait gives more time to a program of which only the first thread has ended so far, and to one that a person waits
// for.
func (t *tracker) wait(l *launch) bool {
	if l.over && !l.blind && t.outlived(l) {
		return true
	}
	if l.over || l.waited || l.o == nil {
		return false
	}
	if i := t.look(l.root); i == nil || !i.mine || i.tty == "" || !i.foreground {
		return false
	}
	l.waited, l.due = true, l.at.Add(watched)
	return true
}

// outlived reports whether a program lives on after its apparent end. The kernel reports the end of its first thread
// like that of a program: before the event that another thread executes, or after it, and on a busy machine either
// may be late.
func (t *tracker) outlived(l *launch) bool {
	switch t.life(l.root) {
	case lives:
		if t.revive(l.root) == nil {
			return false
		}
	case ending:
		if t.now().Sub(l.end) < soon {
			l.due = t.now().Add(linger)
			return true
		}
		l.over = false // its other threads may run for ever, and their end is never reported
	case gone:
	}
	return l.due.After(t.now())
}

// report emits the launch, or counts it.
func (t *tracker) report(l *launch) {
	delete(t.open, l)
	if l.o == nil {
		if l.why != "" && !l.quiet {
			t.sink.Withhold(capture.ProcessLaunch, l.why, 1)
		}
		return
	}
	c := l.o.Command
	c.Children = l.children
	left := l.living > 0 && l.exit == 0 && l.end.Sub(l.at) < atAnother
	if c.Running = !l.over || l.blind || left; !c.Running {
		c.Exit, c.Duration = l.exit, l.end.Sub(l.at)
	}
	l.o.Changed = c.Running
	t.sink.Emit(*l.o)
	l.o = nil
}

// unsettled: neither reported nor counted yet.
func (l *launch) unsettled(t *tracker) bool {
	_, ok := t.open[l]
	return ok
}

// until sets the time at which a launch is examined.
func (t *tracker) until(l *launch, due time.Time) {
	if l.due = due; due.Before(t.next) {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}
