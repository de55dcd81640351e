package agentrun

import (
	"path"
	"path/filepath"
	"strings"

	"showhow/adapters/receipts/report"
	"showhow/daemon/sandbox"
)

const maxClaims = 1000

// claim records a call's statements about files. The lock is held.
func (l *live) claim(r report.Receipt) {
	if l.why.Purpose != "practice" || r.Outcome == report.Failed {
		return
	}
	if l.claimed == nil {
		l.claimed = map[string]bool{}
	}
	for _, f := range r.Files {
		p := f.Path
		if !path.IsAbs(p) {
			p = path.Join(r.Cwd, p)
		}
		rel, ok := strings.CutPrefix(path.Clean(p), sandbox.HomeIn(filepath.Join(l.s.folder(l.id), "work"))+"/")
		if ok && len(l.claimed) < maxClaims {
			l.claimed[rel] = f.Change != "removed"
		}
	}
}

// effective reports whether the agent's statements about files in its workspace are true. A practice learns from
// effects, not from statements.
func (l *live) effective() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.claimed) == 0 {
		return true
	}
	root, err := l.box.Files()
	if err != nil {
		return false
	}
	defer root.Close()
	for p, there := range l.claimed {
		if _, err := root.Lstat(p); (err == nil) != there {
			return false
		}
	}
	return true
}
