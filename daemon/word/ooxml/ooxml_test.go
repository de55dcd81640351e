package ooxml

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

	"showhow/internal/fault"
)

const wrap = `<w:document xmlns:w="` + Transitional + `"><w:body>%s</w:body></w:document>`

// What is read is written again byte for byte, and text and attributes are what encoding/xml says.
func TestWhatIsReadIsWritten(t *testing.T) {
	for _, s := range []string{
		`<a/>`, `<a ></a >`, "\ufeff<?xml version='1.0' encoding=\"utf-8\"?>\r\n<!-- x --><a b='1'\n\tc=\"&lt;&#x4f1a;'\"/>\n<!-- y -->\n",
		`<a xmlns="u" xmlns:p='v'><p:b p:c="1" c="2">x &amp; y<![CDATA[ <z> & ]]></p:b><?pi some?><b/>` + "\r\n</a>",
		`<a>` + strings.Repeat("<b>", 200) + strings.Repeat("</b>", 200) + `</a>`,
		`<a>é&#233;&#xE9;会</a>`, "<a\u00e9.b-c_1/>",
	} {
		x, err := ParseXML([]byte(s))
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if got := string(x.Bytes()); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
		if got, want := said(x.Root), library(t, s); got != want {
			t.Errorf("%q says\n%s, not\n%s", s, got, want)
		}
	}
}

// said and library write what a text means: as this package sees it, and as the standard library does.
func said(n *Node) string {
	if n.Tag == "" {
		return n.text()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{%s}%s(", n.Space, n.Local)
	list, _ := attrs(n.open)
	for _, a := range list {
		if a.name != "xmlns" && !strings.HasPrefix(a.name, "xmlns:") {
			_, l := split(a.name)
			fmt.Fprintf(&b, "%s=%q ", l, a.value())
		}
	}
	b.WriteString(")[")
	for _, k := range n.Kids {
		b.WriteString(said(k))
	}
	return b.String() + "]"
}

func library(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(s, "\ufeff")))
	depth := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Errorf("%q: the library says %v", s, err)
			return ""
		}
		switch x := tok.(type) {
		case xml.StartElement:
			depth++
			fmt.Fprintf(&b, "{%s}%s(", x.Name.Space, x.Name.Local)
			for _, a := range x.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					fmt.Fprintf(&b, "%s=%q ", a.Name.Local, strings.NewReplacer("\n", " ", "\t", " ").Replace(a.Value))
				}
			}
			b.WriteString(")[")
		case xml.EndElement:
			depth--
			b.WriteString("]")
		case xml.CharData:
			if depth > 0 {
				b.Write(x)
			}
		}
	}
}

func TestWhatIsNotWellFormedIsRefused(t *testing.T) {
	for _, s := range []string{"", "x", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a b=1/>", "<a b='1' b='2'/>", "<a b='<'/>",
		"<a>&x;</a>",
		"<a>&#0;</a>", "<a>&#xD800;</a>", "<a>]]></a>", "<a>\x01</a>", "<p:a/>", "<a p:b='1'/>", "<a b='1'c='2'/>", "<1a/>", "<a:/>",
		"<a:b:c/>",
		"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", "<a><!DOCTYPE b></a>", "<a><!-- -- --></a>", "<a>&#+65;</a>",
		"<?xml version='1.0' encoding='utf-16'?><a/>", "\xff\xfe<\x00a\x00/\x00>\x00", "<a \xff='1'/>", "<a>&amp</a>", "<a b='&'/>",
		strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300), "<a b='" + strings.Repeat("x", 300<<10) + "'/>",
		"<a>" + strings.Repeat("<b/>", maxNodes) + "</a>", "<? xml?><a/>", "<a><?xml version='1.0'?></a>"} {
		if _, err := ParseXML([]byte(s)); err == nil {
			t.Errorf("%.60q is read", s)
		}
	}
}

func FuzzXML(f *testing.F) {
	for _, s := range []string{`<a xmlns:p='v'><p:b p:c="1">x &amp; y<![CDATA[ <z> ]]></p:b></a>`, "<a b='&#x4f1a;'/>", "<!DOCTYPE a><a/>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, err := ParseXML([]byte(s))
		if err != nil {
			return
		}
		if got := string(x.Bytes()); got != s {
			t.Fatalf("%q becomes %q", s, got)
		}
		var b strings.Builder
		x.Root.Canonical(&b)
		d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(s, "\ufeff")))
		for {
			if _, err := d.Token(); err != nil {
				break
			}
		}
	})
}

func TestChangesOfATree(t *testing.T) {
	x, err := ParseXML(fmt.Appendf(nil, wrap, `<w:p w:a='1' w:b="2"><w:r/>tail</w:p><w:p />`))
	if err != nil {
		t.Fatal(err)
	}
	p := x.Root.Child("body").Kids[0]
	p.SetAttr("w:a", `"<&`)
	p.SetAttr("w:c", "new\n")
	p.Child("r").With(NewText("a<b"), New(p, "t", "val", "x", "xml:space", "preserve"))
	x.Root.Child("body").Kids[1].With(New(p, "r"))
	want := fmt.Sprintf(wrap, `<w:p w:a='&quot;&lt;&amp;' w:b="2" w:c="new&#10;"><w:r>a&lt;b`+
		`<w:t w:val="x" xml:space="preserve"/></w:r>tail</w:p>`+
		`<w:p><w:r/></w:p>`)
	if got := string(x.Bytes()); got != want {
		t.Errorf("\n%s not\n%s", got, want)
	}
	if v, _ := p.Attr("a"); v != `"<&` {
		t.Errorf("the attribute is %q", v)
	}
	p.Rename("q")
	p.Child("r").Wrap(p.Child("r"), New(p, "ins"))
	p.Unwrap()
	want = fmt.Sprintf(wrap, `<w:ins><w:r>a&lt;b<w:t w:val="x" xml:space="preserve"/></w:r></w:ins>tail<w:p><w:r/></w:p>`)
	if got := string(x.Bytes()); got != want {
		t.Errorf("\n%s not\n%s", got, want)
	}
}

// A part that changes made larger than what is read is not written.
func TestPartThatGrewTooMuch(t *testing.T) {
	p, err := Open(pack(t, types, rels, plainText))
	if err != nil {
		t.Fatal(err)
	}
	x, err := p.XML(p.Main)
	if err != nil {
		t.Fatal(err)
	}
	text := NewText(strings.Repeat("x", 1<<20))
	for range maxPart>>20 + 1 {
		x.Root.Child("body").With(New(x.Root, "t").With(text))
	}
	if _, err := p.Save(); !fault.Is(err, fault.WordTooLarge) || fault.From(err).Hint == "" {
		t.Error(err)
	}
}

type entry struct {
	name, text string
}

func pack(t testing.TB, list ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		w, err := z.Create(e.name)
		if err == nil {
			_, err = io.WriteString(w, e.text)
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

var (
	types = entry{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>`}
	rels  = entry{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="a" Type="` + RelTransitional + `/officeDocument" Target="/word/document.xml"/></Relationships>`}
	plainText = entry{"word/document.xml", fmt.Sprintf(wrap, `<w:p/>`)}
)

func TestHostilePackages(t *testing.T) {
	huge := strings.Repeat(" ", maxPart+1)
	bomb := entry{"word/document.xml", fmt.Sprintf(wrap, strings.Repeat(" ", 8<<20))}
	lying := pack(t, types, rels, plainText)
	encrypted := bytes.Clone(lying)
	at := bytes.LastIndex(encrypted, []byte("PK\x01\x02"))
	encrypted[at+8] |= 1
	many := []entry{types, rels, plainText}
	for i := range maxParts {
		many = append(many, entry{fmt.Sprint("x", i), ""})
	}
	for name, c := range map[string]struct {
		data []byte
		code fault.Code
	}{
		"nothing":             {nil, fault.WordUnreadable},
		"text":                {[]byte("Dear Sir"), fault.WordUnreadable},
		"an old document":     {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on"), fault.WordEncrypted},
		"an encrypted part":   {encrypted, fault.WordUnreadable},
		"no types":            {pack(t, rels, plainText), fault.WordUnreadable},
		"no relationships":    {pack(t, types, plainText), fault.WordUnreadable},
		"no text":             {pack(t, types, rels), fault.WordUnreadable},
		"a table of numbers":  {pack(t, types, rels, entry{"word/document.xml", `<workbook/>`}), fault.WordUnreadable},
		"the same part twice": {pack(t, types, rels, plainText, entry{"WORD/document.xml", "x"}), fault.WordUnreadable},
		"a way out":           {pack(t, types, rels, plainText, entry{"../../etc/x", "x"}), fault.WordUnreadable},
		"an entity": {pack(t, types, rels, entry{"word/document.xml", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` +
			fmt.Sprintf(wrap, "&e;")}), fault.WordUnreadable},
		"a part that grows": {pack(t, types, rels, bomb), fault.WordTooLarge},
		"a part too large":  {pack(t, types, rels, entry{"word/document.xml", huge}), fault.WordTooLarge},
		"too many parts":    {pack(t, many...), fault.WordTooLarge},
		"too deep": {pack(t, types, rels, entry{"word/document.xml", fmt.Sprintf(wrap, strings.Repeat("<w:p>", 300)+
			strings.Repeat("</w:p>", 300))}), fault.WordTooLarge},
		"a folder with content": {folder(t), fault.WordUnreadable},
		"parts in one place":    {layered(t), fault.WordUnreadable},
		"too many elements in all": {pack(t, types, entry{"_rels/.rels", strings.Replace(rels.text, "</Rel", strings.Repeat("<a/>", maxNodes/2)+
			"</Rel", 1)}, entry{"word/document.xml", fmt.Sprintf(wrap, strings.Repeat("<w:p/>", maxNodes/2))}), fault.WordTooLarge},
		"cut off": {lying[:len(lying)-30], fault.WordUnreadable},
	} {
		_, err := Open(c.data)
		if !fault.Is(err, c.code) || fault.From(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A size that lies does not get around the bounds, nor does a wrong checksum pass.
	z, err := zip.NewReader(bytes.NewReader(lying), int64(len(lying)))
	if err != nil {
		t.Fatal(err)
	}
	sum := make([]byte, 4)
	for i, v := 0, crc32.ChecksumIEEE([]byte(plainText.text)); i < 4; i++ {
		sum[i] = byte(v >> (8 * i))
	}
	broken := bytes.ReplaceAll(lying, sum, []byte{1, 2, 3, 4})
	if _, err := Open(broken); !fault.Is(err, fault.WordUnreadable) || len(z.File) != 3 {
		t.Errorf("a wrong checksum: %v", err)
	}
}

// Only what was changed is packed again.
func TestUntouchedPartsAreCopied(t *testing.T) {
	data := pack(t, types, rels, plainText, entry{"word/media/x.png", "\x00picture"}, entry{"word/", ""}, entry{"custom.xml",
		"<not well formed"})
	p, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := p.Save(); err != nil || len(same) < len(data)-40 {
		t.Errorf("%d bytes after %d: %v", len(same), len(data), err)
	}
	x, err := p.XML("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	x.Root.Child("body").With(New(x.Root, "p"))
	if err := p.Add("word/document.xml", "word/comments.xml", "text/x", RelTransitional+"/comments", []byte(`<a/>`)); err != nil {
		t.Fatal(err)
	}
	list, err := p.Changed()
	if got := strings.Join(list, " "); err != nil ||
		got != "[Content_Types].xml word/_rels/document.xml.rels word/comments.xml word/document.xml" {
		t.Errorf("changed: %s %v", got, err)
	}
	out, err := p.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := again.Relations("word/document.xml")
	if err != nil || len(r) != 1 || r[0].Target != "word/comments.xml" || r[0].ID != "rId1" {
		t.Errorf("%+v %v", r, err)
	}
	for _, name := range []string{"word/media/x.png", "custom.xml", "_rels/.rels"} {
		a, err1 := p.parts[name].OpenRaw()
		b, err2 := again.parts[name].OpenRaw()
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		x, _ := io.ReadAll(a)
		y, _ := io.ReadAll(b)
		if !bytes.Equal(x, y) || p.parts[name].Modified != again.parts[name].Modified {
			t.Errorf("%s is another one", name)
		}
	}
}

// folder is a document with a folder that has content.
func folder(t *testing.T) []byte {
	data := pack(t, types, rels, plainText, entry{"word/docs_", "x"})
	return bytes.ReplaceAll(data, []byte("word/docs_"), []byte("word/docs/"))
}

// layered is a document whose last entry is there again under other names.
func layered(t *testing.T) []byte {
	data := pack(t, types, rels, plainText, entry{"more000", strings.Repeat("z", 1<<10)})
	end, last := bytes.LastIndex(data, []byte("PK\x05\x06")), bytes.LastIndex(data, []byte("PK\x01\x02"))
	head, tail := data[last:end], bytes.Clone(data[end:])
	out := bytes.Clone(data[:end])
	for i := 1; i <= 3; i++ {
		out = append(out, bytes.Replace(head, []byte("more000"), fmt.Appendf(nil, "more%03d", i), 1)...)
	}
	count, size := binary.LittleEndian.Uint16(tail[10:]), binary.LittleEndian.Uint32(tail[12:])
	binary.LittleEndian.PutUint16(tail[8:], count+3)
	binary.LittleEndian.PutUint16(tail[10:], count+3)
	binary.LittleEndian.PutUint32(tail[12:], size+uint32(3*len(head)))
	return append(out, tail...)
}

// Twice the attributes, or twice the prefixes, take twice the time, not four times.
func TestNamesTakeLinearTime(t *testing.T) {
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		return "<a" + b.String() + "/>"
	}
	prefixes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " xmlns:a%d='u'", i)
		}
		return "<r" + b.String() + ">" + strings.Repeat("<a0:b/>", 20*n) + "</r>"
	}
	for name, make := range map[string]func(int) string{"attributes": attributes, "prefixes": prefixes} {
		began := time.Now()
		if _, err := ParseXML([]byte(make(12000))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s take %s", name, took)
		}
	}
	// What is bound again to the same is no new scope; what is bound anew within itself is bounded.
	deep := func(uri func(int) string) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, "<p:a xmlns:p='%s'>", uri(i))
		}
		return b.String() + strings.Repeat("</p:a>", 100)
	}
	if _, err := ParseXML([]byte(deep(func(int) string { return "u" }))); err != nil {
		t.Error(err)
	}
	if _, err := ParseXML([]byte(deep(func(i int) string { return fmt.Sprint("u", i) }))); err != errSize {
		t.Error(err)
	}
}
