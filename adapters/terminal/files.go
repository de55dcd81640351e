package terminal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/capture"
)

// maxFiles bounds a look at a folder; a folder with more entries is not looked at.
const maxFiles = 200

type fileState struct {
	size  int64
	mtime int64 // ns
}

// listing is the regular files directly in one folder.
type listing struct {
	dir   string
	files map[string]fileState
	ok    bool // the folder was read and is small enough
}

func list(dir string) listing {
	l := listing{dir: dir}
	if !filepath.IsAbs(dir) {
		return l
	}
	f, err := os.Open(dir)
	if err != nil {
		return l
	}
	defer f.Close()
	entries, err := f.ReadDir(maxFiles + 1)
	if len(entries) > maxFiles || (err != nil && len(entries) > 0) {
		return l
	}
	l.files, l.ok = make(map[string]fileState, len(entries)), true
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if fi, err := e.Info(); err == nil {
			l.files[e.Name()] = fileState{fi.Size(), fi.ModTime().UnixNano()}
		}
	}
	return l
}

// effects are the files that a command replaced or removed, and those that it made or changed.
func effects(before, after listing) (was, is []capture.File) {
	if !before.ok || !after.ok || before.dir != after.dir {
		return nil, nil
	}
	for name, s := range before.files {
		if now, there := after.files[name]; !there || now != s {
			was = append(was, file(name, s))
		}
	}
	for name, s := range after.files {
		if old, there := before.files[name]; !there || old != s {
			is = append(is, file(name, s))
		}
	}
	byName := func(a, b capture.File) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(was, byName)
	slices.SortFunc(is, byName)
	return was, is
}

func file(name string, s fileState) capture.File {
	return capture.File{Name: name, Ext: strings.ToLower(filepath.Ext(name)), Size: s.size}
}
