package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Broken is a good document that is broken by a seed: bytes, numbers, names and whole parts change, in a few places or in many.
func Broken(seed uint64, good ...[]byte) []byte {
	r := rand.New(rand.NewPCG(seed, 18))
	b := bytes.Clone(good[r.IntN(len(good))])
	for range 1 + r.IntN(12) {
		if len(b) < 64 {
			return b
		}
		at := r.IntN(len(b) - 32)
		switch r.IntN(9) {
		case 0:
			b[at] ^= byte(1 << r.IntN(8))
		case 1: // cut
			b = b[:len(b)-r.IntN(len(b)/4)]
		case 2: // a part is gone
			b = append(b[:at:at], b[at+1+r.IntN(31):]...)
		case 3: // a part is there twice
			n := min(len(b)-at, 1+r.IntN(4096))
			b = append(b[:at+n:at+n], b[at:]...)
		case 4: // a number is another
			if i := bytes.IndexAny(b[at:], "0123456789"); i >= 0 {
				numbers := []string{"0", "-1", "99999999999", "2147483648", "1e99", "4", "0.0000001"}
				b = append(b[:at+i:at+i], append([]byte(numbers[r.IntN(len(numbers))]), b[at+i+1:]...)...)
			}
		case 5: // a reference leads elsewhere
			if i := bytes.Index(b[at:], []byte(" 0 R")); i > 0 {
				b[at+i-1] = '0' + byte(r.IntN(10))
			}
		case 6: // a name is another
			if i := bytes.IndexByte(b[at:], '/'); i >= 0 {
				names := []string{"/Kids", "/Parent", "/Filter", "/Length", "/Contents", "/Annots", "/Prev", "/JavaScript", "/Subtype"}
				b = append(b[:at+i:at+i], append([]byte(names[r.IntN(len(names))]+" "), b[at+i+1:]...)...)
			}
		case 7: // noise
			for i := at; i < min(at+r.IntN(512), len(b)); i++ {
				b[i] = byte(r.Uint32())
			}
		case 8: // brackets without an end
			b = append(b[:at:at], append([]byte(strings.Repeat([]string{"[", "<<", "("}[r.IntN(3)], 1+r.IntN(2000))), b[at:]...)...)
		}
	}
	return b
}

// Hostile are documents that are made to do harm, by name.
func Hostile() map[string][]byte {
	out := map[string][]byte{}
	one := New().Page((&Page{}).Text(72, 700, "Ada Lovelace")).Bytes()
	at := bytes.LastIndex(one, []byte("xref\n"))
	swap := func(from, to string) []byte { return bytes.Replace(one, []byte(from), []byte(to), 1) }
	out["a table of objects that names itself as the one before"] = bytes.Replace(one, []byte("/Root 1 0 R"),
		fmt.Appendf(nil, "/Root 1 0 R/Prev %d", at), 1)
	out["a giant number of pages"] = swap("/Count 1>>", "/Count 2147483647>>")
	out["a negative number of pages"] = swap("/Count 1>>", "/Count -5>>")
	out["pages in themselves"] = swap("/Kids[5 0 R]", "/Kids[2 0 R 5 0 R]")
	out["a catalogue that is its pages"] = swap("/Pages 2 0 R", "/Pages 1 0 R")
	out["a page that is its own contents"] = swap("/Contents 4 0 R", "/Contents 5 0 R")
	out["a length of itself"] = swap("/Length 5", "/Length 4 0 R/X 5")
	out["a gigantic page"] = swap("[0 0 612 792]", "[0 0 9999999 9999999]")
	out["a page without a size"] = swap("[0 0 612 792]", "[0 0 0 0]")

	deep := New()
	n := deep.Add(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))
	deep.Catalog = fmt.Sprintf("/Deep %d 0 R", n)
	out["lists in lists"] = deep.Page((&Page{Extra: fmt.Sprintf("/Annots %d 0 R", n)}).Text(72, 700, "Ada Lovelace")).Bytes()
	tree := New()
	last := tree.Add("<</Type/Page/MediaBox[0 0 612 792]>>")
	for range 20_000 {
		last = tree.Add(fmt.Sprintf("<</Type/Pages/Count 1/Kids[%d 0 R]>>", last))
	}
	tree.kids = []string{fmt.Sprintf("%d 0 R", last)}
	out["pages in pages in pages"] = tree.Bytes()

	bomb := squeezed(bytes.Repeat([]byte("BT /F1 11 Tf 72 700 Td (bomb bomb) Tj ET\n"), 1<<20))
	twice := squeezed(bomb)
	for name, filter := range map[string]string{"a bomb": "/FlateDecode", "a bomb in a bomb": "[/FlateDecode/FlateDecode]",
		"many filters": "[" + strings.Repeat("/FlateDecode ", 500) + "]"} {
		data := bomb
		if name != "a bomb" {
			data = twice
		}
		d := New()
		n := d.Add(Stream("/Filter"+filter, string(data)))
		out[name] = bytes.Replace(d.Page(&Page{}).Bytes(), []byte("/Contents 5 0 R"), fmt.Appendf(nil, "/Contents %d 0 R", n), 1)
	}
	picture := New()
	n = picture.Add(Stream("/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode",
		string(squeezed(make([]byte, 1<<24)))))
	out["a gigantic picture"] = picture.Page((&Page{Extra: fmt.Sprintf("/Resources<</XObject<</P %d 0 R>>>>", n)}).
		Content("q 612 0 0 792 0 0 cm /P Do Q")).Bytes()
	self := New()
	self.Add(Stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</X 4 0 R>>>>", "/X Do /X Do"))
	out["a drawing that draws itself"] = self.Page((&Page{Extra: "/Resources<</XObject<</X 4 0 R>>>>"}).Content("/X Do")).Bytes()
	script := New()
	script.Catalog = "/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1:9/'\\))>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>"
	out["scripts"] = script.Page((&Page{}).Text(72, 700, "Ada Lovelace")).Bytes()
	file := New()
	n = file.Add("<</F(/etc/passwd)/FS/URL/Length 0>>\nstream\n\nendstream")
	out["a stream in another file"] = bytes.Replace(file.Page(&Page{}).Bytes(), []byte("/Contents 5 0 R"),
		fmt.Appendf(nil, "/Contents %d 0 R", n), 1)
	out["names like options"] = New().Page((&Page{}).Text(72, 700, "--password-file=/etc/passwd $(id) `id` ../../x")).Bytes()
	return out
}

func squeezed(b []byte) []byte {
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, 9) // 9 is a level
	_, _ = w.Write(b)                  // a Buffer takes everything
	_ = w.Close()
	return z.Bytes()
}
