package pdf

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/wire"
)

// MaxTablePages is how many pages are searched for tables at once.
const MaxTablePages = 200

// Bounds of what poppler says about one page.
const (
	maxDrawing = 16 << 20 // bytes
	maxWords   = 50_000   // in which tables are looked for
	mostWords  = 500_000  // in which anything is
)

// Tables finds the tables of a document.
func (s *Service) Tables(ctx context.Context, by document.Owner, q wire.AcrobatExtractTablesRequest) (wire.AcrobatOperationResponse,
	error) {
	return s.kept(ctx, by, wire.DocumentTables, s.tablesTask(q))
}

// ReadTables is Tables whose result is given at once and not kept.
func (s *Service) ReadTables(ctx context.Context, by document.Owner, q wire.AcrobatExtractTablesRequest) (wire.PDFTables, error) {
	made, _, err := s.perform(ctx, by, s.tablesTask(q))
	out, _ := made.(wire.PDFTables)
	return out, err
}

func (s *Service) tablesTask(q wire.AcrobatExtractTablesRequest) task {
	mode := table.Mode(q.TableMode)
	if mode == "" {
		mode = table.Auto
	}
	return task{capability: wire.AcrobatTables, source: q.AcrobatSourceRef, most: MaxTablePages,
		do: func(ctx context.Context, w *work) (any, error) { return tables(ctx, w, mode) }}
}

func tables(ctx context.Context, w *work, mode table.Mode) (wire.PDFTables, error) {
	out := wire.PDFTables{Tables: []wire.PDFTable{}, PagesInAll: w.info.pages, SchemaVersion: 1}
	var sheets []table.Sheet
	for _, x := range w.pages {
		words, err := w.words(ctx, x)
		if err != nil {
			return out, err
		}
		lie, err := w.sheets(ctx, x)
		if err != nil {
			return out, err
		}
		if mode == table.Auto {
			if err := w.order(ctx, x, words); err != nil {
				return out, err
			}
		}
		if mode != table.Layout {
			if err := w.draw(ctx, x); err != nil {
				return out, err
			}
		}
		for n := x.from; n <= x.to; n++ {
			if err := over(ctx); err != nil {
				return out, err
			}
			page := table.Page{Words: asShown(words[n], lie[n])}
			if mode != table.Layout {
				page.Lines = w.lines(n)
			}
			found, whole := table.Find(page, mode)
			if !whole || len(page.Words) == maxWords {
				w.warns("tables_incomplete", n)
			}
			for _, t := range found {
				if err := w.spend(sizeOfCell * len(t.Cells)); err != nil {
					return out, err
				}
			}
			sheets = append(sheets, table.Sheet{Page: n, Words: page.Words, Tables: found})
		}
	}
	for _, t := range overPages(sheets, mode) {
		x := tableOf(t)
		if err := w.spend(len(x.CSV)); err != nil {
			return out, err
		}
		out.Tables = append(out.Tables, x)
	}
	out.Warnings = w.warnings()
	return out, nil
}

// overPages are the tables of pages: those that go on on the next page are one, but where each page is to be one.
func overPages(sheets []table.Sheet, mode table.Mode) (out []table.Table) {
	if mode != table.Layout {
		return table.Join(sheets)
	}
	for _, s := range sheets {
		out = append(out, table.Join([]table.Sheet{s})...)
	}
	return out
}

// sizeOfCell is about what a cell holds beside its text.
const sizeOfCell = 160

// asShown puts words where the page shows them: pdftotext counts from the media box, the page is shown and drawn from the crop box.
func asShown(words []table.Word, lie sheetOf) []table.Word {
	if lie.whole() {
		for i := range words {
			words[i].Rect = lie.shown(lie.own(lie.media, words[i].Rect))
		}
	}
	return words
}

// words are the words of each page with their places.
func (w *work) words(ctx context.Context, x span) (map[int][]table.Word, error) {
	out := map[int][]table.Word{}
	err := w.bboxes(ctx, x, "-bbox", func(page, _, _ int, word table.Word) {
		if len(out[page]) < maxWords {
			out[page] = append(out[page], word)
		}
	})
	return out, err
}

// order notes the order in which the content of each page writes its words. pdftotext tells it only of words that it has put
// together less well, so each word is where it finds one that begins at its place.
func (w *work) order(ctx context.Context, x span, words map[int][]table.Word) error {
	type place struct {
		page int
		x0   float64
	}
	written := map[place][]table.Word{}
	left, n := w.left, 0
	err := w.bboxes(ctx, x, "-raw -bbox", func(page, _, _ int, word table.Word) {
		n++
		word.Order = n
		at := place{page, word.X0}
		written[at] = append(written[at], word)
	})
	w.left = left // they are not kept
	for page, of := range words {
		for i, word := range of {
			for _, c := range written[place{page, word.X0}] {
				if y := (c.Y0 + c.Y1) / 2; word.Y0 <= y && y <= word.Y1 {
					of[i].Order = c.Order
					break
				}
			}
		}
	}
	return err
}

// linesOfWords are the lines of each page, in reading order.
func (w *work) linesOfWords(ctx context.Context, x span) (map[int][]line, error) {
	out := map[int][]line{}
	at := 0
	err := w.bboxes(ctx, x, "-bbox-layout", func(page, block, n int, word table.Word) {
		if n != at {
			at = n
			out[page] = append(out[page], line{page: page, block: block})
		}
		l := &out[page][len(out[page])-1]
		l.words = append(l.words, word)
	})
	return out, err
}

// bboxes has pdftotext write words with their places, and takes each with its page and the number of its block and line. They
// come as XML, in which a document's letters cannot end a word or a page.
func (w *work) bboxes(ctx context.Context, x span, how string, take func(page, block, line int, word table.Word)) error {
	args := append(strings.Fields(how), "-q", "-enc", "UTF-8", w.file, "-")
	r, err := w.poppler(ctx, "pdftotext", x, args...)
	if err != nil {
		return err
	}
	told := bytes.Map(func(c rune) rune { // XML has no control characters
		if c < ' ' && c != '\n' {
			return ' '
		}
		return c
	}, bytes.ToValidUTF8(r.Stdout, nil))
	d := xml.NewDecoder(bytes.NewReader(told))
	d.Strict, d.Entity = false, xml.HTMLEntity
	page, opened, block, line, taken := x.from-1, false, 0, 0, 0
	for {
		token, err := d.Token()
		if err != nil { // its end, or what is no XML
			if !errors.Is(err, io.EOF) {
				w.warns("pages_unreadable", max(page, x.from))
			}
			return nil
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "page":
			page++
			block, line, taken = block+1, line+1, 0
			if opened = sized(e); !opened { // poppler repeats the words of the page before
				w.warns("pages_unreadable", page)
			}
		case "block":
			block++
		case "line":
			line++
		}
		if !opened || e.Name.Local != "word" {
			continue
		}
		if taken >= mostWords {
			w.warns("words_cut", page)
			continue
		}
		var word struct {
			X0   string `xml:"xMin,attr"`
			Y0   string `xml:"yMin,attr"`
			X1   string `xml:"xMax,attr"`
			Y1   string `xml:"yMax,attr"`
			Text string `xml:",chardata"`
		}
		if d.DecodeElement(&word, &e) != nil {
			continue
		}
		var n [4]float64
		for i, s := range []string{word.X0, word.Y0, word.X1, word.Y1} {
			v, err := number(s)
			ok = ok && err == nil
			n[i] = v
		}
		if how == "-bbox-layout" && strings.ContainsFunc(word.Text, unmapped) {
			w.warns("letters_unknown", page)
		}
		if text := table.Logical(strings.Join(strings.Fields(readable(word.Text)), " ")); ok && text != "" {
			taken++
			take(page, block, line, table.Word{Rect: table.Rect{X0: n[0], Y0: n[1], X1: n[2], Y1: n[3]}, Text: text})
		}
	}
}

// sized says whether a page has a size: one that cannot be opened has none.
func sized(e xml.StartElement) bool {
	n := 0
	for _, a := range e.Attr {
		if v, err := number(a.Value); err == nil && v > 0 {
			n++
		}
	}
	return n == 2
}

// draw has poppler draw a row of pages as SVG, for their lines.
func (w *work) draw(ctx context.Context, x span) error {
	return w.each(ctx, x, `n=$1; while [ "$n" -le "$2" ]; do pdftocairo -q -svg -f "$n" -l "$n" "$3" "$n.svg" 2>/dev/null; n=$((n+1)); done`)
}

// lines are the lines on a page that was drawn.
func (w *work) lines(page int) (out []table.Rect) {
	err := w.made(fmt.Sprintf("%d.svg", page), func(f io.Reader) (err error) {
		out, err = drawn(io.LimitReader(f, maxDrawing))
		return err
	})
	if err != nil {
		w.warns("lines_unreadable", page)
	}
	return out
}

func joinEnd(err, ended error) error {
	if err != nil {
		return err
	}
	return ended
}

func tableOf(t table.Table) wire.PDFTable {
	out := wire.PDFTable{Page: t.Page, Ruled: t.Ruled, Rows: t.Rows, Columns: t.Columns, Place: placeOf(t.Rect), Cells: []wire.PDFCell{},
		CSV: asCSV(t)}
	if t.Last > t.Page {
		out.LastPage = t.Last
	}
	for _, c := range t.Cells {
		x := wire.PDFCell{Row: c.Row, Column: c.Column, Rows: c.Rows, Columns: c.Columns, Text: c.Text, Place: placeOf(c.Rect)}
		if c.Page > t.Page {
			x.Page = c.Page
		}
		out.Cells = append(out.Cells, x)
	}
	return out
}

func placeOf(r table.Rect) wire.PDFPlace {
	round := func(x float64) float64 { return math.Round(x*100) / 100 }
	return wire.PDFPlace{X: round(r.X0), Y: round(r.Y0), Width: round(r.X1 - r.X0), Height: round(r.Y1 - r.Y0)}
}

// asCSV is the table for a spreadsheet. A document is foreign: what would be a formula there is marked as text.
func asCSV(t table.Table) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range t.Grid() {
		for i, cell := range row {
			if isFormula(cell) {
				row[i] = "'" + cell
			}
		}
		_ = w.Write(row) // a Builder takes everything
	}
	w.Flush()
	return b.String()
}

func isFormula(cell string) bool {
	if cell == "" || !strings.ContainsRune("=+-@", rune(cell[0])) {
		return false
	}
	return strings.Trim(cell[1:], "0123456789.,%' ") != "" || cell[0] == '=' || cell[0] == '@'
}
