package store

import (
	"bufio"
	"errors"
	"io"
)

// lineReader reads a file piece by piece as long as the lines it is compared with.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) lineReader { return lineReader{bufio.NewReaderSize(r, 1<<16)} }

// next reads up to n bytes; fewer at the end of the file.
func (l lineReader) next(n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := io.ReadFull(l.r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return b[:got], err
}

func newBufferedFile(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 1<<16) }
