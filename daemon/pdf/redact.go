package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// MaxRedactPages is how many pages are searched for what is to be redacted at once.
const MaxRedactPages = 200

// redaction is what an operation makes: the list, and the marked copy.
type redaction struct {
	list wire.PDFRedaction
	copy []byte // nil if nothing was found
}

// Redact makes a copy of a document with marks over what is to be redacted, and a list of the places. Nothing is removed. It is
// for a person, or for an agent that a person has allowed exactly this (approved).
func (s *Service) Redact(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest,
	approved bool) (out wire.AcrobatOperationResponse, err error) {
	if !by.Person && !approved {
		return out, fault.New(fault.AcrobatNeedsConsent, "a person must allow a redaction to be prepared").
			WithHint("call mark_pdf_redactions at the door, which asks the person; or the person runs `showhow pdf redact`")
	}
	r, out, err := s.look(ctx, by, q, true)
	if err != nil {
		return out, err
	}
	if r.copy != nil {
		n := document.New{Kind: wire.DocumentMarked, Of: q.SourceRef, Name: "marked.pdf", Type: "application/pdf"}
		var kept wire.Document
		if kept, err = s.o.Documents.Keep(ctx, by, n, bytes.NewReader(r.copy)); err != nil {
			return out, err
		}
		r.list.MarkedCopyRef = kept.Ref
		defer func() { // without its list nobody learns of the copy
			if err != nil {
				_, left := s.o.Documents.Delete(context.WithoutCancel(ctx), by, kept.Ref)
				err = errors.Join(err, left)
			}
		}()
	}
	body, err := json.Marshal(r.list)
	if err != nil {
		return out, err
	}
	list := document.New{Kind: wire.DocumentRedaction, Of: q.SourceRef, Type: "application/json"}
	kept, err := s.o.Documents.Keep(ctx, by, list, bytes.NewReader(body))
	out.OutputRef = kept.Ref
	return out, err
}

// FindRedactions lists the places that Redact would mark. It makes no copy and keeps nothing.
func (s *Service) FindRedactions(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest) (wire.PDFRedaction, error) {
	r, _, err := s.look(ctx, by, q, false)
	return r.list, err
}

// CanRedact says why Redact would not begin: the patterns, the programs, or the document, which is opened as for every other
// operation and by the program that makes the copy. It reads nothing out, so it leaves no receipt.
func (s *Service) CanRedact(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest) error {
	if _, err := patternsOf(q.PatternSet, s.o.Classes); err != nil {
		return err
	}
	t := task{capability: wire.AcrobatRedaction, source: q.AcrobatSourceRef, most: MaxRedactPages}
	t.do = func(ctx context.Context, w *work) (any, error) { return nil, w.copied(ctx) }
	_, err := s.inTurn(ctx, by, t, &work{left: maxOutput}, s.o.NewID())
	return err
}

// unscripted refuses a document whose copy would do what it does itself.
func (w *work) unscripted() error {
	if slices.Contains(w.warn, "scripts_ignored") {
		return failed("scripted", "the document has scripts or starts programs, and so would its copy").
			WithHint("print it to a new PDF document, and prepare that")
	}
	return nil
}

// copied refuses a document of which no copy with marks can be made: it has scripts, or the program that makes the copy cannot. That
// is found out by a copy with no marks.
func (w *work) copied(ctx context.Context) error {
	if err := w.unscripted(); err != nil {
		return err
	}
	_, highest, err := w.pagesToMark(ctx)
	if err == nil {
		_, err = w.updated(ctx, update{next: highest, objects: map[string]any{}})
	}
	return err
}

// look looks for what is to be redacted, and marks it in a copy.
func (s *Service) look(ctx context.Context, by document.Owner, q wire.AcrobatRedactionPrepRequest, marks bool) (redaction,
	wire.AcrobatOperationResponse, error) {
	look, err := patternsOf(q.PatternSet, s.o.Classes)
	if err != nil {
		return redaction{}, wire.AcrobatOperationResponse{}, err
	}
	t := task{capability: wire.AcrobatRedaction, source: q.AcrobatSourceRef, most: MaxRedactPages, times: ocrTime}
	reads := len(s.missing("tesseract", "pdftoppm")) == 0
	t.do = func(ctx context.Context, w *work) (any, error) { return s.redact(ctx, w, look, reads, marks) }
	made, out, err := s.perform(ctx, by, t)
	r, _ := made.(redaction)
	return r, out, err
}

func (s *Service) redact(ctx context.Context, w *work, look patterns, reads, copies bool) (out redaction, err error) {
	if err := w.unscripted(); err != nil {
		return out, err
	}
	out.list = wire.PDFRedaction{Places: []wire.PDFRedactPlace{}, Patterns: []wire.PDFPatternFound{}, PagesInAll: w.info.pages,
		SchemaVersion: 1}
	var marks []mark
	add := func(hits []hit, pages map[int]searched) {
		for _, h := range hits {
			for _, m := range marksOf(h, pages) {
				marks = append(marks, m)
				p := pages[m.page]
				out.list.Places = append(out.list.Places, wire.PDFRedactPlace{Page: m.page, Pattern: m.pattern, Places: placesOf(p.at, m),
					Recognised: p.seen})
			}
		}
	}
	shown := map[int]string{}
	for _, x := range w.pages {
		if err := w.unreadFonts(ctx, x); err != nil {
			return out, err
		}
		lines, err := w.linesOfWords(ctx, x)
		if err != nil {
			return out, err
		}
		lie, err := w.sheets(ctx, x)
		if err != nil {
			return out, err
		}
		pages := map[int]searched{} // this one and the one before
		for n := x.from; n <= x.to; n++ {
			if err := over(ctx); err != nil {
				return out, err
			}
			at := lie[n]
			if !at.whole() {
				w.warns("pages_unreadable", n)
				continue
			}
			p := searched{at, at.media, false, lines[n]}
			if len(p.lines) == 0 {
				if p.lines, err = w.seen(ctx, n, reads); err != nil {
					return out, err
				}
				p.box, p.seen = at.crop, len(p.lines) > 0
			}
			pages[n] = p
			shown[n] = compactLines(p.lines)
			w.warnsOf(n, p.lines)
			found, judged := look.find(p.lines, s.o.Secrets)
			if !judged {
				w.warns("pages_not_judged", n)
			}
			add(append(found, look.over(pages[n-1].lines, p.lines, s.o.Secrets)...), pages)
			delete(pages, n-1)
			if len(marks) >= mostPlaces {
				return out, tooMuch()
			}
		}
	}
	if err := w.unsearched(ctx, shown); err != nil {
		return out, err
	}
	for _, p := range look.names() {
		n := 0
		for _, m := range marks {
			if m.pattern == p {
				n++
			}
		}
		out.list.Patterns = append(out.list.Patterns, wire.PDFPatternFound{Pattern: p, Places: n})
	}
	if len(marks) > 0 && copies {
		out.copy, err = w.marked(ctx, marks)
	}
	out.list.Warnings = w.warnings()
	return out, err
}

// searched is a page in which something was looked for: how it lies, the box from whose corner its words are placed, whether it
// was recognised, and its lines.
type searched struct {
	at    sheetOf
	box   table.Rect
	seen  bool
	lines []line
}

// marksOf are the marks of a hit: one for each page that it stands on.
func marksOf(h hit, pages map[int]searched) (out []mark) {
	for _, l := range h.lines() {
		p := pages[l.page]
		rects := make([]table.Rect, len(l.words))
		for i, word := range l.words {
			rects[i] = p.at.own(p.box, word.Rect)
		}
		if n := len(out); n == 0 || out[n-1].page != l.page {
			out = append(out, mark{page: l.page, pattern: h.pattern})
		}
		m := &out[len(out)-1]
		m.rects = append(m.rects, around(rects...))
	}
	return out
}

func (p patterns) names() (out []string) {
	for _, c := range p.classes {
		out = append(out, classMark+c)
	}
	for _, w := range p.words {
		out = append(out, wordsMark+w.said)
	}
	return out
}

// seen are the lines of a page without text, as far as its picture can be read.
func (w *work) seen(ctx context.Context, page int, reads bool) (out []line, err error) {
	how := recognising
	if !reads {
		how = unavailable
	}
	if _, out, err = w.pictured(ctx, how, page); err == nil && len(out) == 0 {
		w.warns("pages_without_text", page)
	}
	for i := range out {
		out[i].page = page
	}
	return out, err
}
