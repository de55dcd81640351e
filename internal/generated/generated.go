// Package generated writes the files that programs of the project generate.
package generated

import (
	"bytes"
	"os"
)

// Write writes a file; one that says the same already is left alone, so that nothing is built anew for it.
func Write(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o644)
}
