package pipeline

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/capture/clean"
	"showhow/capture/lexical"
)

// Evidence is attached to the event that caused it (decisions B12): a file to the command during which it was
// written, or to the download that created it. It seldom arrives together with that event: a command is reported when
// it ends, a file when it has been quiet for a moment. So the correlator remembers possible causes, and holds
// evidence for a while.
const (
	holdTime   = 2 * time.Second       // evidence waits so long for its cause; a longer command is joined when compiling
	maxHeld    = 256                   // evidence that waits; beyond, the oldest waits no longer
	maxOwners  = 64                    // events that evidence may hang on, the latest
	slack      = 50 * time.Millisecond // between the clocks of shells, kernels and files' times
	afterwards = 10 * time.Second      // a file that an event names itself may be noticed so much later
	shortRun   = 30 * time.Second      // what a longer run did is told only by its folder or its line
)

// strength is the certainty that an event caused some evidence.
type strength int

const (
	unrelated strength = iota
	during             // at its time
	likely             // and in its folder, or its line names the file
	certain            // it reports that file itself
)

// owner is a stored event that may have caused evidence that arrives later. Its content is kept in memory only.
type owner struct {
	rec        capture.Record
	kind       capture.Kind
	start, end time.Time
	run        bool     // it took from start to end; else it only reports files
	folders    []string // absolute
	said       string   // its line or arguments
	files      []capture.File
	touched    bool // it has evidence that is not stored yet
}

// clue is evidence of a file that waits for its cause.
type clue struct {
	pending
	path  string // absolute
	name  string
	size  int64
	at    time.Time
	until time.Time
}

// correlator belongs to the pipeline's goroutine. It knows no clock and no store.
type correlator struct {
	owners []*owner
	held   []clue
}

// isClue reports whether an observation is evidence whose cause its adapter does not know.
func isClue(o *capture.Observation) bool {
	return o.Verb == capture.FileChange && o.CauseKey == "" && o.File != nil && filepath.IsAbs(o.Origin.Folder)
}

// remember notes an event that may be the cause of evidence.
func (c *correlator) remember(o *capture.Observation, rec capture.Record, now time.Time) {
	w := &owner{rec: rec, kind: o.Kind, start: o.OccurredAt, end: now}
	switch o.Verb {
	case capture.Run:
		if o.Command == nil || o.Command.Running {
			return
		}
		w.run, w.end, w.said = true, o.OccurredAt.Add(o.Command.Duration), o.Command.Line
		w.folders = []string{o.Command.CwdFrom, o.Command.CwdTo}
	case capture.Call:
		if o.Call == nil {
			return
		}
		w.run, w.end = true, o.OccurredAt.Add(o.Call.Duration)
		for _, a := range o.Call.Args {
			w.said += " " + a.Value.Text
		}
	case capture.Download:
	default:
		return
	}
	if o.After != nil {
		w.files = slices.Clone(o.After.Files)
	}
	if o.File != nil {
		w.files = append(w.files, *o.File)
	}
	c.owners = append(c.owners, w)
	if n := len(c.owners) - maxOwners; n > 0 {
		c.owners = slices.Delete(c.owners, 0, n)
	}
}

// hold queues evidence.
func (c *correlator) hold(o *capture.Observation, p pending, now time.Time) {
	c.held = append(c.held, clue{pending: p, path: filepath.Clean(o.Origin.Folder), name: o.File.Name, size: o.File.Size,
		at: o.OccurredAt, until: now.Add(holdTime)})
}

// due is when the first clue has waited long enough.
func (c *correlator) due() (time.Time, bool) {
	if len(c.held) == 0 {
		return time.Time{}, false
	}
	return c.held[0].until, true
}

// resolve decides about evidence that has waited long enough, or about all of it. It returns records to which
// evidence was added, to be stored again, and evidence without a cause, in order of arrival. If records cannot be
// amended, all evidence stands alone and names its cause.
func (c *correlator) resolve(now time.Time, all, amend bool) (amended []capture.Record, alone []pending) {
	waits := c.held[:0]
	for i, e := range c.held {
		w, sure := c.cause(&e)
		switch {
		case w != nil && (sure >= likely || all || !now.Before(e.until)):
			if amend {
				w.add(e.rec, sure == certain)
			} else {
				e.rec.Action.CauseEventID = w.rec.Event.EventID
				alone = append(alone, e.pending)
			}
		case all || !now.Before(e.until) || len(c.held)-i > maxHeld:
			alone = append(alone, e.pending)
		default:
			waits = append(waits, e)
		}
	}
	clear(c.held[len(waits):])
	c.held = waits
	for _, w := range c.owners {
		if w.touched {
			w.touched = false
			amended = append(amended, w.rec)
		}
	}
	return amended, alone
}

// cause finds the event that caused a clue: the most certain; of equals the person's own before programs' and the
// latest before earlier ones. If several were merely running at the time, none is the cause.
func (c *correlator) cause(e *clue) (best *owner, sure strength) {
	several := false
	for _, w := range c.owners {
		s := w.claims(e)
		if s == unrelated || s < sure {
			continue
		}
		several = s == sure
		if s > sure || cmp.Or(cmp.Compare(rank(w.kind), rank(best.kind)), w.start.Compare(best.start)) >= 0 {
			best, sure = w, s
		}
	}
	if sure == during && several {
		return nil, unrelated
	}
	return best, sure
}

// rank puts what a person did above what a program did as a consequence.
func rank(k capture.Kind) int {
	if k == capture.ProcessLaunch {
		return 0
	}
	return 1
}

func (w *owner) claims(e *clue) strength {
	inside := !e.at.Before(w.start.Add(-slack)) && !e.at.After(w.end.Add(slack))
	if !e.at.Before(w.start.Add(-slack)) && !e.at.After(w.end.Add(afterwards)) && w.reports(e) {
		return certain
	}
	switch {
	case !w.run || !inside:
		return unrelated
	case slices.ContainsFunc(w.folders, func(dir string) bool { return dir != "" && inFolder(e.path, dir) }), w.names(e.name):
		return likely
	case w.end.Sub(w.start) <= shortRun:
		return during
	}
	return unrelated
}

// reports reports whether the event itself brought the file: a command in its folder, by name; a download by name and
// size.
func (w *owner) reports(e *clue) bool {
	return slices.ContainsFunc(w.files, func(f capture.File) bool {
		if f.Name != e.name && path.Base(filepath.ToSlash(f.Path)) != e.name {
			return false
		}
		if !w.run {
			return f.Size == e.size
		}
		return slices.Contains(w.folders, filepath.Dir(e.path))
	})
}

// names reports whether the event's own text names the file.
func (w *owner) names(name string) bool {
	for rest := w.said; len(name) > 2; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !nameByte(rest[i-1])) && (end == len(rest) || !nameByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
	return false
}

func nameByte(b byte) bool { return lexical.IsWord(rune(b)) || b == '-' || b == '.' || b >= 0x80 }

func inFolder(path, dir string) bool {
	dir = filepath.Clean(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// add attaches evidence to the event: an existing file to the state after it, a removed one to the state before. It
// copies both states first, because subscribers share a stored record. reported: the event itself already named this
// file.
func (w *owner) add(evidence capture.Record, reported bool) {
	f := *evidence.Action.File
	r := &w.rec
	if f.Change == "moved" || f.Change == "removed" {
		was := f
		if f.Change == "moved" {
			was = capture.File{Name: path.Base(f.From), Path: f.From, Ext: f.Ext, Size: f.Size, Dir: f.Dir, Files: f.Files, Change: f.Change}
		}
		r.Before, r.Event.BeforeStateRef = withFile(r.Before, was, reported), "before:"+r.Event.EventID
	}
	if f.Change != "removed" {
		r.After, r.Event.AfterStateRef = withFile(r.After, f, reported), "after:"+r.Event.EventID
	}
	if own := r.Action.File; reported && own != nil && own.Name == f.Name && own.Hash == "" {
		told := *own
		told.Hash, told.Change = f.Hash, f.Change
		r.Action.File = &told
	}
	r.Event.CausedStateChange, w.touched = true, true
	r.Sealed = append(slices.Clone(r.Sealed), evidence.Sealed...)
}

// withFile is a state with one more file, or with more details of a file that it has.
func withFile(s *capture.State, f capture.File, reported bool) *capture.State {
	out := capture.State{}
	if s != nil {
		out = *s
	}
	out.Files = slices.Clone(out.Files)
	same := func(o capture.File) bool { return o.Name == f.Name && (o.Path == f.Path || reported && o.Folder == "") }
	if i := slices.IndexFunc(out.Files, same); i >= 0 {
		out.Files[i] = f
	} else if len(out.Files) < clean.MaxFiles {
		out.Files = append(out.Files, f)
	}
	return &out
}
