package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"showhow/capture/redact"
	"showhow/daemon/document"
	"showhow/daemon/journal"
	"showhow/daemon/pdf"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// desk reads documents that are in memory.
type desk struct {
	journal.Writer
	s  *pdf.Service
	mu sync.Mutex
	b  []byte // the document
}

// newDesk makes a desk; an operation may take bound, or what it may in the product.
func newDesk(scratch string, bound time.Duration) (*desk, error) {
	rules, err := redact.Load()
	if err != nil {
		return nil, err
	}
	d := &desk{}
	d.s = pdf.New(pdf.Options{Documents: d, Scratch: scratch, Now: clock.Now, NewID: clock.NewID, Time: bound,
		Classes: []string{"email", "phone", "iban", "card"},
		Secrets: func(text string) (out []pdf.Secret) {
			for _, s := range rules.Find(text) {
				out = append(out, pdf.Secret{Start: s.Start, End: s.End, Class: string(s.Kind)})
			}
			return out
		},
		Record: func(_ context.Context, fn func(journal.Writer) error) error { return fn(d) }})
	return d, nil
}

func (d *desk) AddReceipt(journal.Receipt) error { return nil }
func (d *desk) Emit(journal.Event) error         { return nil }

func (d *desk) Open(context.Context, document.Owner, string) (wire.Document, io.ReadCloser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return wire.Document{}, io.NopCloser(bytes.NewReader(d.b)), nil
}

func (d *desk) Keep(_ context.Context, _ document.Owner, _ document.New, body io.Reader) (wire.Document, error) {
	_, err := io.Copy(io.Discard, body)
	return wire.Document{Ref: "art_kept"}, err
}

func (d *desk) Delete(context.Context, document.Owner, string) (wire.Document, error) {
	return wire.Document{}, nil // nothing is kept
}

func (d *desk) take(doc []byte) wire.AcrobatSourceRef {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.b = doc
	return wire.AcrobatSourceRef{SourceRefKind: wire.RefOfDocument, SourceRef: "doc_measured"}
}

var person = document.Owner{Person: true}

func (d *desk) text(ctx context.Context, doc []byte) (string, error) {
	out, err := d.s.ReadText(ctx, person, wire.AcrobatExtractTextRequest{AcrobatSourceRef: d.take(doc)})
	var b strings.Builder
	for _, p := range out.Pages {
		b.WriteString(p.Text + "\n")
	}
	return b.String(), err
}

func (d *desk) tables(ctx context.Context, doc []byte) ([]wire.PDFTable, error) {
	out, err := d.s.ReadTables(ctx, person, wire.AcrobatExtractTablesRequest{AcrobatSourceRef: d.take(doc)})
	return out.Tables, err
}

// every is each operation on a document; it says how it ended, with ! before what the documentation does not name.
func (d *desk) every(ctx context.Context, doc []byte) map[string]func() string {
	from := d.take(doc)
	end := func(err error) string {
		if err == nil {
			return "read"
		}
		f := fault.From(err)
		if f.Code == fault.AcrobatFailed {
			return fmt.Sprint(f.Details["reason"])
		}
		return "!" + err.Error()
	}
	return map[string]func() string{
		"text": func() string {
			_, err := d.s.ReadText(ctx, person, wire.AcrobatExtractTextRequest{AcrobatSourceRef: from})
			return end(err)
		},
		"tables": func() string {
			_, err := d.s.ReadTables(ctx, person, wire.AcrobatExtractTablesRequest{AcrobatSourceRef: from})
			return end(err)
		},
		"redaction": func() string {
			_, err := d.s.Redact(ctx, person, wire.AcrobatRedactionPrepRequest{AcrobatSourceRef: from,
				PatternSet: []string{"Ada", "class:email", "net total"}}, false)
			return end(err)
		},
		"ocr": func() string {
			from := from
			from.PageRange = "1"
			_, err := d.s.ReadOCR(ctx, person, wire.AcrobatOCRRequest{AcrobatSourceRef: from, LanguageHint: "eng"})
			return end(err)
		},
	}
}

// entries are the files below a folder.
func entries(dir string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, name)
		}
		return err
	})
	sort.Strings(out)
	return out, err
}

// peak is the most memory that this program held, in MB.
func peak() float64 {
	b, _ := os.ReadFile("/proc/self/status") // 0 elsewhere
	for line := range strings.Lines(string(b)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmHWM: %g kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return 0
}
