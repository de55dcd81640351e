package store

import (
	"errors"
	"os"
	"path/filepath"
)

// Erase removes the database with all that lies beside it in a data directory: write-ahead log, backups, lock. The store must
// be closed. What it does not know it leaves.
func Erase(dir string) error {
	var errs []error
	for _, name := range []string{dbName + "-wal", dbName + "-shm", dbName + "-journal", dbName, backupDir, lockName} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, name)))
	}
	return errors.Join(errs...)
}
