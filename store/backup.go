package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// keepBackups is how many copies of the database are kept.
const keepBackups = 2

// backup copies the database before a migration changes it. The copies contain raw data too: a purge removes them.
func (s *database) backup(ctx context.Context, next migration) error {
	dir := filepath.Join(s.opt.Dir, backupDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ioFault(err, "the backup folder cannot be created")
	}
	name := fmt.Sprintf("%s-before-%04d.db", s.opt.Now().Format("20060102T150405.000"), next.number)
	path := filepath.Join(dir, name)
	// VACUUM INTO accepts an empty file, which gives the copy our mode rather than the umask's.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return ioFault(err, "the database cannot be backed up")
	}
	defer f.Close()
	if _, err := s.w.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		os.Remove(path)
		return err
	}
	if err := f.Sync(); err != nil {
		return ioFault(err, "the database cannot be backed up")
	}
	return dropOldBackups(dir)
}

func dropOldBackups(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil {
		return err
	}
	slices.Sort(names) // by time: the name begins with it
	for len(names) > keepBackups {
		if err := os.Remove(names[0]); err != nil {
			return ioFault(err, "an old backup cannot be removed")
		}
		names = names[1:]
	}
	return nil
}
