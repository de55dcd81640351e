// Package canary searches every byte below a folder for planted strings: it decides whether "no byte of it is left".
//
// It finds a string as UTF-8, UTF-16LE, escaped for JSON or a URL, in base64 at any of its three alignments, in hex,
// in file names and link targets, and inside gzip and zip data, also nested and in the middle of a file. It does not
// find what is encrypted, compressed otherwise (zstd, brotli, snappy), split over two places, or changed in case.
//
// A file that vanishes during the scan is not an error; an unreadable one is.
package canary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Canary is a string that must not be found. Text has at least eight bytes, so that it does not occur by chance.
type Canary struct {
	Label string
	Text  string
}

// Hit is a place where a canary was found. It does not repeat the text.
type Hit struct {
	Path     string // relative to the root; "a.zip!b.txt" for a member
	Label    string
	Encoding string
	Offset   int64
}

func (h Hit) String() string {
	return fmt.Sprintf("%s: %s as %s at %d", h.Path, h.Label, h.Encoding, h.Offset)
}

// Scan reads everything below root. It reports each canary once per file and encoding.
func Scan(root string, canaries ...Canary) ([]Hit, error) {
	s, err := newScanner(canaries)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.entry(root, path, d)
	})
	return s.hits, err
}

// Bytes scans data in memory: a log, a stream, a response.
func Bytes(name string, b []byte, canaries ...Canary) ([]Hit, error) {
	s, err := newScanner(canaries)
	if err != nil {
		return nil, err
	}
	s.data(name, b, 0)
	return s.hits, nil
}

type scanner struct {
	patterns []pattern
	starts   [1024]uint64         // which first bytes begin a pattern, by slot
	byStart  map[uint32][]pattern // the patterns by their first bytes
	whole    int64
	longest  int
	hits     []Hit
	seen     map[Hit]bool
}

func newScanner(canaries []Canary) (*scanner, error) {
	s := &scanner{whole: whole, seen: map[Hit]bool{}}
	for _, c := range canaries {
		if len(c.Text) < 8 {
			return nil, fmt.Errorf("canary %s is too short to be found only where it was planted", c.Label)
		}
		s.patterns = append(s.patterns, patterns(c)...)
	}
	s.byStart = map[uint32][]pattern{}
	for _, p := range s.patterns {
		s.longest = max(s.longest, len(p.bytes))
		g := start(p.bytes)
		s.starts[slot(g)/64] |= 1 << (slot(g) % 64)
		s.byStart[g] = append(s.byStart[g], p)
	}
	return s, nil
}

func (s *scanner) hit(path string, p pattern, offset int64) {
	key := Hit{Path: path, Label: p.label, Encoding: p.encoding}
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	key.Offset = offset
	s.hits = append(s.hits, key)
}

func (s *scanner) entry(root, path string, d fs.DirEntry) error {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return err
	}
	s.name(rel, filepath.Base(rel))
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		if target, err := os.Readlink(path); err == nil {
			s.name(rel, target)
		}
	case d.Type().IsRegular():
		return s.file(path, rel)
	}
	return nil
}

// name scans a file name or link target.
func (s *scanner) name(path, text string) {
	for _, p := range s.patterns {
		if i := index([]byte(text), p); i >= 0 {
			s.hit(path, pattern{label: p.label, encoding: p.encoding + " in a name"}, int64(i))
		}
	}
}

// whole is the size up to which a file is read at once; a larger one is read in overlapping pieces.
const whole = 64 << 20

func (s *scanner) file(path, rel string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() <= s.whole {
		b, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		s.data(rel, b, 0)
		return nil
	}
	return s.pieces(f, rel)
}

func (s *scanner) pieces(r io.Reader, rel string) error {
	buf := make([]byte, s.whole)
	kept, base := 0, int64(0)
	for {
		n, err := io.ReadFull(r, buf[kept:])
		s.plain(rel, buf[:kept+n], base)
		s.members(rel, buf[:kept+n], 0)
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
		keep := s.longest
		copy(buf, buf[kept+n-keep:kept+n])
		base += int64(kept + n - keep)
		kept = keep
	}
}

// data scans bytes and the data compressed in them.
func (s *scanner) data(path string, b []byte, depth int) {
	s.plain(path, b, 0)
	s.members(path, b, depth)
}

// plain searches for every pattern in one pass: a table of the first four bytes rules most positions out.
func (s *scanner) plain(path string, b []byte, base int64) {
	for i := 0; i+startLen <= len(b); i++ {
		g := start(b[i:])
		if s.starts[slot(g)/64]&(1<<(slot(g)%64)) == 0 {
			continue
		}
		for _, p := range s.byStart[g] {
			if p.at(b[i:]) {
				s.hit(path, p, base+int64(i))
			}
		}
	}
}
