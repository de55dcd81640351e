package main

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"unicode"

	"showhow/daemon/wire"
)

// bodyOf is the text of a Word document's body.
func bodyOf(name string) (string, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return "", err
	}
	defer z.Close()
	f, err := z.Open("word/document.xml")
	if err != nil {
		return "", err
	}
	defer f.Close()
	d := xml.NewDecoder(io.LimitReader(f, 32<<20))
	var b strings.Builder
	inText, skip := false, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return plain(b.String()), nil
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "Fallback", "del", "instrText", "moveFrom": // not shown
				skip++
			case "t":
				inText = true
			case "tab", "br", "cr":
				b.WriteByte(' ')
			case "p":
				b.WriteByte('\n')
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "Fallback", "del", "instrText", "moveFrom":
				skip--
			case "t":
				inText = false
			}
		case xml.CharData:
			if inText && skip == 0 {
				b.Write(e)
			}
		}
	}
}

// plain is a text with single spaces, without marks of direction and without letters of private use, which mean nothing outside
// of their font: Showhow leaves both out.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// distance is the edit distance of two texts in letters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range x {
		last := row[0]
		row[0] = i + 1
		for j, k := range y {
			change := last
			if c != k {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

// writeDocx writes a Word document with a body.
func writeDocx(name, body string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	parts := [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ` +
			`ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ` +
			`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ` +
			`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>` +
			`</Relationships>`},
		{"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body +
			`</w:body></w:document>`},
	}
	for _, p := range parts {
		w, err := z.Create(p[0])
		if err == nil {
			_, err = io.WriteString(w, p[1])
		}
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return errors.Join(z.Close(), f.Close())
}

func paragraph(text, more string) string {
	return "<w:p><w:pPr>" + more + `</w:pPr><w:r><w:t xml:space="preserve">` + text + "</w:t></w:r></w:p>"
}

// drawn are tables with known cells, one on each page.
type drawn struct {
	body   string
	tables [][][]string
}

var someWords = strings.Fields("paper ink total net gross Ada Lovelace order 2026-11-26 crowns tax item delivery pages blue north " +
	"account open")

// drawTables draws tables of many shapes: columns of unequal width, cells that are empty, wrapped, right-aligned.
func drawTables(ruled bool) (out drawn) {
	r := rand.New(rand.NewPCG(18, 4))
	words := func(n int) string {
		var w []string
		for range n {
			w = append(w, someWords[r.IntN(len(someWords))])
		}
		return strings.Join(w, " ")
	}
	borders := ""
	if ruled {
		for _, side := range []string{"top", "left", "bottom", "right", "insideH", "insideV"} {
			borders += `<w:` + side + ` w:val="single" w:sz="4"/>`
		}
	}
	var b strings.Builder
	for range 60 {
		columns, rows := 2+r.IntN(5), 3+r.IntN(14)
		var t [][]string
		b.WriteString(paragraph(words(12+r.IntN(30)), ""))
		b.WriteString("<w:tbl><w:tblPr><w:tblBorders>" + borders + `</w:tblBorders><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>`)
		for range columns {
			fmt.Fprintf(&b, `<w:gridCol w:w="%d"/>`, 9000/columns)
		}
		b.WriteString("</w:tblGrid>")
		numeric := make([]bool, columns)
		for j := range numeric {
			numeric[j] = j > 0 && r.IntN(2) == 0
		}
		for i := range rows {
			var row []string
			b.WriteString("<w:tr>")
			for j := range columns {
				text, align := words(1+r.IntN(2)), ""
				switch {
				case i > 0 && numeric[j]:
					text, align = fmt.Sprintf("%d.%02d", r.IntN(9000), r.IntN(100)), `<w:jc w:val="right"/>`
				case j > 0 && r.IntN(10) == 0:
					text = ""
				case r.IntN(15) == 0:
					text = words(8) // wraps
				}
				row = append(row, text)
				fmt.Fprintf(&b, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>%s</w:tc>`, 9000/columns, paragraph(text, align))
			}
			t = append(t, row)
			b.WriteString("</w:tr>")
		}
		b.WriteString("</w:tbl>" + paragraph(words(20), "") + `<w:p><w:r><w:br w:type="page"/></w:r></w:p>`)
		out.tables = append(out.tables, t)
	}
	out.body = b.String()
	return out
}

// counted are cells: those that were drawn, found, and found right.
type counted struct{ there, seen, hit int }

func (c counted) f1() float64 { return 2 * float64(c.hit) / float64(c.seen+c.there) }

func (c *counted) add(o counted) {
	c.there, c.seen, c.hit = c.there+o.there, c.seen+o.seen, c.hit+o.hit
}

// count counts the cells of each page.
func (d drawn) count(found []wire.PDFTable) []counted {
	out := make([]counted, len(d.tables))
	left := map[string]int{}
	for page, t := range d.tables {
		for i, row := range t {
			for j, text := range row {
				if text != "" {
					left[fmt.Sprint(page+1, " ", i, " ", j, " ", text)]++
					out[page].there++
				}
			}
		}
	}
	for _, t := range found {
		for _, c := range t.Cells {
			if c.Text == "" || t.Page > len(out) {
				continue
			}
			at := &out[t.Page-1]
			at.seen++
			if k := fmt.Sprint(t.Page, " ", c.Row, " ", c.Column, " ", plain(c.Text)); left[k] > 0 {
				left[k]--
				at.hit++
			}
		}
	}
	return out
}

// developed says of n tables which half was looked at when tables without lines were developed; the others were only counted.
func developed(n int) []bool {
	out := make([]bool, n)
	for _, i := range rand.New(rand.NewPCG(18, 6)).Perm(n)[:n/2] {
		out[i] = true
	}
	return out
}

// hundredPages is a body of a hundred full pages.
func hundredPages() string {
	r := rand.New(rand.NewPCG(18, 5))
	var b strings.Builder
	for page := range 100 {
		for range 8 {
			var w []string
			for range 45 {
				w = append(w, someWords[r.IntN(len(someWords))])
			}
			b.WriteString(paragraph(strings.Join(w, " "), ""))
		}
		if page < 99 {
			b.WriteString(`<w:p><w:r><w:br w:type="page"/></w:r></w:p>`)
		}
	}
	return b.String()
}
