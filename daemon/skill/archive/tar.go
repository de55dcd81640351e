package archive

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

// tarGz reads a tar inside a single gzip member that ends the file.
func (u *unpacker) tarGz(src io.Reader) error {
	in := bufio.NewReader(src)
	z, err := gzip.NewReader(in)
	if err != nil {
		return damaged(err)
	}
	defer z.Close()
	z.Multistream(false)
	out := bufio.NewReaderSize(z, 4096)
	head, err := out.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return damaged(err)
	}
	if formatOf(head) != formatTar {
		return refuse(NoArchive, 0)
	}
	if err := u.tar(out); err != nil {
		return err
	}
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		return refuse(Extra, 0)
	}
	return nil
}

// tar reads a tar to its end.
func (u *unpacker) tar(src io.Reader) error {
	// Headers, padding and extended headers come on top of the files.
	lim := &cutter{r: src, left: u.lim.Bytes + int64(u.lim.Entries)*4096 + 1<<20}
	r := tar.NewReader(lim)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return u.broken(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader { // git archive's note of the commit
			if h.PAXRecords["path"] != "" || h.PAXRecords["linkpath"] != "" || h.PAXRecords["size"] != "" {
				return refuse(Disagree, 0) // readers differ in whom it renames
			}
			continue
		}
		if err := u.tarEntry(r, h); err != nil {
			return err
		}
	}
	return u.tarEnd(lim)
}

func (u *unpacker) tarEntry(r io.Reader, h *tar.Header) error {
	number := u.entries + 1
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeDir:
	case tar.TypeSymlink, tar.TypeLink:
		return refuse(Link, number)
	default:
		return refuse(Special, number)
	}
	for k := range h.PAXRecords {
		if strings.HasPrefix(k, "GNU.sparse.") {
			return refuse(Special, number)
		}
	}
	dir := h.Typeflag == tar.TypeDir
	if !dir && h.Mode&0o6000 != 0 {
		return refuse(Setuid, number)
	}
	if h.Linkname != "" || dir && h.Size != 0 || !dir && strings.HasSuffix(h.Name, "/") {
		return refuse(Disagree, number)
	}
	path, skip, err := u.entry(h.Name, dir)
	if err != nil || dir {
		return err
	}
	return u.file(path, uint32(h.Mode), r, h.Size, skip)
}

// tarEnd requires nothing but zeros after the end.
func (u *unpacker) tarEnd(r io.Reader) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			if b != 0 {
				return refuse(Extra, 0)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return u.broken(err)
		}
	}
}

// cutter refuses a stream that is too long.
type cutter struct {
	r    io.Reader
	left int64
}

func (c *cutter) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, refuse(Bomb, 0)
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	return n, err
}
