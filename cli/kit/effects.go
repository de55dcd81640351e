package kit

import (
	"cmp"
	"os"
	"path/filepath"
	"showhow/daemon/wire"
	"slices"
	"strings"
	"time"
)

// Bounds of a scan of a wrapped command's folders: the nearest first, then deeper, until one of them is reached.
const (
	lookFiles = 20_000
	lookTime  = 150 * time.Millisecond
	tellFiles = 50
)

// sight is the result of scanning folders: sizes and times of files, never their content.
type sight struct {
	files map[string]fileSeen
	whole bool // everything was seen
}

type fileSeen struct {
	size int64
	at   int64 // ns
}

// Look scans the regular files below roots. Hidden files and folders and node_modules are skipped; links are not
// followed.
func Look(roots []string) sight {
	s := sight{files: map[string]fileSeen{}, whole: true}
	until := time.Now().Add(lookTime)
	for queue := slices.Clone(roots); len(queue) > 0; {
		dir := queue[0]
		queue = queue[1:]
		if len(s.files) >= lookFiles || time.Now().After(until) {
			s.whole = false
			return s
		}
		entries, _ := os.ReadDir(dir) // what cannot be read is not seen
		for _, d := range entries {
			name := d.Name()
			switch path := filepath.Join(dir, name); {
			case strings.HasPrefix(name, "."), name == "node_modules", name == "__pycache__":
			case d.IsDir():
				queue = append(queue, path)
			case d.Type().IsRegular():
				if fi, err := d.Info(); err == nil {
					s.files[path] = fileSeen{fi.Size(), fi.ModTime().UnixNano()}
				}
			}
		}
	}
	return s
}

// Effects returns the files that were created, changed or removed between two scans. Of a folder that was not
// completely scanned before, it returns only files written since begun, and cannot tell whether they are new.
func Effects(before, after sight, begun time.Time, cwd string) []wire.AgentReceiptFile {
	var out []wire.AgentReceiptFile
	add := func(path, change string, size int64) {
		if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		out = append(out, wire.AgentReceiptFile{Path: filepath.ToSlash(path), Change: change, Size: size})
	}
	for path, now := range after.files {
		was, there := before.files[path]
		switch {
		case there && was != now:
			add(path, "changed", now.size)
		case !there && before.whole:
			add(path, "created", now.size)
		case !there && now.at >= begun.UnixNano():
			add(path, "changed", now.size)
		}
	}
	if before.whole && after.whole {
		for path, was := range before.files {
			if _, there := after.files[path]; !there {
				add(path, "removed", was.size)
			}
		}
	}
	slices.SortFunc(out, func(a, b wire.AgentReceiptFile) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), tellFiles)]
}
