package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"showhow/internal/fault"
)

// Archives inside a skill stay packed: a template document is one. They are measured, so that whoever opens them is
// not flooded.

var (
	errHeavy = errors.New("too much inside")
	errDeep  = errors.New("too deep inside")
)

// inner sums up what all archives inside one archive unpack to.
type inner struct {
	bytes int64
	count int
}

// weigh measures data if it is an archive. What cannot be read is left to the scanner, which calls it opaque.
func (n *inner) weigh(ctx context.Context, data []byte, level int, lim Limits) error {
	f := formatOf(data[:min(len(data), 512)])
	if f == formatNone || f == formatOther {
		return nil
	}
	if level > lim.Nested {
		return errDeep
	}
	if n.count++; n.count > lim.Entries {
		return errHeavy
	}
	switch f {
	case formatZip:
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if r == nil || err != nil && len(r.File) == 0 {
			return nil
		}
		for _, e := range r.File {
			if in, err := e.Open(); err == nil {
				err = n.stream(ctx, in, level, lim)
				in.Close()
				if err != nil {
					return err
				}
			}
		}
	case formatGzip:
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil
		}
		return n.stream(ctx, z, level-1, lim) // a .tar.gz is one level, not two
	case formatTar:
		r := tar.NewReader(bytes.NewReader(data))
		for {
			if _, err := r.Next(); err != nil {
				return nil
			}
			if err := n.stream(ctx, r, level, lim); err != nil {
				return err
			}
		}
	}
	return nil
}

// stream counts the output and measures it in turn, up to the limit of a file.
func (n *inner) stream(ctx context.Context, r io.Reader, level int, lim Limits) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if n.count++; n.count > lim.Entries {
		return errHeavy
	}
	kept, err := io.ReadAll(io.LimitReader(r, lim.Bytes))
	n.bytes += int64(len(kept))
	if err == nil && n.bytes <= lim.Inner {
		rest, _ := io.Copy(io.Discard, io.LimitReader(r, lim.Inner-n.bytes+1))
		n.bytes += rest
	}
	if n.bytes > lim.Inner {
		return errHeavy
	}
	return n.weigh(ctx, kept, level+1, lim)
}

func refuseInner(err error, entry int) error {
	if errors.Is(err, errHeavy) || errors.Is(err, errDeep) {
		return refuse(NestedBomb, entry)
	}
	return fault.Wrap(err, fault.Cancelled, "the import was cancelled")
}
