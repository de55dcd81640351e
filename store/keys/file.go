package keys

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// writeSynced creates a 0600 file that survives a power loss.
func writeSynced(dir, name string, b []byte) error {
	part := name + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		_ = shred(dir, part)
		return err
	}
	return syncDir(dir)
}

// shred overwrites a file in place, syncs and removes it.
func shred(dir, name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	noise := make([]byte, keySize)
	rand.Read(noise)
	_, err = f.WriteAt(noise, 0)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return removeSynced(dir, name)
}

func removeSynced(dir, name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
