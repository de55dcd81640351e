package store

import (
	"errors"
	"os"
	"path/filepath"
)

// Erase removes the database and its companions in a data directory: write-ahead log, backups, lock. The store must
// be closed. Unknown files stay.
func Erase(dir string) error {
	var errs []error
	for _, name := range []string{dbName + "-wal", dbName + "-shm", dbName + "-journal", dbName, backupDir, lockName} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}
