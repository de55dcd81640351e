package kit

import (
	"errors"
	"io/fs"
	"os"

	"showhow/internal/fault"
)

// NewFile creates a file that a command writes to: one that is there is never replaced.
func NewFile(name string, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fault.Wrap(err, fault.OutputExists, PlainText(name)+" exists already").
			WithHint("move it away, or name a file that does not exist")
	case err != nil:
		return nil, fault.Wrap(err, fault.Usage, PlainText(name)+" cannot be created").
			WithHint("name a file in a folder that exists and that you may write to")
	}
	return f, nil
}

// WriteNew writes data to a new file, which goes again if it cannot be finished.
func WriteNew(name string, perm fs.FileMode, data []byte) error {
	f, err := NewFile(name, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fault.Wrap(err, fault.Internal, PlainText(name)+" could not be written").WithHint("check the free space there"),
			os.Remove(name))
	}
	return nil
}
