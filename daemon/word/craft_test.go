package word

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/word/ooxml"
)

const (
	head     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\r\n"
	spaces   = `xmlns:w="` + ooxml.Transitional + `" xmlns:r="` + ooxml.RelTransitional + `" xmlns:mc="` + markup + `"`
	relSpace = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	typeBase = "application/vnd.openxmlformats-officedocument.wordprocessingml."
)

var us = Author{Name: "Ada Lovelace", Now: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)}

// parts are a document's parts; craft packs them.
type parts map[string]string

// document is a plain document with a body.
func document(body string) parts {
	return parts{
		"[Content_Types].xml": head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/word/document.xml" ContentType="` + typeBase + `document.main+xml"/>` +
			`<Override PartName="/word/styles.xml" ContentType="` + typeBase + `styles+xml"/>` +
			`<Override PartName="/word/header1.xml" ContentType="` + typeBase + `header+xml"/></Types>`,
		"_rels/.rels": head + `<Relationships ` + relSpace + `><Relationship Id="rId1" Type="` + ooxml.RelTransitional +
			`/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/_rels/document.xml.rels": head + `<Relationships ` + relSpace + `><Relationship Id="rId1" Type="` + ooxml.RelTransitional +
			`/styles" Target="styles.xml"/><Relationship Id="rId2" Type="` + ooxml.RelTransitional + `/header" Target="header1.xml"/>` +
			`<Relationship Id="rId9" Type="` + ooxml.RelTransitional +
			`/image" Target="http://127.0.0.1:9/x.png" TargetMode="External"/></Relationships>`,
		"word/styles.xml": head + `<w:styles ` + spaces + `><w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="H1"/></w:style>` +
			`<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
		"word/header1.xml":  head + `<w:hdr ` + spaces + `><w:p><w:r><w:t>Draft of May</w:t></w:r></w:p></w:hdr>`,
		"word/media/a.bin":  "\x00\x01 not XML \xff",
		"word/document.xml": head + `<w:document ` + spaces + `><w:body>` + body + `<w:sectPr/></w:body></w:document>`,
	}
}

func craft(t testing.TB, p parts) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	names := make([]string, 0, len(p))
	for n := range p {
		names = append(names, n)
	}
	slices.Sort(names)
	for i, n := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: n, Method: []uint16{zip.Deflate, zip.Store}[i%2], Modified: us.Now, Comment: "kept"})
		if err == nil {
			_, err = w.Write([]byte(p[n]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t testing.TB, data []byte) *Document {
	t.Helper()
	d, err := Open(data, us)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// saved is the document after it was written and read again.
func saved(t testing.TB, d *Document) *Document {
	t.Helper()
	data, err := d.Save()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, data)
}

// body is a document's text, paragraph by paragraph.
func body(d *Document) []string { return texts(d.stories[0]) }

// inner is the body as it is written.
func inner(t testing.TB, d *Document) string {
	t.Helper()
	x, err := d.pkg.XML(d.pkg.Main)
	if err != nil {
		t.Fatal(err)
	}
	s := string(x.Bytes())
	_, s, _ = strings.Cut(s, "<w:body>")
	s, _, _ = strings.Cut(s, "<w:sectPr/></w:body>")
	return s
}

// canonical writes all parts so that documents that mean the same are written alike: runs that differ in nothing are one.
func canonical(t testing.TB, d *Document) string {
	t.Helper()
	var b strings.Builder
	for _, s := range d.stories {
		x, err := d.pkg.XML(s.part)
		if err != nil {
			t.Fatal(err)
		}
		root := x.Root.Clone()
		merge(root)
		fmt.Fprintf(&b, "\n%s: ", s.name)
		root.Canonical(&b)
	}
	return strings.NewReplacer("{"+ooxml.Transitional+"}", "", "{http://www.w3.org/XML/1998/namespace}", "").Replace(b.String())
}

func merge(n *ooxml.Node) {
	for _, k := range slices.Clone(n.Kids) {
		merge(k)
		if k.Is("rPr", "pPr") && len(k.Kids) == 0 {
			k.Remove()
		}
	}
	if n.Is("t", "delText") && n.AttrIn("space", "http://www.w3.org/XML/1998/namespace") == "" {
		text := strings.Trim(n.Text(), " \t\r\n")
		n.Clear()
		n.With(ooxml.NewText(text))
	}
	if !n.Is("t", "delText", "instrText") {
		for _, k := range slices.Clone(n.Kids) {
			if !k.Element() {
				k.Remove()
			}
		}
	}
	for i := 0; i+1 < len(n.Kids); {
		a, b := n.Kids[i], n.Kids[i+1]
		switch {
		case a.Is("t") && b.Is("t") || a.Is("delText") && b.Is("delText"):
			setText(a, a.Text()+b.Text())
			b.Remove()
		case a.Is("r") && b.Is("r") && face(a.Child("rPr")) == face(b.Child("rPr")):
			if pr := b.Child("rPr"); pr != nil {
				pr.Remove()
			}
			kids := slices.Clone(b.Kids)
			b.Clear()
			a.With(kids...)
			b.Remove()
			merge(a)
		case a.Is("ins", "del", "moveFrom", "moveTo") && b.Is(a.Local) && sameAuthor(a, b):
			kids := slices.Clone(b.Kids)
			b.Clear()
			a.With(kids...)
			b.Remove()
			merge(a)
		default:
			i++
		}
	}
	if n.Is("t", "delText") {
		setText(n, n.Text())
	}
	if n.Is("ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange") {
		n.SetAttr("w:id", "0")
	}
}

func face(n *ooxml.Node) string {
	var b strings.Builder
	if n != nil {
		n.Canonical(&b)
	}
	return b.String()
}

func sameAuthor(a, b *ooxml.Node) bool {
	x, _ := a.Attr("author")
	y, _ := b.Attr("author")
	return x == y
}

// random makes a body: paragraphs and tables, runs with and without properties, changes of somebody else, links, pictures.
func random(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		switch k := r.IntN(8); {
		case k < 5:
			b.WriteString(randomParagraph(r))
			continue
		case k == 5:
			b.WriteString(`<w:sdt><w:sdtPr><w:tag w:val="y"/></w:sdtPr><w:sdtContent>` + randomParagraph(r) + randomParagraph(r) +
				`</w:sdtContent></w:sdt>`)
			continue
		case k == 6: // a field over several paragraphs
			b.WriteString(para1(randomRun(r, "t")+char("begin")+`<w:r><w:instrText>IF </w:instrText></w:r>`+randomRun(r, "t")) +
				randomParagraph(r) + para1(randomRun(r, "t")+char("separate")+randomRun(r, "t")+char("end")+randomRun(r, "t")))
			continue
		}
		cols := 1 + r.IntN(3)
		b.WriteString(`<w:tbl><w:tblPr/>`)
		for range 1 + r.IntN(3) {
			b.WriteString(`<w:tr>`)
			for range cols {
				b.WriteString(`<w:tc><w:tcPr/>`)
				for range 1 + r.IntN(2) {
					b.WriteString(randomParagraph(r))
				}
				b.WriteString(`</w:tc>`)
			}
			b.WriteString(`</w:tr>`)
		}
		b.WriteString(`</w:tbl>`)
	}
	return b.String() + randomParagraph(r)
}

var vocabulary = []string{"alpha", "Brücke", "会议", "предел", "zebra &amp; co", "x", "a b", " ", "  ", ", ", ".", "&lt;tag&gt;", "e\u0301",
	"ميزان"}

func randomRun(r *rand.Rand, text string) string {
	var b strings.Builder
	b.WriteString([]string{`<w:r>`, `<w:r w:rsidR="00AB12CD">`}[r.IntN(2)])
	b.WriteString([]string{"", "", `<w:rPr><w:b/></w:rPr>`, `<w:rPr><w:i w:val="1"/><w:sz w:val="24"/></w:rPr>`, `<w:rPr/>`,
		`<w:rPr><w:b/><w:rPrChange w:id="5" w:author="Bob"><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr>`}[r.IntN(6)])
	for range 1 + r.IntN(3) {
		fmt.Fprintf(&b, "<w:%s", text)
		if r.IntN(4) > 0 {
			b.WriteString(` xml:space="preserve"`)
		}
		b.WriteString(">")
		for range r.IntN(4) {
			b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		}
		fmt.Fprintf(&b, "</w:%s>", text)
		b.WriteString([]string{"", "", "", "<w:tab/>", "<w:br/>", "<w:lastRenderedPageBreak/>", "<w:noBreakHyphen/>"}[r.IntN(7)])
	}
	return b.String() + `</w:r>`
}

func randomParagraph(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{`<w:p>`, `<w:p w:rsidR="00AB12CD" w:rsidRDefault='0012'>`}[r.IntN(2)])
	b.WriteString([]string{"", `<w:pPr><w:pStyle w:val="H1"/></w:pPr>`, `<w:pPr><w:jc w:val="center"/><w:rPr><w:b/></w:rPr></w:pPr>`,
		"\n  <w:pPr />\n", `<w:pPr><w:jc w:val="left"/><w:pPrChange w:id="6" w:author="Bob"><w:pPr><w:keepNext/></w:pPr></w:pPrChange></w:pPr>`,
	}[r.IntN(5)])
	for range r.IntN(6) {
		switch r.IntN(18) {
		case 12:
			fmt.Fprintf(&b, `<m:oMath xmlns:m="urn:m"><m:r><m:t>%d</m:t></m:r></m:oMath>`, r.IntN(3))
		case 13:
			fmt.Fprintf(&b, `<w:r><w:sym w:font="Wingdings" w:char="F0A%d"/></w:r>`, r.IntN(3))
		case 14:
			b.WriteString(`<w:moveFromRangeStart ` + bob + ` w:name="m"/><w:moveFrom ` + bob + `>` + randomRun(r, "t") +
				`</w:moveFrom><w:moveFromRangeEnd w:id="3"/>`)
		case 15:
			b.WriteString(`<w:moveToRangeStart ` + bob + ` w:name="m"/><w:moveTo ` + bob + `>` + randomRun(r, "t") +
				`</w:moveTo><w:moveToRangeEnd w:id="3"/>`)
		case 16:
			b.WriteString(`<w:ins ` + bob + `>` + randomRun(r, "t") + `<w:del ` + eve + `>` + randomRun(r, "delText") + `</w:del>` +
				randomRun(r, "t") + `</w:ins>`)
		case 17: // a field in the instruction of another one
			b.WriteString(char("begin") + `<w:r><w:instrText>IF </w:instrText></w:r>` + char("begin") +
				`<w:r><w:instrText>PAGE</w:instrText></w:r>` +
				char("separate") + randomRun(r, "t") + char("end") + randomRun(r, "t") + char("separate") + randomRun(r, "t") + char("end"))
		case 0:
			b.WriteString(`<w:ins w:id="1" w:author="Bob" w:date="2020-01-01T00:00:00Z">` + randomRun(r, "t") + randomRun(r, "t") + `</w:ins>`)
		case 1:
			b.WriteString(`<w:del w:id="2" w:author="Bob" w:date="2020-01-01T00:00:00Z">` + randomRun(r, "delText") + `</w:del>`)
		case 2:
			b.WriteString(`<w:hyperlink r:id="rId9">` + randomRun(r, "t") + `</w:hyperlink>`)
		case 3:
			b.WriteString(`<w:r><w:drawing/></w:r>`)
		case 4:
			b.WriteString(`<w:bookmarkStart w:id="7" w:name="b"/>` + randomRun(r, "t") + `<w:bookmarkEnd w:id="7"/>`)
		case 5:
			b.WriteString(`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>` +
				`<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + randomRun(r, "t") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>`)
		case 6:
			b.WriteString(`<w:sdt><w:sdtPr><w:tag w:val="x"/></w:sdtPr><w:sdtContent>` + randomRun(r, "t") + `</w:sdtContent></w:sdt>`)
		case 7:
			b.WriteString(`<!-- a --><w:proofErr w:type="spellStart"/>` + randomRun(r, "t"))
		default:
			b.WriteString(randomRun(r, "t"))
		}
	}
	return b.String() + `</w:p>`
}

func char(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }

// instructions is the text that fields are told: what stands between their beginning and their result.
func instructions(d *Document) string {
	var b strings.Builder
	var open []bool // has its result
	d.stories[0].root.All(func(n *ooxml.Node) bool {
		kind, _ := n.Attr("fldCharType")
		switch {
		case n.Is("del", "moveFrom"):
			return false
		case n.Is("fldChar") && kind == "begin":
			open = append(open, false)
		case n.Is("fldChar") && kind == "separate":
			open[len(open)-1] = true
		case n.Is("fldChar"):
			open = open[:len(open)-1]
		case n.Is("t", "instrText") && slices.Contains(open, false):
			text, _ := textOf(n)
			if n.Is("instrText") {
				text = n.Text()
			}
			b.WriteString(text)
		}
		return true
	})
	return b.String()
}

// things are a document's texts, signs, formulas, instructions and links, in order, but what is deleted.
func things(d *Document) string {
	var b strings.Builder
	for _, p := range d.stories[0].paras {
		b.WriteString("\n")
		p.node.All(func(n *ooxml.Node) bool {
			switch {
			case n.Is("del", "moveFrom", "pPr", "rPr"):
				return false
			case n.Local == "oMath":
				n.Canonical(&b)
				return false
			case n.Parent.Is("r"):
				text, object := textOf(n)
				if b.WriteString(text); object {
					n.Canonical(&b)
				}
			}
			return true
		})
	}
	return b.String()
}

// raw is a document's text, paragraph by paragraph, with a sign for what is no text.
func raw(d *Document) (out []string) {
	for _, p := range d.stories[0].paras {
		out = append(out, p.text())
	}
	return out
}

// apart shows where two texts begin to differ.
func apart(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	part := func(s string) string { return s[max(0, i-300):min(len(s), i+300)] }
	return fmt.Sprintf("\n%s\nnot\n%s\n", part(a), part(b))
}

func texts(s *story) []string {
	out := []string{}
	for _, p := range s.paras {
		out = append(out, shown(p.text()))
	}
	return out
}
