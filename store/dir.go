package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"showhow/internal/fault"
)

const (
	dbName    = "showhow.db"
	lockName  = "daemon.lock"
	backupDir = "backups"
	keysDir   = "keys"
)

// prepareDir creates the data directory, or checks that an existing one is ours and closed to others.
func prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ioFault(err, "the data directory cannot be created")
	}
	info, err := os.Stat(dir)
	if err != nil {
		return ioFault(err, "the data directory cannot be read")
	}
	if !info.IsDir() {
		return fault.New(fault.StoreReadOnly, "the data directory is not a directory").WithHint("set SHOWHOW_DATA to another place")
	}
	if !ownedByUs(info) {
		return fault.New(fault.DataDirForeign, "the data directory belongs to another user").
			WithHint("run Showhow as its owner, or set SHOWHOW_DATA to a directory of your own")
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return ioFault(err, "the data directory cannot be closed to other users")
		}
	}
	return nil
}

// closeDatabaseFiles gives the database and its companion files mode 0600, whatever the umask. SQLite copies the mode
// of the database file to the log and the shared memory file it creates.
func closeDatabaseFiles(dir string) error {
	path := filepath.Join(dir, dbName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return ioFault(err, "the database cannot be opened for writing")
	}
	f.Close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Chmod(path+suffix, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return ioFault(err, "the database cannot be closed to other users")
		}
	}
	return nil
}

// lockDir locks the data directory for this process until the returned file is unlocked. The kernel releases the lock
// when the process ends in any way; the file stays.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, ioFault(err, "the data directory cannot be locked")
	}
	if err := lockFile(f); err != nil {
		defer f.Close()
		if !errors.Is(err, errLocked) {
			return nil, ioFault(err, "the data directory cannot be locked")
		}
		e := fault.New(fault.DataDirLocked, "another Showhow daemon uses this data directory").
			WithHint("`showhow daemon stop` ends it")
		if pid := lockHolder(f); pid > 0 {
			e = e.WithDetail("pid", pid)
		}
		return nil, e
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // for people; nothing depends on it
	}
	return f, nil
}

func lockHolder(f *os.File) int {
	b := make([]byte, 16)
	n, _ := f.ReadAt(b, 0)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	return pid
}

// looksLikeSQLite checks the first bytes of an existing database file, so that another kind of file is never opened
// by SQLite for writing.
func looksLikeSQLite(path string) error {
	b := make([]byte, 16)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return ioFault(err, "the database cannot be read")
	}
	defer f.Close()
	n, _ := f.Read(b)
	if n > 0 && string(b[:n]) != "SQLite format 3\x00" {
		return corrupt(fmt.Errorf("no SQLite header"))
	}
	return nil
}

// leftLog reports whether a write-ahead log was left behind: the last process did not close the database.
func leftLog(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, dbName+"-wal"))
	return err == nil && info.Size() > 0
}
