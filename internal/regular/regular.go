// Package regular opens files that somebody else may replace at any moment: in a folder that an agent writes to, a
// file that was regular when it was listed can be a pipe without a writer when it is opened, and opening that would
// block for ever.
//
// Guarantees: what is returned was regular when it was opened, and opening never blocks. Size and mode are those of
// the opened file, not of the listed one. Not guaranteed: that the content does not change while it is read.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNot: not a regular file.
var ErrNot = errors.New("not a regular file")

// Open opens the file at path, which may be a link to one.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return checked(os.OpenFile(path, os.O_RDONLY|nonblock, 0))
}

// In opens a file of root that is not a link.
func In(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	f, info, err := checked(root.OpenFile(name, os.O_RDONLY|nonblock, 0))
	if err != nil {
		return nil, nil, err
	}
	if there, err := root.Lstat(name); err != nil || !os.SameFile(there, info) {
		f.Close()
		return nil, nil, ErrNot
	}
	return f, info, nil
}

// Read reads the file at path, which may be a link to one, if it is not longer than most.
func Read(path string, most int64) ([]byte, error) {
	f, _, err := Open(path)
	return read(f, err, most)
}

// ReadIn reads a file of root that is not a link and not longer than most.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	f, _, err := In(root, name)
	return read(f, err, most)
}

func read(f *os.File, err error, most int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, ErrLong
	}
	return data, err
}

// ErrLong: the file is longer than allowed.
var ErrLong = errors.New("the file is too long")

func checked(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNot
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
