package main

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"showhow/bench/figures"
	"showhow/daemon/wire"
)

// known is a table of a Word document: the text of its cells by row and column.
type known [][]string

// tablesOf lists the tables of a Word document's body without merged cells and without tables in them, of two rows and columns at
// least. What is deleted is not shown.
func tablesOf(body io.Reader) (out []known, err error) {
	d := xml.NewDecoder(body)
	var t known
	var cell strings.Builder
	depth, skip := 0, 0
	plainTable, inText := true, false
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
					t, plainTable = nil, true
				} else {
					plainTable = false
				}
			case "tr":
				if depth == 1 {
					t = append(t, nil)
				}
			case "gridSpan", "vMerge", "gridBefore", "txbxContent", "drawing", "pict":
				plainTable = plainTable && depth == 0
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

// unbordered writes a copy of a Word document without borders, and lists its tables.
func unbordered(name, to string) (tables []known, err error) {
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
			if tables, err = tablesOf(strings.NewReader(string(b))); err != nil {
				return nil, err
			}
		}
		if strings.HasPrefix(part.Name, "word/") && strings.HasSuffix(part.Name, ".xml") {
			b = borders.ReplaceAll(b, nil)
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
			if text != "" {
				c.there++
			}
		}
	}
	for _, cell := range f.Cells {
		if plain(cell.Text) == "" {
			continue
		}
		c.seen++
		if cell.Row < len(t) && cell.Column < len(t[cell.Row]) && solid(t[cell.Row][cell.Column]) == solid(cell.Text) {
			c.hit++
		}
	}
	return c
}

// best takes for each known table the found one that fits best and is not taken.
func best(tables []known, found []wire.PDFTable) (out counted) {
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
		out.add(c)
	}
	return out
}

// peoplesTables measures tables that people made, without their lines: of half of the documents, by their names, nothing is looked
// at in development.
func peoplesTables(ctx context.Context, r *figures.Report, d *desk, folder, dir string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.docx"))
	if err != nil {
		return err
	}
	var halves [2]counted
	var n [2]int
	for _, name := range names {
		bare := filepath.Join(dir, "bare-"+filepath.Base(name))
		tables, err := unbordered(name, bare)
		if err != nil || len(tables) == 0 {
			continue
		}
		t, cancel := context.WithTimeout(ctx, time.Minute)
		err = render(t, dir, bare)
		cancel()
		doc, missing := os.ReadFile(strings.TrimSuffix(bare, ".docx") + ".pdf")
		if err != nil || missing != nil {
			continue
		}
		found, err := d.tables(ctx, doc)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		h := fnv.New32a()
		_, _ = io.WriteString(h, filepath.Base(name))
		half, c := h.Sum32()%2, best(tables, found)
		halves[half].add(c)
		n[half] += len(tables)
		if half == 0 {
			fmt.Printf("%s: %d tables, %d found, cells %d, seen %d, right %d\n", filepath.Base(name), len(tables), len(found),
				c.there, c.seen, c.hit)
		}
	}
	for i, key := range []string{"cells_people_developed_f1", "cells_people_counted_f1"} {
		r.Figure(key, halves[i].f1(), halves[i].there, fmt.Sprintf("cells of %d tables of public documents, without their lines", n[i]))
	}
	return nil
}
