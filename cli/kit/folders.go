package kit

import (
	"os"
	"path/filepath"
	"strings"
)

// Whole is a folder as a scope names it. Shells do not expand the ~ of --folder=~/reports and folder=~/reports.
func (e *Env) Whole(dir string) (string, error) {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		dir = filepath.Join(e.Roots.Home, rest)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", Usage("the folder must be a path")
	}
	return abs, nil
}

// Folder is an existing folder that can be watched, or a link to one.
func (e *Env) Folder(dir string) (string, error) {
	abs, err := e.Whole(dir)
	if err != nil {
		return "", err
	}
	switch st, err := os.Stat(abs); {
	case err != nil:
		return "", Usage("there is no folder %s: make it first, or mind its spelling", e.Roots.Tilde(abs))
	case !st.IsDir():
		return "", Usage("%s is a file: name the folder that it is in", e.Roots.Tilde(abs))
	}
	return abs, nil
}
