package canary

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

const (
	maxDepth    = 4         // archives in archives
	maxUnpacked = 256 << 20 // of one member; a bomb ends the look into it, not the scan
	maxStreams  = 1000      // gzip magics tried per file
)

// members scans what is compressed in b: a zip archive, and gzip streams wherever they begin.
func (s *scanner) members(path string, b []byte, depth int) {
	if depth >= maxDepth {
		return
	}
	s.zip(path, b, depth)
	s.gzip(path, b, depth)
}

func (s *scanner) zip(path string, b []byte, depth int) {
	if !bytes.Contains(b, []byte("PK\x05\x06")) { // end of central directory
		return
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	for _, f := range z.File {
		name := path + "!" + f.Name
		s.name(name, f.Name)
		r, err := f.Open()
		if err != nil {
			continue
		}
		inner, _ := io.ReadAll(io.LimitReader(r, maxUnpacked)) // a damaged member is searched as far as it goes
		r.Close()
		s.data(name, inner, depth+1)
	}
}

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

func (s *scanner) gzip(path string, b []byte, depth int) {
	for from, n := 0, 0; n < maxStreams; n++ {
		i := bytes.Index(b[from:], gzipMagic)
		if i < 0 {
			return
		}
		from += i
		s.stream(fmt.Sprintf("%s!gzip@%d", path, from), b[from:], depth)
		from += len(gzipMagic)
	}
}

func (s *scanner) stream(name string, b []byte, depth int) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return
	}
	r.Multistream(false)
	s.name(name, r.Name)
	inner, _ := io.ReadAll(io.LimitReader(r, maxUnpacked)) // torn at the end is searched as far as it goes
	if len(inner) > 0 {
		s.data(name, inner, depth+1)
	}
}
