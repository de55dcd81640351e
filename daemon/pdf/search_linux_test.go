//go:build !race

package pdf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/pdf/pdftest"
)

// meaning lets some letters stand for others, and the rest for themselves.
func meaning(other map[byte]string) map[byte]string {
	for b := byte(32); b < 127; b++ {
		if _, ok := other[b]; !ok {
			other[b] = fmt.Sprintf("%04X", b)
		}
	}
	return other
}

// Words are found however the document sets them, and each find is marked on each page that it stands on.
func TestWordsAreFoundHoweverTheyAreSet(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	page := func() *pdftest.Page { return &pdftest.Page{} }
	all := pdftest.New().Means(meaning(map[byte]string{'~': "00AD", '^': "200B", '|': "2013", '`': "2019"}))
	all.Page(page().Text(72, 740, "We met Grete Blau~").Text(72, 726, "mann at the quay today").
		Text(72, 690, "Then came Grete Bl^au~mann once more").Text(72, 660, "and she was called Grete").
		Text(72, 630, "Blaumann by all of us").Text(72, 600, "Pay FI21 1234 5600").Text(72, 570, "0007 85 for it").
		Text(72, 540, "Write to quay@blau-").Text(72, 526, "mann.example or to pier@").Text(72, 512, "blaumann.example at once"))
	all.Page(page().Content("5 Tc").Text(72, 740, "So Grete Blaumann").Content("0 Tc").
		Content("BT /F1 11 Tf 72 700 Td [(Then Grete Blau) -190 (mann left)] TJ ET").
		Content("BT /F1 12 Tf 72 660 Td (for G) Tj /F1 9 Tf (RETE ) Tj /F1 12 Tf (B) Tj /F1 9 Tf (LAUMANN ) Tj ET").
		Text(72, 620, "Name:").Text(160, 620, "Grete").Text(330, 620, "Blaumann").
		Text(72, 560, "The last word has Grete").Text(300, 40, "2 of 3"))
	all.Page(page().Text(72, 740, "Blaumann, as ever"))
	list, copied, err := d.redact(d.give(all.Bytes()), "Grete Blaumann", "class:iban", "class:email")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, p := range list.Places {
		found[fmt.Sprint(p.Page, " ", p.Pattern)]++
	}
	want := map[string]int{"1 words:Grete Blaumann": 3, "1 class:iban": 1, "1 class:email": 2,
		"2 words:Grete Blaumann": 5, "3 words:Grete Blaumann": 1}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("%v, want %v\n%s", found, want, strings.Join(judge(t, copied, list, ""), "\n"))
	}
}

// What cannot be searched is said, with its pages; a plain page has no warning.
func TestWhatIsNotSearchedIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	doc := pdftest.New()
	object := func(format string, a ...any) int { return doc.Add(fmt.Sprintf(format, a...)) }
	look := doc.Add(pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F1 3 0 R>>>>",
		"BT /F1 9 Tf 2 5 Td (none) Tj ET"))
	field := "/Type/Annot/Subtype/Widget/DA(/F1 9 Tf 0 g)/Rect[72 500 162 520]"
	other := object("<<%s/FT/Tx/T(a)/V(Grete)/AP<</N %d 0 R>>>>", field, look)
	hidden := object("<<%s/FT/Tx/T(b)/V(none)/F 2>>", field)
	choice := object("<<%s/FT/Ch/Ff 131072/T(c)/V(none)/Opt[(none)(Grete)]>>", field)
	same := object("<<%s/FT/Tx/T(d)/V(none)/AP<</N %d 0 R>>>>", field, look)
	link := object("<</Type/Annot/Subtype/Link/Rect[72 690 300 712]/A<</S/URI/URI(mailto:quay@corp.example)>>>>")
	layer := object("<</Type/OCG/Name(old)>>")
	doc.Catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R %d 0 R %d 0 R %d 0 R]/DR<</Font<</F1 3 0 R>>>>/DA(/F1 9 Tf 0 g)>>"+
		"/OCProperties<</OCGs[%[5]d 0 R]/D<</OFF[%[5]d 0 R]>>>>", other, hidden, choice, same, layer)
	page := func(annotation int) *pdftest.Page {
		return (&pdftest.Page{Extra: fmt.Sprintf("/Annots[%d 0 R]", annotation)}).Text(72, 740, "A line of this page")
	}
	for _, a := range []int{other, hidden, choice, same, link} {
		doc.Page(page(a))
	}
	plain := func() *pdftest.Page { return (&pdftest.Page{}).Text(72, 740, "A line of this page") }
	doc.Page(plain().Content("BT /F1 11 Tf 0.9 0.436 -0.436 0.9 100 200 Tm (Grete is at the quay) Tj ET"))
	doc.Page(plain().Content("q -1 0 0 1 612 0 cm").Text(72, 600, "Grete is at the quay").Content("Q"))
	list, _, err := d.redact(d.give(doc.Bytes()), "Grete")
	want := "[{layers_off  } {links_not_searched 5 } {fields_not_searched 1-3 } {read_by_letters 6-7 }]"
	if err != nil || !sameWarnings(fmt.Sprint(list.Warnings), want) {
		t.Errorf("%v, want %v (%v)", list.Warnings, want, err)
	}
	own := pdftest.New().Means(meaning(map[byte]string{'~': "E041"})).Page(plain().Text(72, 600, "some ~~~~ here"))
	if list, _, err = d.redact(d.give(own.Bytes()), "Grete"); err != nil || fmt.Sprint(list.Warnings) != "[{letters_unknown 1 }]" {
		t.Errorf("%v %v", list.Warnings, err)
	}
	if !unreadFont("name type encoding emb sub uni object ID\n---- ---- ----\nABCDEF+Own  CID TrueType  Identity-H  yes yes no  7  0\n") {
		t.Error("a font without a map is not seen")
	}
}

func sameWarnings(got, want string) bool {
	sorted := func(s string) string {
		x := strings.Split(strings.Trim(s, "[{}]"), "} {")
		slices.Sort(x)
		return strings.Join(x, ";")
	}
	return sorted(got) == sorted(want)
}

// A page of very many words is searched to its end.
func TestPagesOfManyWordsAreSearched(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := &pdftest.Page{Extra: "/MediaBox[0 0 6120 7920]"}
	for i := range 520 {
		p.Content(fmt.Sprintf("BT /F1 11 Tf 6 %d Td (%s) Tj ET", 7900-14*i, strings.Repeat("ab ", 100)))
	}
	list, _, err := d.redact(d.give(pdftest.New().Page(p.Text(72, 20, "Grete Blaumann")).Bytes()), "Grete Blaumann")
	if err != nil || len(list.Places) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	tiny := &pdftest.Page{}
	for i := range 510 {
		tiny.Content(fmt.Sprintf("BT /F1 1 Tf 6 %.1f Td (%s) Tj ET", 780-float64(i)*1.4, strings.Repeat("ab ", 50)))
	}
	list, _, err = d.redact(d.give(pdftest.New().Page(tiny).Bytes()), "Grete Blaumann")
	if err != nil || fmt.Sprint(list.Warnings) != "[{words_cut 1 }]" {
		t.Errorf("%+v %v", list.Warnings, err)
	}
}
