package store

import (
	"context"
	"errors"
	"io/fs"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"showhow/internal/fault"
)

// sqliteCode is the primary result code inside err, 0 if there is none.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// cutOff names the error of a transaction whose context ended: the caller went away, or a read had to make way for a
// purge. SQLite and database/sql report that in their own ways. The same call can be repeated.
func cutOff(ctx context.Context, err error) error {
	var f *fault.Error
	if err == nil || ctx.Err() == nil || errors.As(err, &f) {
		return err
	}
	return fault.Wrap(errors.Join(err, ctx.Err()), fault.Cancelled,
		"the database was asked by somebody who stopped waiting, or had to make way").
		WithHint("try again")
}

// asFault maps a failure of SQLite to the code that people and programs know. Other errors, and faults, stay as they
// are.
func (s *database) asFault(err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) {
		return err
	}
	switch sqliteCode(err) {
	case lib.SQLITE_FULL:
		return full(err)
	case lib.SQLITE_IOERR:
		return s.ioError(err)
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return fault.Wrap(err, fault.StoreReadOnly, "the data directory cannot be written").
			WithHint("give yourself write permission, or set SHOWHOW_DATA to another place")
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return corrupt(err)
	}
	return err
}

// ioError distinguishes a full disk from a broken one: to SQLite a shared memory file that cannot grow, or an
// exceeded quota, is an I/O error; the file system knows better.
func (s *database) ioError(err error) error {
	if free := freeBytes(s.opt.Dir); free >= 0 && free < minFree {
		return full(err)
	}
	var e *sqlite.Error
	errors.As(err, &e)
	switch e.Code() {
	case lib.SQLITE_IOERR_WRITE, lib.SQLITE_IOERR_SHMSIZE, lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC, lib.SQLITE_IOERR_TRUNCATE:
		return fault.Wrap(err, fault.StoreFull, "the disk refused to write").
			WithHint("look at the disk's health and its quotas, then try again")
	case lib.SQLITE_IOERR_SHORT_READ, lib.SQLITE_IOERR_CORRUPTFS, lib.SQLITE_IOERR_DATA:
		return corrupt(err)
	}
	return fault.Wrap(err, fault.Internal, "the disk failed").WithHint("look at the disk's health, then try again")
}

// minFree is less than SQLite needs for one more shared memory page and a commit.
const minFree = 1 << 20

func full(err error) error {
	return fault.Wrap(err, fault.StoreFull, "the disk is full: nothing was written").
		WithHint("make room, then try again; what was acknowledged before is safe")
}

func corrupt(err error) error {
	return fault.Wrap(err, fault.StoreCorrupt, "the database is damaged").
		WithHint("restore the data directory from a backup; its backups folder may hold one")
}

// ioFault is asFault for the file system.
func ioFault(err error, message string) error {
	switch {
	case isNoSpace(err):
		return full(err)
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return fault.Wrap(err, fault.StoreReadOnly, message).
			WithHint("give yourself write permission, or set SHOWHOW_DATA to another place")
	}
	return fault.Wrap(err, fault.Internal, message)
}
