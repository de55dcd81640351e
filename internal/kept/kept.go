// Package kept writes small files in which a program keeps its state.
package kept

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Save atomically replaces a file, readable by its owner only, by v as JSON.
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
