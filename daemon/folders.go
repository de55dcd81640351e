package daemon

import (
	"os"
	"path/filepath"
)

// nearestExisting is dir or its nearest ancestor that exists.
func nearestExisting(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// writable reports whether a file can be made in dir, by making one.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".showhow-")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
