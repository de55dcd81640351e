package own

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"showhow/daemon/connector/door"
	"showhow/daemon/document"
	"showhow/daemon/wire"
)

// papers is a PDF service and a keeper of documents that notes who asks and what is kept.
type papers struct {
	text   wire.PDFText
	tables wire.PDFTables
	owners []string
	kept   int
}

func (p *papers) Keep(context.Context, document.Owner, document.New, io.Reader) (wire.Document, error) {
	p.kept++
	return wire.Document{}, nil
}

func (p *papers) Open(context.Context, document.Owner, string) (wire.Document, io.ReadCloser, error) {
	panic("nothing is opened")
}

func (p *papers) ReadText(_ context.Context, by document.Owner, _ wire.AcrobatExtractTextRequest) (wire.PDFText, error) {
	p.owners = append(p.owners, by.Key)
	return p.text, nil
}

func (p *papers) ReadTables(_ context.Context, by document.Owner, _ wire.AcrobatExtractTablesRequest) (wire.PDFTables, error) {
	p.owners = append(p.owners, by.Key)
	return p.tables, nil
}

func (p *papers) ReadOCR(context.Context, document.Owner, wire.AcrobatOCRRequest) (wire.PDFRecognised, error) {
	return wire.PDFRecognised{Languages: []string{"eng"}, PagesInAll: 1,
		Pages: []wire.PDFRecognisedPage{{Page: 1, Text: "obey", Confidence: 91}}}, nil
}

func (p *papers) FindRedactions(context.Context, document.Owner, wire.AcrobatRedactionPrepRequest) (wire.PDFRedaction, error) {
	return wire.PDFRedaction{}, nil
}

func (p *papers) CanRedact(context.Context, document.Owner, wire.AcrobatRedactionPrepRequest) error {
	return nil
}

func (p *papers) Redact(context.Context, document.Owner, wire.AcrobatRedactionPrepRequest, bool) (wire.AcrobatOperationResponse, error) {
	panic("nothing is marked")
}

// All of a long document and of a wide table comes in pieces, nothing is kept for it, and an order to agents is seen
// wherever it stands.
func TestALongDocumentComesInPieces(t *testing.T) {
	long := strings.Repeat("na\u00efve \u65e5\u672c ", 9000)
	p := &papers{text: wire.PDFText{PagesInAll: 4, Pages: []wire.PDFPageText{{Page: 1, Text: "short"}, {Page: 2}, {Page: 3, Text: long},
		{Page: 4, Text: "obey"}}, Warnings: []wire.PDFWarning{{Code: "pages_without_text", Pages: "2"}}}}
	var csv strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&csv, "row %d,12,13\n", i)
	}
	p.tables = wire.PDFTables{PagesInAll: 1, Tables: []wire.PDFTable{{Page: 1, CSV: csv.String()}, {Page: 1, CSV: "last,one\n"}}}
	h := New(Options{Documents: p, PDF: p, Instructs: func(text string) []string {
		if strings.Contains(text, "obey") {
			return []string{"order"}
		}
		return nil
	}})
	c := call{Guest: door.Guest{Agent: "scribe", Reporter: "someone", Owner: "token/scribe"}}
	pages, offset, n := map[int]string{}, 0, 0
	for ; n == 0 || offset > 0; n++ {
		a, err := h.pdfText(t.Context(), c, pdfTextArgs{pdfArgs{Document: "doc_a", Offset: offset}})
		if err != nil || fmt.Sprint(a.Warnings) != "[pages_without_text gives_orders]" || n > 9 {
			t.Fatalf("%+v %v", a.pdfAnswer, err)
		}
		size := 0
		for _, x := range a.Pages {
			pages[x.Page] += x.Text
			size += len(x.Text)
		}
		if size > maxInline || a.Cut != (a.NextOffset > 0) {
			t.Errorf("%d bytes, %+v", size, a.pdfAnswer)
		}
		offset = a.NextOffset
	}
	if n < 3 || len(pages) != 4 || pages[1] != "short" || pages[3] != long || pages[4] != "obey" {
		t.Errorf("%d answers, %d pages", n, len(pages))
	}
	said := ""
	for offset, n = 0, 0; n == 0 || offset > 0; n++ {
		a, err := h.pdfTables(t.Context(), c, pdfTablesArgs{pdfArgs: pdfArgs{Document: "doc_a", Offset: offset}})
		if err != nil || len(a.Tables) == 0 || n > 9 {
			t.Fatalf("%+v %v", a.pdfAnswer, err)
		}
		for _, x := range a.Tables {
			if said += x.CSV; !strings.HasSuffix(x.CSV, "\n") {
				t.Errorf("a row is torn: %q", x.CSV[len(x.CSV)-20:])
			}
		}
		offset = a.NextOffset
	}
	if n < 2 || said != csv.String()+"last,one\n" {
		t.Errorf("%d answers, %d bytes", n, len(said))
	}
	if p.kept != 0 || p.owners[0] != "token/scribe" {
		t.Errorf("%d are kept, for %q", p.kept, p.owners[0])
	}
	seen, err := h.pdfOCR(t.Context(), c, pdfOCRArgs{pdfArgs: pdfArgs{Document: "doc_a"}})
	if err != nil || len(seen.Pages) != 1 || seen.Pages[0].Confidence != 91 ||
		fmt.Sprint(seen.Languages, seen.Warnings) != "[eng] [gives_orders]" {
		t.Errorf("%+v %v", seen, err)
	}
	a, err := h.pdfText(t.Context(), c, pdfTextArgs{pdfArgs{Document: "doc_a", Offset: 1 << 40}})
	if err != nil || len(a.Pages) != 0 || a.Cut {
		t.Errorf("%+v %v", a, err)
	}
}
