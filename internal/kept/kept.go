// Package kept writes small files that a program remembers things in.
package kept

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Save replaces a file that only its owner may read by v as JSON. Who reads it meanwhile sees the old one or the new
// one, whole.
func Save(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
