package trace

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// Limits for files that were recorded without a cause: no act had been reported yet that could have written them.
const (
	clockSkew    = 50 * time.Millisecond // tolerance between a shell's clock and a file's time
	longCommand  = 30 * time.Second      // a longer command only counts as the writer of files in its own folder
	silentEffect = 3 * time.Second       // how long after an act in a page or program a file can be its effect
)

// writer returns the act that a file is evidence of: the one that its record names, else the command that ran at that
// time, preferably in that folder, else the act in a page or program just before.
func (f *folder) writer(r Timed) *Act {
	if cause := f.byEvent[r.Action.CauseEventID]; cause != nil || r.Action.CauseEventID != "" {
		return cause
	}
	if r.Action.File == nil {
		return nil
	}
	var during []*Act
	for _, a := range slices.Backward(f.acts) {
		c := a.Command
		if c == nil || c.Running || r.at.Before(a.At.Add(-clockSkew)) {
			continue
		}
		took := time.Duration(c.DurationMS) * time.Millisecond
		switch {
		case r.at.After(a.At.Add(took + clockSkew)):
		case isBelow(r.Action.File.Folder, c.CwdFrom), isBelow(r.Action.File.Folder, c.CwdTo):
			return a
		case took <= longCommand:
			during = append(during, a)
		}
	}
	if len(during) == 1 {
		return during[0]
	}
	if n := len(f.acts); n > 0 && len(during) == 0 {
		if last := f.acts[n-1]; last.Surface != workflow.OnShell && r.at.Sub(last.At) <= silentEffect {
			return last
		}
	}
	return nil
}

func isBelow(folder, dir string) bool {
	return dir != "" && (folder == dir || strings.HasPrefix(folder, strings.TrimSuffix(dir, "/")+"/"))
}

// sawFile adds evidence of a file to an act: a present file belongs to the state after it, a removed one to the state
// before.
func (a *Act) sawFile(r *capture.Record) {
	a.Recs = append(a.Recs, r)
	if r.Action.File == nil {
		return
	}
	file := *r.Action.File
	a.Changed = true
	if file.Change == "removed" {
		a.Before = withFile(a.Before, file)
	} else {
		a.After = withFile(a.After, file)
	}
	if file.Change == "moved" {
		a.Before = withFile(a.Before, capture.File{Name: lastPart(file.From), Path: file.From, Ext: file.Ext, Size: file.Size, Dir: file.Dir,
			Change: file.Change})
	}
}

func lastPart(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// withFile returns a copy of a state with one more file; records belong to the caller and are not changed.
func withFile(s *capture.State, f capture.File) *capture.State {
	out := capture.State{}
	if s != nil {
		out = *s
	}
	out.Files = append(slices.Clone(out.Files), f)
	return &out
}
