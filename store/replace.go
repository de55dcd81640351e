package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"

	"golang.org/x/sync/errgroup"
)

// replace writes a file as a whole: a part file beside it, synced, then renamed over it.
func (s *projection) replace(name string, dirs *dirSet, fill func(io.Writer) error) error {
	part := path.Join(path.Dir(name), "."+path.Base(name)+".part")
	out, err := s.createPart(part, dirs)
	if err != nil {
		return err
	}
	w := newBufferedFile(out)
	err = errors.Join(fill(w), w.Flush())
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = s.root.Rename(part, name)
	}
	if err != nil {
		_ = s.root.Remove(part)
		return err
	}
	dirs.add(name)
	return nil
}

// createPart opens a part file and creates missing folders.
func (s *projection) createPart(name string, dirs *dirSet) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	out, err := s.root.OpenFile(name, flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	if err := s.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return nil, err
	}
	dirs.addAll(name)
	return s.root.OpenFile(name, flags, 0o600)
}

// dirSet collects the folders whose entries changed, so that each is synced once per pass. It is safe for concurrent use.
type dirSet struct {
	mu    sync.Mutex
	names map[string]bool
}

func (d *dirSet) add(name string) { d.put(path.Dir(name)) }

func (d *dirSet) put(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[dir] = true
}

// addAll adds every folder above a file: they may be new.
func (d *dirSet) addAll(name string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		d.put(dir)
		if dir == "." {
			return
		}
	}
}

func (d *dirSet) sync(root *os.Root) error {
	var g errgroup.Group
	for name := range d.names {
		g.Go(func() error {
			dir, err := root.Open(name)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			return errors.Join(syncDir(dir), dir.Close())
		})
	}
	return g.Wait()
}
