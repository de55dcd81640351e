package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

const (
	maxTold   = 50              // changes reported singly until it has been quiet for stormTime; the rest is counted
	stormTime = 5 * time.Second //
	backlog   = 64              // batches that wait for the teller; when it is behind it hashes nothing
)

// batch is what settled at one time, with the roots it is reported by.
type batch struct {
	changes []change
	roots   []root
	told    chan<- struct{} // a mark: everything before it has been reported
}

// teller turns changes into observations, one after the other, outside the loop: hashing takes time.
type teller struct {
	sink  adapters.Sink
	now   func() time.Time
	in    chan batch
	ended chan struct{}

	mu     sync.Mutex
	paused bool
	times  int       // how often it was paused
	until  time.Time // after a pause: nothing later is reported
	since  time.Time // of the last pause or resume

	// owned by the goroutine
	number int
	left   int // changes that may be reported singly
	last   time.Time
}

func newTeller(sink adapters.Sink, now func() time.Time) *teller {
	return &teller{sink: sink, now: now, in: make(chan batch, backlog), ended: make(chan struct{})}
}

func (t *teller) run() {
	for {
		select {
		case <-t.ended:
			return
		case b := <-t.in:
			if b.told != nil {
				close(b.told)
				continue
			}
			t.tell(b)
		}
	}
}

func (t *teller) stop() { close(t.ended) }

func (t *teller) take(b batch) {
	select {
	case t.in <- b:
	case <-t.ended:
	}
}

// wait returns when everything taken has been reported, or after d.
func (t *teller) wait(d time.Duration) {
	told, limit := make(chan struct{}), time.NewTimer(d)
	defer limit.Stop()
	select {
	case t.in <- batch{told: told}:
	case <-t.ended:
		return
	case <-limit.C:
		return
	}
	select {
	case <-told:
	case <-t.ended:
	case <-limit.C:
	}
}

// pause suppresses reports of what occurs from now on.
func (t *teller) pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.times++; !t.paused {
		t.since = t.now()
		t.paused, t.until = true, time.Now().Add(pauseTime)
	}
}

func (t *teller) pauses() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.times
}

// resume allows reports of what occurs from now on, unless it was paused again after the given number of times.
func (t *teller) resume(times int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.times == times {
		t.paused, t.since = false, t.now()
	}
}

// may reports whether what occurred at that time may be reported now.
func (t *teller) may(at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused {
		return !at.After(t.since) && time.Now().Before(t.until)
	}
	return !at.Before(t.since)
}

// hurried reports whether hashing has to give way.
func (t *teller) hurried() bool {
	select {
	case <-t.ended:
		return true
	default:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.paused || len(t.in) > backlog/2
}

func (t *teller) tell(b batch) {
	now := t.now()
	if now.Sub(t.last) > stormTime {
		t.left = maxTold
	}
	t.last = now
	changes := slices.DeleteFunc(b.changes, func(c change) bool { return !t.may(c.occurred()) })
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Or(a.occurred().Compare(b.occurred()), cmp.Compare(a.path, b.path)) })
	n := min(len(changes), t.left)
	if len(changes) == n+1 {
		n++ // a count of one would say less
	}
	t.left = max(0, t.left-n)
	for _, c := range changes[:n] {
		t.emit(c, b.roots)
	}
	for _, r := range b.roots {
		if c, some := sum(changes[n:], r); some {
			t.emit(c, b.roots)
		}
	}
}

// sum merges many changes in one root into one: the number of files and their common folder.
func sum(changes []change, r root) (all change, some bool) {
	for _, c := range changes {
		if !within(c.path, r.real) || c.what == created && c.now.kind == aFolder {
			continue // a new folder's files are reported, or counted, separately
		}
		dir := filepath.Dir(c.path)
		if !some {
			all, some = change{what: changed, more: true, path: dir, now: facts{kind: aFolder}}, true
		}
		for !within(dir, all.path) {
			all.path = filepath.Dir(all.path)
		}
		all.files += max(1, c.files)
		all.at = c.occurred()
	}
	if !within(all.path, r.real) {
		all.path = r.real // it is the root itself that came or went
	}
	return all, some
}

// tick is the granularity of the kernel's file times: one may be this much early.
const tick = 10 * time.Millisecond

// occurred is when the file reached its state, or up to a tick later: at a pause this errs on the side of silence.
// A time of the file system's is better than a late notification, unless it was set or copied: a file's own tells when
// it was written, its folder's when it came or went.
func (c change) occurred() time.Time {
	var times []int64
	if c.now.kind == aFile && (c.what == created || c.what == changed) {
		times = append(times, c.now.mtime)
	}
	if c.what != changed {
		times = append(times, c.entry)
	}
	for _, ns := range times {
		if m := time.Unix(0, ns).Add(tick); m.Before(c.at) && c.at.Sub(m) < 2*time.Second {
			return m
		}
	}
	return c.at
}

func (t *teller) emit(c change, roots []root) {
	path, f := file(c, roots)
	if f == nil {
		return
	}
	if c.what == created || c.what == changed {
		f.Hash = hash(c.path, c.now, t.hurried)
	}
	if at := c.occurred(); t.may(at) {
		t.number++
		t.sink.Emit(capture.Observation{Key: fmt.Sprintf("%s.%d", ID, t.number), Kind: capture.ProcessLaunch, Verb: capture.FileChange,
			Origin: capture.Origin{Folder: path}, OccurredAt: at, File: f, Changed: true})
	}
}

// file is a change as it is reported, with the file's path as the scope would write it; nil if no root contains it
// any more.
func file(c change, roots []root) (string, *capture.File) {
	of := func(path string) int {
		return slices.IndexFunc(roots, func(r root) bool { return within(path, r.real) })
	}
	i := of(c.path)
	if i < 0 {
		return "", nil
	}
	path := roots[i].named(c.path)
	f := &capture.File{Name: filepath.Base(path), Path: roots[i].shown(c.path), Folder: filepath.Dir(path), Size: c.now.size, Change: c.what,
		Dir: c.now.kind == aFolder, Files: c.files}
	if !f.Dir {
		f.Ext = strings.ToLower(filepath.Ext(f.Name))
	}
	if c.from != "" {
		f.From = filepath.Base(c.from)
		if i := of(c.from); i >= 0 {
			f.From = roots[i].shown(c.from)
		}
	}
	return path, f
}
