package cli

import (
	"os"
	"path/filepath"
	"strings"
)

// whole is a folder as a scope names it. A shell leaves the ~ of --folder=~/reports and folder=~/reports as it is.
func (e *env) whole(dir string) (string, error) {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		dir = filepath.Join(e.roots.Home, rest)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", usage("the folder must be a path")
	}
	return abs, nil
}

// folder is a folder that can be watched: one that is there. A link to one is as good.
func (e *env) folder(dir string) (string, error) {
	abs, err := e.whole(dir)
	if err != nil {
		return "", err
	}
	switch st, err := os.Stat(abs); {
	case err != nil:
		return "", usage("there is no folder %s: make it first, or mind its spelling", e.roots.Tilde(abs))
	case !st.IsDir():
		return "", usage("%s is a file: name the folder that it is in", e.roots.Tilde(abs))
	}
	return abs, nil
}
