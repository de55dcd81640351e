package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

// projectFile makes one canonical file what its row says, and updates f.disk to what is then on the disk.
func (s *Store) projectFile(ctx context.Context, f *fileRow, dirs dirSet) (err error) {
	switch {
	case f.gone:
		err = s.projectRemoval(ctx, f, dirs)
	case f.kind == "jsonl":
		err = s.projectLines(ctx, f, dirs)
	default:
		err = s.projectJSON(ctx, f, dirs)
	}
	if err != nil {
		return ioFault(err, "a canonical file cannot be written")
	}
	return nil
}

func (s *Store) projectRemoval(ctx context.Context, f *fileRow, dirs dirSet) error {
	ours, err := s.clear(ctx, f)
	if err != nil {
		return err
	}
	if ours {
		if err := s.root.Remove(f.path); err != nil {
			return err
		}
		dirs.add(f.path)
	}
	f.disk = diskState{}
	return nil
}

func (s *Store) projectJSON(ctx context.Context, f *fileRow, dirs dirSet) error {
	if _, err := s.clear(ctx, f); err != nil {
		return err
	}
	b := renderJSON(f.body.String)
	if err := s.replace(f.path, dirs, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		return err
	}
	return s.observeDisk(f, hash(b))
}

// projectLines appends what the file does not have yet; a file that is missing or not ours is written whole.
func (s *Store) projectLines(ctx context.Context, f *fileRow, dirs dirSet) error {
	ours, err := s.clear(ctx, f)
	if err != nil {
		return err
	}
	if !ours || f.disk.seq < f.start {
		err := s.replace(f.path, dirs, func(w io.Writer) error {
			return s.eachLine(ctx, f, 0, func(_ int64, b []byte) error { _, err := w.Write(b); return err })
		})
		if err != nil {
			return err
		}
		return s.observeDisk(f, "")
	}
	if err := s.appendLines(ctx, f); err != nil {
		return err
	}
	return s.observeDisk(f, "")
}

func (s *Store) appendLines(ctx context.Context, f *fileRow) (err error) {
	out, err := s.root.OpenFile(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	var buf bytes.Buffer
	if err := s.eachLine(ctx, f, f.disk.seq, func(_ int64, b []byte) error { buf.Write(b); return nil }); err != nil {
		return err
	}
	if _, err := out.Write(buf.Bytes()); err != nil {
		return err
	}
	return out.Sync()
}

// clear answers whether the file on the disk is ours, so that it may be replaced, appended to or removed. What is not ours
// is moved aside, never overwritten. For a JSONL file of ours it also cuts off a torn last line and sets f.disk.seq to the
// last line that is whole.
func (s *Store) clear(ctx context.Context, f *fileRow) (ours bool, err error) {
	info, err := s.root.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.disk.seq = 0
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case !info.Mode().IsRegular():
	case s.sameAsLeft(f, info):
		return true, nil
	case f.kind == "jsonl":
		ours, err = s.recognizeLines(ctx, f)
	default:
		ours, err = s.recognizeJSON(f)
	}
	if err != nil || ours {
		return ours, err
	}
	f.disk.seq = 0
	s.opt.Logger.Warn("a file in the place of a canonical file was moved aside")
	return false, s.root.Rename(f.path, f.path+".foreign-"+s.opt.Now().Format("20060102T150405.000"))
}

func (s *Store) sameAsLeft(f *fileRow, info fs.FileInfo) bool {
	return f.disk.seq > 0 && info.Mode().IsRegular() && info.Size() == f.disk.size && info.ModTime().UnixNano() == f.disk.mtime
}

// untouched reports whether the file is as the projector left it, by size and time.
func (s *Store) untouched(f fileRow) bool {
	info, err := s.root.Lstat(f.path)
	return err == nil && f.disk.seq == f.seq && s.sameAsLeft(&f, info)
}

// recognizeJSON tells our own file: the one we recorded, the one we would write, or one written between the two whose mark
// a crash prevented.
func (s *Store) recognizeJSON(f *fileRow) (bool, error) {
	b, err := s.root.ReadFile(f.path)
	if err != nil {
		return false, err
	}
	if h := hash(b); h == f.disk.hash || (f.body.Valid && h == hash(renderJSON(f.body.String))) {
		return true, nil
	}
	var mark struct {
		Seq int64 `json:"outbox_seq"`
	}
	if json.Unmarshal(b, &mark) != nil {
		return false, nil
	}
	return f.disk.seq < mark.Seq && mark.Seq <= f.seq, nil
}

// recognizeLines tells our own file: its lines are the first of those in the database; what follows the last whole line, if
// anything, is the beginning of the next and is cut off.
func (s *Store) recognizeLines(ctx context.Context, f *fileRow) (bool, error) {
	if f.gone || f.disk.seq < f.start { // its lines are no longer in the database
		return s.allLinesOlder(f)
	}
	in, err := s.root.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer in.Close()
	var whole, last int64
	torn, foreign := false, false
	r := newLineReader(in)
	err = s.eachLine(ctx, f, 0, func(seq int64, want []byte) error {
		got, err := r.next(len(want))
		switch {
		case err != nil:
			return err
		case bytes.Equal(got, want):
			whole, last = whole+int64(len(want)), seq
			return nil
		case bytes.HasPrefix(want, got):
			torn = len(got) > 0
		default:
			foreign = true
		}
		return errStop
	})
	if err != nil && !errors.Is(err, errStop) {
		return false, err
	}
	if !foreign {
		info, err := in.Stat()
		if err != nil {
			return false, err
		}
		foreign = !torn && info.Size() > whole // more than we ever wrote
	}
	if foreign {
		return false, nil
	}
	f.disk.seq = last
	if torn {
		return true, errors.Join(in.Truncate(whole), in.Sync())
	}
	return true, nil
}

// allLinesOlder recognizes a JSONL file that must go by its lines' sequences.
func (s *Store) allLinesOlder(f *fileRow) (bool, error) {
	b, err := s.root.ReadFile(f.path)
	if err != nil {
		return false, err
	}
	for line := range bytes.Lines(b) {
		var mark struct {
			Seq int64 `json:"outbox_seq"`
		}
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // torn
		}
		if json.Unmarshal(line, &mark) != nil || mark.Seq <= 0 || mark.Seq > f.seq {
			return false, nil
		}
	}
	return true, nil
}

var errStop = errors.New("stop")

// eachLine calls fn with the lines of a JSONL file after a sequence, each with its newline.
func (s *Store) eachLine(ctx context.Context, f *fileRow, after int64, fn func(seq int64, line []byte) error) error {
	type line struct {
		seq  int64
		body []byte
	}
	for {
		part := make([]line, 0, recordsPerRead)
		err := s.View(ctx, func(tx *Tx) error {
			rows, err := tx.tx.QueryContext(tx.ctx, `SELECT seq, body FROM lines WHERE path=? AND seq>? AND seq<=? ORDER BY seq LIMIT ?`,
				f.path, after, f.seq, recordsPerRead)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var l line
				if err := rows.Scan(&l.seq, &l.body); err != nil {
					return err
				}
				part = append(part, l)
			}
			return rows.Err()
		})
		if err != nil {
			return err
		}
		for _, l := range part {
			if err := fn(l.seq, append(l.body, '\n')); err != nil {
				return err
			}
		}
		if len(part) < recordsPerRead {
			return nil
		}
		after = part[len(part)-1].seq
	}
}

// replace writes a file whole: a part file beside it, synced, then renamed over it.
func (s *Store) replace(name string, dirs dirSet, fill func(io.Writer) error) error {
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

// createPart opens a part file and makes its folders when they are missing.
func (s *Store) createPart(name string, dirs dirSet) (*os.File, error) {
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

// observeDisk records what the projector has just left on the disk.
func (s *Store) observeDisk(f *fileRow, hash string) error {
	info, err := s.root.Lstat(f.path)
	if err != nil {
		return err
	}
	f.disk = diskState{seq: f.seq, size: info.Size(), mtime: info.ModTime().UnixNano(), hash: hash}
	return nil
}

func renderJSON(body string) []byte {
	var buf bytes.Buffer
	if err := json.Indent(&buf, []byte(body), "", "  "); err != nil {
		return []byte(body) // it came from json.Marshal: cannot happen, and must not lose the content
	}
	buf.WriteByte('\n')
	return buf.Bytes()
}

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// dirSet collects the folders whose entries changed, so that each is synced once per pass.
type dirSet map[string]bool

func (d dirSet) add(name string) { d[path.Dir(name)] = true }

// addAll notes every folder above a file: they may be new.
func (d dirSet) addAll(name string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		d[dir] = true
		if dir == "." {
			return
		}
	}
}

func (d dirSet) sync(root *os.Root) error {
	for name := range d {
		dir, err := root.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = errors.Join(syncDir(dir), dir.Close())
		if err != nil {
			return err
		}
	}
	return nil
}
