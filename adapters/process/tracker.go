package process

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// proc is a live process: who started it and what it belongs to, not what it is.
type proc struct {
	pid     int
	mine    bool
	place   place
	tree    tree
	shell   int     // the interactive shell that it is, or came from without another program in between
	tty     string  // its terminal, or the one it was started in
	called  string  // its name; only for a launcher, or if the scope names it
	starter string  // called of its parent when it was forked
	started place   // place of its parent then
	launch  *launch // nil for places' own processes and for what ran before
}

// tracker groups processes into launches. It is the adapter's Control.
type tracker struct {
	sink  adapters.Sink
	own   func(*image) bool
	look  func(pid int) *image
	group func(pid int) int
	cwd   func(pid int) string
	life  func(pid int) life
	now   func() time.Time
	wake  chan struct{}

	condition *condition

	mu     sync.Mutex
	scope  *capture.Scope // never changed, only replaced
	paused bool
	from   time.Time // what happened before was not to be seen
	procs  map[int]*proc
	dead   map[int]*proc        // ended, a moment ago: one of several threads that executes a program seems to end first
	open   map[*launch]struct{} // not reported yet
	next   time.Time            // when settle comes by itself
	keys   int
}

func newTracker(a *Adapter, scope capture.Scope, sink adapters.Sink) *tracker {
	return &tracker{sink: sink, condition: &condition{sink: sink}, own: a.own, look: look, group: groupOf, cwd: cwdOf,
		life: lifeOf, now: time.Now, wake: make(chan struct{}, 1),
		scope: &scope, procs: map[int]*proc{}, dead: map[int]*proc{}, open: map[*launch]struct{}{}, next: time.Now().Add(time.Hour)}
}

// run reports launches when they are due, and at the end those that still run.
func (t *tracker) run(ctx context.Context) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			t.flush()
			return nil
		case <-t.wake:
		case <-timer.C:
		}
		timer.Reset(t.settle())
	}
}

// flush reports everything as it is now.
func (t *tracker) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reportAll(slices.Collect(maps.Keys(t.open)))
}

// Pause reports what was started before and describes nothing from now on.
func (t *tracker) Pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reportAll(slices.Collect(maps.Keys(t.open)))
	t.paused = true
}

// Resume describes again what is started from now on.
func (t *tracker) Resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paused, t.from = false, t.now()
}

// Rescope replaces the scope for what is started from now on.
func (t *tracker) Rescope(s capture.Scope) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scope = &s
}

// watching is the current scope; ok is false while paused.
func (t *tracker) watching() (s capture.Scope, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return *t.scope, !t.paused
}

// key is an observation's own id. t.mu is held.
func (t *tracker) key() string {
	t.keys++
	return "process" + strconv.Itoa(t.keys)
}

// adopt registers a process that already runs: it is not a launch itself, but what it starts may be.
func (t *tracker) adopt(pid int, i *image) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &proc{pid: pid, mine: i.mine}
	t.procs[pid] = p
	if i.mine {
		t.identify(p, i, i.names())
	}
}

// descend lets adopted processes inherit the trees of their parents.
func (t *tracker) descend(parents map[int]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for pid, p := range t.procs {
		at := pid
		for range maxDepth {
			a := t.procs[at]
			if a == nil || a.place == prompt {
				break
			}
			if a.tree != persons {
				p.tree = a.tree
				break
			}
			at = parents[at]
		}
	}
}

// maxDepth bounds the walk up to the first process, in case the parents form a cycle.
const maxDepth = 1000

// changed handles one change.
func (t *tracker) changed(c change) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch c.what {
	case forked:
		t.fork(c.parent, c.pid)
	case started:
		p := t.procs[c.pid]
		if p == nil {
			if p = t.revive(c.pid); p == nil && c.image != nil && c.image.mine {
				p = t.fork(c.image.parent, c.pid)
			}
		}
		if p != nil {
			t.exec(p, c)
		}
	case ended:
		t.exit(c)
	}
}

// fork registers the child of a process: so far a copy of it.
func (t *tracker) fork(parent, pid int) *proc {
	child := &proc{pid: pid}
	t.procs[pid] = child
	delete(t.dead, pid)
	p := t.procs[parent]
	if p == nil {
		return child
	}
	*child = proc{pid: pid, mine: p.mine, place: p.place, tree: p.tree, shell: p.shell, tty: p.tty, called: p.called,
		starter: p.called, started: p.place}
	if p.place == noPlace && p.launch != nil {
		child.launch = p.launch
		child.launch.living++
		child.launch.children++
	}
	return child
}

// identify notes what a process is, independent of its launch.
func (t *tracker) identify(p *proc, i *image, names []string) {
	p.place, p.called, p.shell = placeOf(i, names), "", 0
	if len(names) > 0 {
		p.called = names[0]
	}
	if i.live {
		p.tty = i.tty
	}
	if p.place == prompt {
		p.shell = p.pid
	}
	switch {
	case t.own(i):
		p.tree = owns
	case p.place == prompt:
		p.tree = persons
	case p.tree == persons && has(agentNames, names):
		p.tree = agents
	}
}

func (t *tracker) exec(p *proc, c change) {
	if c.image == nil {
		t.gone(p, c.at)
		return
	}
	if p.mine = c.image.mine; !p.mine {
		p.place = noPlace
		return
	}
	shell, names := p.shell, c.image.names()
	if c.image.cwd == "" && shell != 0 {
		c.image.cwd = t.cwd(shell) // gone already: it began where its shell is
	}
	t.identify(p, c.image, names)
	l := p.launch
	switch {
	case l == nil:
		l = t.begin(p, c.at)
		l.quiet = l.quiet || t.itself(p, shell, c.image.group) || p.started == noPlace && len(names) > 0 && names[0] == p.starter
	case l.root == p.pid && l.unsettled(t) && !l.named:
		// a wrapper turns into another program
	case l.named || l.quiet || p.tree == owns || match(*t.scope, c.image, names) == "":
		return
	default:
		l.living--
		l = t.begin(p, c.at)
	}
	t.assess(l, p, c.image, names)
}

// itself reports whether a shell runs a program for itself, such as for its prompt: it stays in the shell's own
// process group. A job that a person starts gets a group of its own.
func (t *tracker) itself(p *proc, shell, group int) bool {
	return shell != 0 && shell != p.pid && group != 0 && group == t.group(shell)
}

// begin makes p the root of a launch.
func (t *tracker) begin(p *proc, at time.Time) *launch {
	l := &launch{root: p.pid, at: at, scope: t.scope, quiet: t.paused || at.Before(t.from), living: 1}
	p.launch = l
	t.open[l] = struct{}{}
	t.until(l, at.Add(soon))
	return l
}

// gone handles an exec of which nothing could be read. It is counted if it could have been a launch.
func (t *tracker) gone(p *proc, at time.Time) {
	p.place, p.shell, p.called = noPlace, 0, ""
	if !p.mine {
		return
	}
	l := p.launch
	if l != nil && (l.named || l.quiet) || p.tree != persons && l != nil {
		return
	}
	if l == nil {
		l = t.begin(p, at)
	}
	switch {
	case l.quiet:
	case p.tree == owns:
		l.why = capture.OwnWindow
	case l.scope.Empty():
		l.why = capture.NoScope
	case len(l.scope.Apps) == 0:
		l.why = capture.OffScope
	default:
		t.sink.Withhold(capture.ProcessLaunch, capture.Overflow, 1)
		if l.root == p.pid {
			l.why = ""
		}
	}
}

func (t *tracker) exit(c change) {
	p := t.procs[c.pid]
	if p == nil {
		if p = t.revive(c.pid); p == nil { // the end before this one was that of its first thread
			return
		}
	}
	delete(t.procs, c.pid)
	if len(t.dead) >= maxDead {
		clear(t.dead)
	}
	t.dead[c.pid] = p
	l := p.launch
	if l == nil {
		return
	}
	l.living--
	if l.root == c.pid {
		l.over, l.exit, l.blind, l.end = true, c.exit, c.blind, c.at
	}
	if !l.over || !l.unsettled(t) {
		return
	}
	if l.living <= 0 {
		t.until(l, c.at.Add(linger))
	} else if l.root == c.pid {
		t.until(l, later(l.at.Add(soon), c.at.Add(linger)))
	}
}

const maxDead = 1024

// revive undoes an end that turned out not to be one.
func (t *tracker) revive(pid int) *proc {
	p := t.dead[pid]
	if p == nil {
		return nil
	}
	delete(t.dead, pid)
	t.procs[pid] = p
	if l := p.launch; l != nil {
		l.living++
		if l.root == pid {
			l.over = false
			t.until(l, l.at.Add(soon))
		}
	}
	return p
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
