package terminal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"showhow/internal/fswatch"
)

// spool is the file to which the fish shells of one captured terminal append their reports. It is in memory (tmpfs),
// because fish can neither keep a pipe open nor write to one without blocking, and unredacted text must not be on a
// disk (decisions B6). It is read as soon as it grows, and replaced by an empty one when it has grown enough, so that
// it holds little; fish stops writing if it is not emptied. Its space is reserved, so that a full tmpfs causes no
// error message in the shell.
type spool struct {
	dir   string // ours alone: <base>/<pid>.<nonce>
	now   func() time.Time
	file  *os.File
	old   *os.File // the one before: a shell that had opened it may still write
	size  int64    // of file, as far as it was read
	in    parser
	stop  chan struct{}
	done  chan struct{}
	watch *fswatch.Watcher
}

const (
	spoolName = "q"
	spoolRoom = 256 << 10
	spoolTurn = 16 << 10 // replaced beyond this
)

// openSpool creates a spool in base; take gets the shells' reports, in order, with the time they were written.
func openSpool(base, id string, now func() time.Time, take func([]record, int64)) (*spool, error) {
	s := &spool{dir: filepath.Join(base, id), now: now, stop: make(chan struct{}), done: make(chan struct{})}
	if err := s.makeDir(base); err != nil {
		return nil, err
	}
	err := s.fresh()
	if err == nil {
		s.watch, err = fswatch.New()
	}
	if err == nil {
		if err = s.watch.Add(s.dir); err != nil {
			_ = s.watch.Close()
		}
	}
	if err != nil {
		_ = os.RemoveAll(s.dir)
		return nil, err
	}
	go s.run(take)
	return s, nil
}

// makeDir creates the spool's folder. The last spool in base removes base when it closes, perhaps just before we use
// it, or while it is being checked.
func (s *spool) makeDir(base string) error {
	for {
		err := private(base)
		if errors.Is(err, fs.ErrExist) {
			if fi, gone := os.Lstat(base); gone != nil || fi.IsDir() {
				continue
			}
		}
		if err == nil {
			err = os.Mkdir(s.dir, 0o700)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if _, up := os.Stat(filepath.Dir(base)); up != nil {
			return err
		}
	}
}

func (s *spool) path() string { return filepath.Join(s.dir, spoolName) }

// fresh installs an empty file, atomically.
func (s *spool) fresh() error {
	f, err := os.OpenFile(s.path()+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err = reserve(f, spoolRoom); err == nil {
		err = os.Rename(f.Name(), s.path())
	}
	if err != nil {
		_ = f.Close()
		_ = os.Remove(s.path() + ".new")
		return err
	}
	if s.old != nil {
		_ = s.old.Close()
	}
	s.old, s.file, s.size = s.file, f, 0
	return nil
}

func (s *spool) run(take func([]record, int64)) {
	defer close(s.done)
	defer s.watch.Close()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	turn := false // data has been in the file for a second
	for {
		select {
		case <-s.watch.Events:
		case <-s.watch.Lost: // read as if there had been one
		case <-tick.C:
			turn = true
		case <-s.stop:
			s.read(take)
			for _, f := range []*os.File{s.old, s.file} {
				if f != nil {
					_ = f.Close()
				}
			}
			return
		}
		s.read(take)
		if s.size > spoolTurn || (turn && s.size > 0) {
			_ = s.fresh() // else it goes on growing, as far as the shells let it
		}
		turn = false
	}
}

// read passes on what has been written since the last read.
func (s *spool) read(take func([]record, int64)) {
	var got []record
	buf := make([]byte, 32<<10)
	written := time.Time{}
	for _, f := range []*os.File{s.old, s.file} {
		if f == nil {
			continue
		}
		if fi, err := f.Stat(); err == nil {
			written = fi.ModTime()
		}
		for {
			n, err := f.Read(buf)
			if f == s.file {
				s.size += int64(n)
			}
			s.in.feed(buf[:n], func(r record) { got = append(got, r) })
			if err != nil || n == 0 {
				if err != nil && !errors.Is(err, io.EOF) {
					s.in.letGo()
				}
				break
			}
		}
	}
	clear(buf)
	stamp(got, s.end(written))
	if n := s.in.take(); len(got) > 0 || n > 0 {
		take(got, n)
	}
}

// end is when the last record was written: now, unless we have been away. A file's time is late by up to a clock
// tick.
func (s *spool) end(written time.Time) time.Time {
	now := s.now()
	if latest := written.Add(10 * time.Millisecond); latest.Before(now) {
		return latest
	}
	return now
}

// stamp assigns times to commands that were read together: each ended before the next one of its shell began.
func stamp(records []record, end time.Time) {
	next := map[int]time.Time{}
	for i := len(records) - 1; i >= 0; i-- {
		r := &records[i]
		if r.kind != "run" {
			continue
		}
		if r.end = end; !next[r.pid].IsZero() {
			r.end = next[r.pid]
		}
		r.start = r.end.Add(-r.took)
		next[r.pid] = r.start
	}
}

// close removes the file, so that shells no longer find it, and reads the rest.
func (s *spool) close() {
	_ = os.Remove(s.path())
	close(s.stop)
	<-s.done
	_ = os.RemoveAll(s.dir)
	_ = os.Remove(filepath.Dir(s.dir)) // the last one out
}
