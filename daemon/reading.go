package daemon

import (
	"context"

	"showhow/capture"
	"showhow/daemon/document"
	"showhow/daemon/pdf"
	"showhow/daemon/pdf/beside"
	"showhow/daemon/wire"
	"showhow/internal/regular"
)

// documentsOf reads the person's documents, for the capture and for rehearsals. What they say stays in memory.
type documentsOf struct{ pdf *pdf.Service }

// Values implements port.Documents.
func (d documentsOf) Values(ctx context.Context, document []byte, at []wire.DocumentPlace) ([]string, error) {
	return d.pdf.ValuesOf(ctx, document, at)
}

// open reads a document that the person has just read with a command.
func (d documentsOf) open(ctx context.Context, path string) (capture.Document, error) {
	b, err := regular.Read(path, document.MaxSize)
	if err != nil {
		return nil, err
	}
	words, err := d.pdf.WordsOf(ctx, b)
	if err != nil {
		return nil, err
	}
	return shown{words}, nil
}

// shown is a document in which typed values are looked for.
type shown struct{ words *beside.Document }

// Find implements capture.Document.
func (s shown) Find(text string) (out []capture.FoundPlace) {
	for _, at := range s.words.Find(text) {
		out = append(out, capture.FoundPlace(at))
	}
	return out
}

// Shows implements capture.Document.
func (s shown) Shows(at capture.DocumentPlace, text string) (capture.DocumentPlace, bool) {
	return s.words.Shows(at, text)
}
