// Package generated writes the files that programs of the project generate.
package generated

import (
	"bytes"
	"os"
)

// Write writes a file unless its content is the same already, so that nothing is rebuilt needlessly.
func Write(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return os.WriteFile(path, content, 0o644)
}
