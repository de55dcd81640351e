package pdf

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func (s *Service) textTask(q wire.AcrobatExtractTextRequest) task {
	t := task{capability: wire.AcrobatText, source: q.AcrobatSourceRef, most: MaxPages}
	read := never
	switch {
	case !q.OCRFallback:
	case len(s.missing("tesseract", "pdftoppm")) > 0:
		read = unavailable
	default:
		t.times, read = ocrTime, recognising
	}
	t.do = func(ctx context.Context, w *work) (any, error) { return text(ctx, w, read) }
	return t
}

// Text reads the text of a document in reading order, with columns one after the other and what is filled into its form.
func (s *Service) Text(ctx context.Context, by document.Owner, q wire.AcrobatExtractTextRequest) (wire.AcrobatOperationResponse, error) {
	return s.kept(ctx, by, wire.DocumentText, s.textTask(q))
}

// ReadText is Text whose result is given at once and not kept.
func (s *Service) ReadText(ctx context.Context, by document.Owner, q wire.AcrobatExtractTextRequest) (wire.PDFText, error) {
	made, _, err := s.perform(ctx, by, s.textTask(q))
	out, _ := made.(wire.PDFText)
	return out, err
}

// fallback is what is done about pages without text.
type fallback int

const (
	never       fallback = iota
	unavailable          // it is wanted, and cannot be done
	recognising
)

// pictured recognises a page that has no text: at most MaxOCRPages of a document.
func (w *work) pictured(ctx context.Context, how fallback, page int) (p wire.PDFRecognisedPage, on []line, err error) {
	switch {
	case how == never:
		return p, nil, nil
	case how == recognising && w.recognised == MaxOCRPages:
		w.warns("ocr_cut", page)
		return p, nil, nil
	case how == recognising && w.tongues == nil:
		w.tongues, err = w.languages(ctx, "")
		if fault.Is(err, fault.AcrobatOCR) { // no language at all
			w.tongues, w.lacks, err = []string{}, installLanguage("eng"), nil
		}
		if err != nil {
			return p, nil, err
		}
	}
	if len(w.tongues) == 0 {
		w.warns("ocr_unavailable", page)
		return p, nil, nil
	}
	w.recognised++
	return w.recognise(ctx, page, w.tongues)
}

func text(ctx context.Context, w *work, how fallback) (wire.PDFText, error) {
	out := wire.PDFText{Pages: []wire.PDFPageText{}, PagesInAll: w.info.pages, SchemaVersion: 1}
	for _, x := range w.pages {
		pages, err := w.texts(ctx, x)
		if err != nil {
			return out, err
		}
		if err := w.byRows(ctx, x, pages); err != nil {
			return out, err
		}
		for n := x.from; n <= x.to; n++ {
			said, there := pages[n]
			p := wire.PDFPageText{Page: n, Text: readable(strings.ToValidUTF8(said, ""))}
			if !there {
				w.warns("pages_unreadable", n)
			}
			if there && strings.TrimSpace(p.Text) == "" {
				seen, _, err := w.pictured(ctx, how, n)
				if err != nil {
					return out, err
				}
				if len(seen.Words) > 0 {
					p.Text, p.Recognised, p.Confidence = seen.Text, true, seen.Confidence
				}
			}
			if strings.TrimSpace(p.Text) == "" {
				w.warns("pages_without_text", n)
			}
			out.Pages = append(out.Pages, p)
		}
	}
	out.Warnings = w.warnings()
	return out, nil
}

// lookedAt is how many pages' words are looked at together.
const lookedAt = 50

// byRows has pages that are read row by row laid out so, and those that are read as they are written: pdftotext takes columns of tables,
// and lines at the left and the right, for columns of text, one after the other.
func (w *work) byRows(ctx context.Context, x span, pages map[int]string) error {
	for from := x.from; from <= x.to; from += lookedAt {
		part := span{from, min(from+lookedAt-1, x.to)}
		left := w.left
		words, err := w.words(ctx, part)
		if err != nil {
			return err
		}
		w.left = left // the words are not kept
		maps.DeleteFunc(words, func(n int, of []table.Word) bool { return pages[n] == "" || len(of) == 0 })
		var rows, written []int
		beside := map[int][]table.Word{}
		for n, of := range words {
			if table.Beside(of) {
				beside[n] = of
			} else {
				rows = append(rows, n)
			}
		}
		if len(beside) > 0 {
			if err := w.order(ctx, fromTo(slices.Collect(maps.Keys(beside))), beside); err != nil {
				return err
			}
		}
		for n, of := range beside {
			if err := over(ctx); err != nil {
				return err
			}
			if table.ReadsInOrder(of) {
				written = append(written, n)
			} else if table.ReadsByRows(of) {
				rows = append(rows, n)
			}
		}
		for _, c := range []struct {
			how   string
			pages []int
			take  func(page, said string) bool
		}{{"-raw", written, sameLetters}, {"-layout", rows, func(string, string) bool { return true }}} {
			if len(c.pages) == 0 {
				continue
			}
			laid, err := w.texts(ctx, fromTo(c.pages), c.how)
			if err != nil {
				return err
			}
			for _, n := range c.pages {
				if said, there := laid[n]; there && c.take(pages[n], said) {
					pages[n] = unindented(said)
				}
			}
		}
	}
	return nil
}

// fromTo is the row of pages from the first of some to the last.
func fromTo(pages []int) span { return span{slices.Min(pages), slices.Max(pages)} }

// sameLetters says whether two texts have the same letters in any order: what is written twice at one place, to look bold, is one text
// only where pdftotext puts a page together. There it joins words that are hyphenated, too.
func sameLetters(a, b string) bool {
	n := map[rune]int{}
	for _, r := range a {
		n[r]++
	}
	for _, r := range b {
		n[r]--
	}
	for r, times := range n {
		if times != 0 && !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Pd, r) {
			return false
		}
	}
	return true
}

// unindented is a text without what places it on a page: blanks before lines, and more than one empty line.
func unindented(text string) string {
	var b strings.Builder
	empty := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line != "" || !empty {
			b.WriteString(line + "\n")
		}
		empty = line == ""
	}
	return b.String()
}

// texts are the texts of a row of pages. pdftotext ends each page with a form feed, but a document's own letters may
// stand for one too, and a page that cannot be opened has none. Only if pdfinfo opens each of the pages and there are as
// many form feeds is each the end of a page; otherwise the pages are read one by one.
func (w *work) texts(ctx context.Context, x span, how ...string) (map[int]string, error) {
	out := map[int]string{}
	r, err := w.poppler(ctx, "pdftotext", x, append(slices.Clone(how), "-q", "-enc", "UTF-8", w.file, "-")...)
	if err != nil {
		return nil, err
	}
	if pages := strings.Split(string(r.Stdout), "\f"); len(pages) == x.to-x.from+2 {
		sizes, err := w.poppler(ctx, "pdfinfo", x, w.file)
		if err != nil {
			return nil, err
		}
		if opened(string(sizes.Stdout), x) {
			for n := x.from; n <= x.to; n++ {
				out[n] = pages[n-x.from]
			}
			return out, nil
		}
	}
	read := `n=$1; while [ "$n" -le "$2" ]; do rm -f "$n.txt"; pdftotext ` + strings.Join(how, " ") +
		` -q -enc UTF-8 -f "$n" -l "$n" "$3" "$n.txt" 2>/dev/null; n=$((n+1)); done`
	if err := w.each(ctx, x, read); err != nil {
		return nil, err
	}
	for n := x.from; n <= x.to; n++ {
		err := w.made(fmt.Sprintf("%d.txt", n), func(f io.Reader) error {
			b, err := io.ReadAll(io.LimitReader(f, int64(w.left)+1))
			if page, ended := strings.CutSuffix(string(b), "\f"); ended {
				out[n] = page
			}
			return joinEnd(err, w.spend(len(b)))
		})
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
	}
	return out, nil
}

// opened says whether pdfinfo could open each page: one that it could not has no size. It tells the document's own words
// before the number of pages.
func opened(said string, x span) bool {
	pages := map[int]bool{}
	for line := range strings.SplitSeq(said, "\n") {
		var n int
		var width, height float64
		if strings.HasPrefix(line, "Pages:") {
			clear(pages)
		} else if _, err := fmt.Sscanf(line, "Page %d size: %g x %g", &n, &width, &height); err == nil && n >= x.from && n <= x.to &&
			width > 0 && height > 0 {
			pages[n] = true
		}
	}
	return len(pages) == x.to-x.from+1
}

// each runs a shell's loop over a row of pages; its arguments are the first, the last and the document.
func (w *work) each(ctx context.Context, x span, loop string) error {
	_, err := w.exec(ctx, sandbox.Command{Args: []string{"sh", "-c", loop, "sh", strconv.Itoa(x.from), strconv.Itoa(x.to), w.file}})
	return err
}

// made reads a file that a program in the box has made, and NotFound if there is none. What is no regular file is taken for
// none: who took over such a program may have put anything there, and opening a pipe waits for its other end.
func (w *work) made(name string, read func(io.Reader) error) error {
	none := fault.New(fault.NotFound, "the program made nothing")
	files, err := w.box.Files()
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the sandbox cannot be read")
	}
	defer files.Close()
	f, err := files.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return none
	}
	defer f.Close()
	if at, err := f.Stat(); err != nil || !at.Mode().IsRegular() {
		return none
	}
	return read(f)
}

// poppler runs one of poppler's programs on a row of pages.
func (w *work) poppler(ctx context.Context, program string, x span, args ...string) (sandbox.Result, error) {
	args = append([]string{program, "-f", strconv.Itoa(x.from), "-l", strconv.Itoa(x.to)}, args...)
	r, err := w.exec(ctx, sandbox.Command{Args: args})
	if err == nil && r.ExitCode != 0 {
		err = damaged("the document is damaged")
	}
	return r, err
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
