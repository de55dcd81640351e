package pdf

import (
	"context"
	"strconv"
	"strings"
	"unicode"

	"showhow/daemon/document"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
)

// Text reads the text of a document in reading order, with columns one after the other and what is filled into its form.
func (s *Service) Text(ctx context.Context, by document.Owner, q wire.AcrobatExtractTextRequest) (wire.AcrobatOperationResponse, error) {
	return s.perform(ctx, by, task{capability: wire.AcrobatText, source: q.AcrobatSourceRef, kind: wire.DocumentText, most: MaxPages,
		do: func(ctx context.Context, w *work) (any, error) { return s.text(ctx, w, q.OCRFallback) }})
}

func (s *Service) text(ctx context.Context, w *work, recognise bool) (wire.PDFText, error) {
	out := wire.PDFText{Pages: []wire.PDFPageText{}, PagesInAll: w.info.pages, SchemaVersion: 1}
	for _, x := range w.pages {
		r, err := w.poppler(ctx, "pdftotext", x, "-enc", "UTF-8", w.file, "-")
		if err != nil {
			return out, err
		}
		pages := strings.Split(strings.ToValidUTF8(string(r.Stdout), ""), "\f")
		for n := x.from; n <= x.to; n++ {
			p := wire.PDFPageText{Page: n}
			if i := n - x.from; i < len(pages)-1 { // each page ends with a form feed
				p.Text = readable(pages[i])
			} else {
				w.warns("pages_unreadable")
			}
			if strings.TrimSpace(p.Text) == "" {
				w.warns("pages_without_text")
				if recognise {
					w.warns("ocr_unavailable")
				}
			}
			out.Pages = append(out.Pages, p)
		}
	}
	return out, nil
}

// poppler runs one of poppler's programs on a row of pages.
func (w *work) poppler(ctx context.Context, program string, x span, args ...string) (sandbox.Result, error) {
	args = append([]string{program, "-q", "-f", strconv.Itoa(x.from), "-l", strconv.Itoa(x.to)}, args...)
	r, err := w.run(ctx, args...)
	switch {
	case err != nil:
		return r, err
	case r.ExitCode == 3:
		return r, failed("not_permitted", "the document's author does not permit to read it out")
	case r.ExitCode != 0:
		return r, failed("damaged", "the document is damaged")
	}
	return r, nil
}

// readable removes what is invisible or turns the direction of text around.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, text)
}
