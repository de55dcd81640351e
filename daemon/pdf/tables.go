package pdf

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"showhow/daemon/document"
	"showhow/daemon/pdf/table"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// MaxTablePages is how many pages are searched for tables at once.
const MaxTablePages = 200

// Bounds of what poppler says about one page.
const (
	maxDrawing = 16 << 20 // bytes
	maxWords   = 50_000
)

// Tables finds the tables of a document.
func (s *Service) Tables(ctx context.Context, by document.Owner, q wire.AcrobatExtractTablesRequest) (wire.AcrobatOperationResponse,
	error) {
	mode := table.Mode(q.TableMode)
	if mode == "" {
		mode = table.Auto
	}
	return s.perform(ctx, by, task{capability: wire.AcrobatTables, source: q.AcrobatSourceRef, kind: wire.DocumentTables,
		most: MaxTablePages, do: func(ctx context.Context, w *work) (any, error) { return tables(ctx, w, mode) }})
}

func tables(ctx context.Context, w *work, mode table.Mode) (wire.PDFTables, error) {
	out := wire.PDFTables{Tables: []wire.PDFTable{}, PagesInAll: w.info.pages, SchemaVersion: 1}
	for _, x := range w.pages {
		words, err := w.words(ctx, x)
		if err != nil {
			return out, err
		}
		var lines map[int][]table.Rect
		if mode != table.Layout {
			if lines, err = w.lines(ctx, x); err != nil {
				return out, err
			}
		}
		for n := x.from; n <= x.to; n++ {
			if ctx.Err() != nil {
				return out, fault.New(fault.Cancelled, "the caller went away")
			}
			found, whole := table.Find(table.Page{Words: words[n], Lines: lines[n]}, mode)
			if !whole {
				w.warns("tables_incomplete")
			}
			for _, t := range found {
				out.Tables = append(out.Tables, tableOf(n, t))
			}
		}
	}
	return out, nil
}

// words are the words of each page with their places.
func (w *work) words(ctx context.Context, x span) (map[int][]table.Word, error) {
	r, err := w.poppler(ctx, "pdftotext", x, "-enc", "UTF-8", "-tsv", w.file, "-")
	if err != nil {
		return nil, err
	}
	out := map[int][]table.Word{}
	for line := range bytes.SplitSeq(r.Stdout, []byte("\n")) {
		f := strings.SplitN(string(line), "\t", 12)
		if len(f) < 12 || f[0] != "5" { // a word
			continue
		}
		var n [5]float64 // page, left, top, width, height
		ok := true
		for i, k := range []int{1, 6, 7, 8, 9} {
			n[i], err = strconv.ParseFloat(f[k], 64)
			ok = ok && err == nil && !math.IsNaN(n[i]) && math.Abs(n[i]) < 1e6
		}
		page := int(n[0])
		if text := readable(strings.ToValidUTF8(f[11], "")); ok && text != "" && len(out[page]) < maxWords {
			out[page] = append(out[page], table.Word{Rect: table.Rect{X0: n[1], Y0: n[2], X1: n[1] + n[3], Y1: n[2] + n[4]}, Text: text})
		}
	}
	return out, nil
}

// lines are the lines that are drawn on each page: poppler draws the page as SVG.
func (w *work) lines(ctx context.Context, x span) (map[int][]table.Rect, error) {
	draw := `n=$1; while [ "$n" -le "$2" ]; do pdftocairo -q -svg -f "$n" -l "$n" "$3" "$n.svg" 2>/dev/null; n=$((n+1)); done`
	r, err := w.box.Exec(ctx, sandbox.Command{Args: []string{"sh", "-c", draw, "sh", strconv.Itoa(x.from), strconv.Itoa(x.to), w.file},
		Dir: "."})
	if err != nil || r.Killed != "" {
		return nil, joinEnd(err, w.ended(r))
	}
	files, err := w.box.Files()
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the sandbox cannot be read")
	}
	defer files.Close()
	out := map[int][]table.Rect{}
	for n := x.from; n <= x.to; n++ {
		f, err := files.Open(fmt.Sprintf("%d.svg", n))
		if err != nil {
			w.warns("lines_unreadable")
			continue
		}
		lines, err := drawn(io.LimitReader(f, maxDrawing))
		f.Close()
		if err != nil {
			w.warns("lines_unreadable")
		}
		out[n] = lines
	}
	return out, nil
}

func joinEnd(err, ended error) error {
	if err != nil {
		return err
	}
	return ended
}

func tableOf(page int, t table.Table) wire.PDFTable {
	out := wire.PDFTable{Page: page, Ruled: t.Ruled, Rows: t.Rows, Columns: t.Columns, Place: placeOf(t.Rect), Cells: []wire.PDFCell{},
		CSV: asCSV(t)}
	for _, c := range t.Cells {
		out.Cells = append(out.Cells, wire.PDFCell{Row: c.Row, Column: c.Column, Rows: c.Rows, Columns: c.Columns, Text: c.Text,
			Place: placeOf(c.Rect)})
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
