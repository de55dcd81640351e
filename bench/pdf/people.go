package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"showhow/bench/figures"
	"showhow/daemon/wire"
)

// known is a table of a Word document: the text of its cells by row and column.
type known [][]string

// computed stands for the text of a cell with a field: LibreOffice computes it anew.
const computed = "\x00"

// tablesOf lists the tables of a Word document's body without merged cells and without tables in them, of two rows and columns at
// least. What is deleted is not shown.
func tablesOf(body io.Reader) (out []known, err error) {
	d := xml.NewDecoder(body)
	var t known
	var cell strings.Builder
	depth, skip := 0, 0
	plainTable, inText, fromRight := true, false, false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "Fallback", "del", "instrText", "moveFrom":
				skip++
			case "tbl":
				if depth++; depth == 1 {
					t, plainTable, fromRight = nil, true, false
				} else {
					plainTable = false
				}
			case "tr":
				if depth == 1 {
					t = append(t, nil)
				}
			case "bidiVisual":
				fromRight = fromRight || depth == 1
			case "gridSpan", "vMerge", "gridBefore", "txbxContent", "drawing", "pict":
				plainTable = plainTable && depth == 0
			case "fldSimple", "fldChar":
				cell.WriteString(computed)
			case "t":
				inText = true
			case "tab", "br", "cr", "p":
				cell.WriteByte(' ')
			case "tc":
				if depth == 1 {
					cell.Reset()
				}
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "Fallback", "del", "instrText", "moveFrom":
				skip--
			case "t":
				inText = false
			case "tc":
				if depth == 1 && len(t) > 0 {
					t[len(t)-1] = append(t[len(t)-1], plain(cell.String()))
				}
			case "tbl":
				if depth--; depth == 0 && plainTable && t.even() {
					if fromRight { // columns are counted as they are shown
						for _, row := range t {
							slices.Reverse(row)
						}
					}
					out = append(out, t)
				}
			}
		case xml.CharData:
			if inText && skip == 0 {
				cell.Write(e)
			}
		}
	}
}

// even says whether a table has rows of as many cells, and text in most of them.
func (t known) even() bool {
	full := 0
	for _, row := range t {
		if len(row) != len(t[0]) {
			return false
		}
		for _, text := range row {
			if text != "" {
				full++
			}
		}
	}
	return len(t) > 1 && len(t[0]) > 1 && full*2 >= len(t)*len(t[0])
}

// borders are those of tables, cells and paragraphs.
var borders = regexp.MustCompile(`(?s)<w:(tblBorders|tcBorders|pBdr)>.*?</w:(tblBorders|tcBorders|pBdr)>`)

// The ways in which a document's tables are rendered: as they were made, without any lines, and with a line around each cell.
const (
	asMade = "made"
	bare   = "bare"
	lined  = "lined"
)

// around are borders around all cells of a table.
const around = `<w:tblBorders><w:top w:val="single" w:sz="4"/><w:left w:val="single" w:sz="4"/><w:bottom w:val="single" w:sz="4"/>` +
	`<w:right w:val="single" w:sz="4"/><w:insideH w:val="single" w:sz="4"/><w:insideV w:val="single" w:sz="4"/></w:tblBorders>`

// bordered writes a copy of a Word document with borders of a kind, and lists its tables.
func bordered(name, to, kind string) (tables []known, err error) {
	in, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := os.Create(to)
	if err != nil {
		return nil, err
	}
	z := zip.NewWriter(f)
	defer func() { err = errors.Join(err, z.Close(), f.Close()) }()
	for _, part := range in.File {
		r, err := part.Open()
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(io.LimitReader(r, 32<<20))
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
		if part.Name == "word/document.xml" {
			if tables, err = tablesOf(bytes.NewReader(b)); err != nil {
				return nil, err
			}
		}
		if kind != asMade && strings.HasPrefix(part.Name, "word/") && strings.HasSuffix(part.Name, ".xml") {
			b = borders.ReplaceAll(b, nil)
		}
		if kind == lined && part.Name == "word/document.xml" {
			b = bytes.ReplaceAll(b, []byte("</w:tblPr>"), []byte(around+"</w:tblPr>"))
		}
		w, err := z.Create(part.Name)
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// solid is a text without blanks: a narrow cell breaks words, and nothing says where.
func solid(s string) string { return strings.ReplaceAll(plain(s), " ", "") }

// fits counts the cells of a known table that a found one has in their places.
func (t known) fits(f wire.PDFTable) (c counted) {
	for _, row := range t {
		for _, text := range row {
			if text != "" && !strings.Contains(text, computed) {
				c.there++
			}
		}
	}
	for _, cell := range f.Cells {
		if plain(cell.Text) == "" || cell.Row < len(t) && cell.Column < len(t[cell.Row]) && strings.Contains(t[cell.Row][cell.Column], computed) {
			continue
		}
		c.seen++
		if cell.Row < len(t) && cell.Column < len(t[cell.Row]) && solid(t[cell.Row][cell.Column]) == solid(cell.Text) {
			c.hit++
		}
	}
	return c
}

// mostly is the F1 of a table's cells from which on the table counts as read.
const mostly = 0.9

// best takes for each known table the found one that fits best and is not taken. It counts the cells, and the tables that are read.
func best(tables []known, found []wire.PDFTable) (out counted, read int) {
	taken := make([]bool, len(found))
	for _, t := range tables {
		at, c := -1, t.fits(wire.PDFTable{})
		for i, f := range found {
			if x := t.fits(f); !taken[i] && x.hit > c.hit {
				at, c = i, x
			}
		}
		if at >= 0 {
			taken[at] = true
		}
		if out.add(c); c.there > 0 && c.f1() >= mostly {
			read++
		}
	}
	return out, read
}

// peoplesTables measures tables that people made: as they are, with a line around each cell, and without lines.
func peoplesTables(ctx context.Context, r *figures.Report, d *desk, p press, folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.docx"))
	if err != nil {
		return err
	}
	for _, c := range []struct{ kind, key, how string }{
		{asMade, "cells_people_made", "as they were made"},
		{lined, "cells_people_lined", "with a line around each cell"},
		{bare, "cells_people", "without their lines"},
	} {
		from := filepath.Join(p.dir, c.kind)
		if err := os.MkdirAll(from, 0o700); err != nil {
			return err
		}
		tables := map[string][]known{}
		var copies []string
		for _, name := range names {
			to := filepath.Join(from, filepath.Base(name))
			if t, err := bordered(name, to, c.kind); err == nil && len(t) > 0 {
				tables[to], copies = t, append(copies, to)
			}
		}
		var halves [2]counted
		var n, read [2]int
		made := p.render(ctx, c.kind, copies)
		for _, name := range copies {
			out, ok := made[name]
			if !ok {
				continue
			}
			doc, err := os.ReadFile(out)
			if err != nil {
				return err
			}
			found, err := d.tables(ctx, doc)
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(name), err)
			}
			half := halfOf(name)
			x, right := best(tables[name], found)
			halves[half].add(x)
			read[half] += right
			n[half] += len(tables[name])
			if half == 0 {
				fmt.Printf("%s, %s: %d tables, %d found, cells %d, seen %d, right %d\n", filepath.Base(name), c.how, len(tables[name]),
					len(found), x.there, x.seen, x.hit)
			}
		}
		for i, half := range []string{"developed", "counted"} {
			r.Figure(c.key+"_"+half+"_f1", halves[i].f1(), halves[i].there, fmt.Sprintf("cells of %d tables of public documents, %s", n[i],
				c.how))
			r.Ratio(c.key+"_"+half+"_read", read[i], n[i], fmt.Sprintf("tables whose cells have an F1 of %g at least / all of them", mostly))
		}
	}
	return nil
}
