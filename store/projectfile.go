package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// projectFile makes one canonical file match its row, and updates f.disk to what is then on the disk.
func (s *projection) projectFile(ctx context.Context, f *fileRow, dirs *dirSet) (err error) {
	switch {
	case f.gone:
		err = s.projectRemoval(ctx, f, dirs)
	case f.kind == "jsonl":
		err = s.projectLines(ctx, f, dirs)
	default:
		err = s.projectWhole(ctx, f, dirs)
	}
	if err != nil {
		return ioFault(err, "a canonical file cannot be written")
	}
	return nil
}

func (s *projection) projectRemoval(ctx context.Context, f *fileRow, dirs *dirSet) error {
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

func (s *projection) projectWhole(ctx context.Context, f *fileRow, dirs *dirSet) error {
	if _, err := s.clear(ctx, f); err != nil {
		return err
	}
	b := f.render()
	if err := s.replace(f.path, dirs, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		return err
	}
	return s.observeDisk(f, hash(b))
}

// projectLines appends the lines that the file does not have yet; a file that is missing or not ours is written as a
// whole.
func (s *projection) projectLines(ctx context.Context, f *fileRow, dirs *dirSet) error {
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

func (s *projection) appendLines(ctx context.Context, f *fileRow) (err error) {
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

// observeDisk records what the projector has just left on the disk.
func (s *projection) observeDisk(f *fileRow, hash string) error {
	info, err := s.root.Lstat(f.path)
	if err != nil {
		return err
	}
	f.disk = diskState{seq: f.seq, size: info.Size(), mtime: info.ModTime().UnixNano(), hash: hash}
	return nil
}

// render is the content of a file that is written as a whole.
func (f *fileRow) render() []byte {
	if f.kind == "text" {
		return []byte(f.body.String)
	}
	return renderJSON(f.body.String)
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
