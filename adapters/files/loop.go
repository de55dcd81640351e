package files

import (
	"context"
	"sync"
	"time"

	"showhow/capture"
)

const (
	quietTime  = 300 * time.Millisecond
	longest    = 2 * time.Second        // quiet paths wait no longer than this for the rest
	restless   = 10 * time.Second       // a file that is written all the time is reported once
	rebuildGap = 500 * time.Millisecond // looking at everything again and again must not take a processor
	onTheWay   = 3 * time.Millisecond   // how long a notification may take
	pauseTime  = 80 * time.Millisecond  // Pause and Resume wait no longer than this
	scopeTime  = 3 * time.Second        // Rescope waits no longer than this; a large folder is listed afterwards
)

// loop is a running source: it owns the watcher and hands settled changes to the teller, which hashes and emits. It
// is the session's control.
type loop struct {
	a      *Adapter
	w      *watcher
	teller *teller
	do     chan func()
	done   chan struct{}
	wg     sync.WaitGroup
	again  time.Time // of the last rebuild
}

func newLoop(a *Adapter, w *watcher) *loop {
	l := &loop{a: a, w: w, teller: newTeller(w.sink, a.now), do: make(chan func(), 16), done: make(chan struct{})}
	l.wg.Go(l.teller.run)
	return l
}

func (l *loop) end() {
	close(l.done)
	l.teller.stop()
	l.wg.Wait()
}

func (l *loop) run(ctx context.Context) error {
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	for {
		if l.w.stale && time.Since(l.again) >= rebuildGap {
			l.again = time.Now()
			if err := l.w.rebuild(); err != nil {
				return err
			}
		}
		due.Stop()
		if len(l.w.marks) > 0 {
			due.Reset(l.wait())
		}
		select {
		case <-ctx.Done():
			return nil
		case ev, ok := <-l.w.fs.Events:
			if !ok {
				return errLost
			}
			l.w.heard(ev)
		case <-l.w.fs.Lost:
			l.w.stale = true
		case f := <-l.do:
			f()
		case <-due.C:
			l.settle()
		case <-poll.C:
			l.w.poll()
		}
	}
}

// wait is how long until marked paths are to be looked at: until all is quiet, but not for ever.
func (l *loop) wait() time.Duration {
	now := l.w.now()
	return max(0, min(l.w.latest.Add(l.a.quiet).Sub(now), l.w.oldest.Add(longest).Sub(now)))
}

// settle looks at paths that are quiet.
func (l *loop) settle() {
	now := l.w.now()
	l.tell(l.w.settle(func(m *mark) bool {
		switch {
		case now.Sub(m.last) >= l.a.quiet:
			m.told = false
			return true
		case !m.told && now.Sub(m.first) >= restless:
			m.told = true
			return true
		}
		return false
	}))
	l.w.oldest = now
}

// settleAll looks at everything noticed until now.
func (l *loop) settleAll() {
	for more := true; more; {
		select {
		case ev, ok := <-l.w.fs.Events:
			if more = ok; ok {
				l.w.heard(ev)
			}
		case <-time.After(onTheWay):
			more = false
		}
	}
	l.tell(l.w.settle(func(m *mark) bool { m.told = false; return true }))
}

func (l *loop) tell(changes []change) {
	if changes = visible(changes, l.w.temporary); len(changes) > 0 {
		l.teller.take(batch{changes: changes, roots: l.w.roots})
	}
}

// inLoop runs f on the loop and waits for it, at most d. f runs even if the wait has ended.
func (l *loop) inLoop(d time.Duration, f func()) {
	ran, limit := make(chan struct{}), time.NewTimer(d)
	defer limit.Stop()
	select {
	case l.do <- func() { f(); close(ran) }:
	case <-l.done:
		return
	}
	select {
	case <-ran:
	case <-l.done:
	case <-limit.C:
	}
}

// Pause implements adapters.Control. What occurred before is emitted, without a hash where hashing would take long.
func (l *loop) Pause() {
	begin := time.Now()
	l.teller.pause()
	l.inLoop(pauseTime, l.settleAll)
	l.teller.wait(pauseTime - time.Since(begin))
}

// Resume implements adapters.Control. The listing was kept up to date meanwhile: changes made while paused are not
// reported.
func (l *loop) Resume() {
	pauses := l.teller.pauses()
	l.inLoop(pauseTime, func() {
		l.settleAll()
		l.teller.resume(pauses)
	})
}

// Rescope implements adapters.Control.
func (l *loop) Rescope(s capture.Scope) {
	l.inLoop(scopeTime, func() {
		l.settleAll()
		l.w.rescope(s)
	})
}
