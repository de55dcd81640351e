// Package pdftest writes small PDF documents for tests: words and lines at places, forms, rotation, and what hostile
// documents do. Only tests and measurements import it.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Page is a page of 612 by 792 points; places are from its lower left corner.
type Page struct {
	b      strings.Builder
	Rotate int
	Extra  string // of the page's dictionary
}

// Text writes a text in Helvetica of 11 points.
func (p *Page) Text(x, y float64, text string) *Page {
	fmt.Fprintf(&p.b, "BT /F1 11 Tf %.2f %.2f Td (%s) Tj ET\n", x, y, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text))
	return p
}

// Line draws a line.
func (p *Page) Line(x1, y1, x2, y2 float64) *Page {
	fmt.Fprintf(&p.b, "0.7 w %.2f %.2f m %.2f %.2f l S\n", x1, y1, x2, y2)
	return p
}

// Content adds operators as they are.
func (p *Page) Content(operators string) *Page { p.b.WriteString(operators + "\n"); return p }

// Width is about how wide a text is, in points.
func Width(text string) float64 { return float64(len(text)) * 5.5 }

// Document is a PDF document that is being written. Objects 1, 2 and 3 are the catalogue, the pages and the font.
type Document struct {
	objects []string
	kids    []string
	Catalog string // more of the catalogue's dictionary
	Font    string // more of the font's dictionary
}

// New begins a document.
func New() *Document { return &Document{objects: make([]string, 3)} }

// Add adds an object and returns its number.
func (d *Document) Add(object string) int {
	d.objects = append(d.objects, object)
	return len(d.objects)
}

// Stream makes the text of a stream object.
func Stream(dictionary, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dictionary, len(data), data)
}

// Page adds a page.
func (d *Document) Page(p *Page) *Document {
	content := d.Add(Stream("", p.b.String()))
	n := d.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate %d/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>%s>>",
		p.Rotate, content, p.Extra))
	d.kids = append(d.kids, fmt.Sprintf("%d 0 R", n))
	return d
}

// Picture adds a page that is a picture alone, as a scanner makes it: grey values, row by row.
func (d *Document) Picture(width, height int, grey []byte) *Document {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(grey) // a Buffer takes everything
	_ = w.Close()
	n := d.Add(Stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode",
		width, height), z.String()))
	return d.Page((&Page{Extra: fmt.Sprintf("/Resources<</XObject<</Scan %d 0 R>>>>", n)}).Content("q 612 0 0 792 0 0 cm /Scan Do Q"))
}

// Means lets letters stand for other texts, which are UTF-16BE in hexadecimal: that is what a reader of the text gets.
func (d *Document) Means(texts map[byte]string) *Document {
	var b strings.Builder
	fmt.Fprintf(&b, "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <FF> "+
		"endcodespacerange %d beginbfchar", len(texts))
	for letter, text := range texts {
		fmt.Fprintf(&b, " <%02X> <%s>", letter, text)
	}
	b.WriteString(" endbfchar endcmap end end")
	d.Font = fmt.Sprintf("/ToUnicode %d 0 R", d.Add(Stream("", b.String())))
	return d
}

// Bytes is the document.
func (d *Document) Bytes() []byte {
	d.objects[0] = "<</Type/Catalog/Pages 2 0 R" + d.Catalog + ">>"
	d.objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", strings.Join(d.kids, " "), len(d.kids))
	d.objects[2] = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding" + d.Font + ">>"
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	at := make([]int, len(d.objects))
	for i, o := range d.objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(d.objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(d.objects)+1, xref)
	return b.Bytes()
}
