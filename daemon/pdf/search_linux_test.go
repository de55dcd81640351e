package pdf

import (
	"fmt"
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
	want := map[string]int{"1 words:Grete Blaumann": 3, "1 class:iban": 1, "1 class:email": 2, "2 words:Grete Blaumann": 5, "3 words:Grete Blaumann": 1}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("%v, want %v\n%s", found, want, strings.Join(judge(t, copied, list, ""), "\n"))
	}
}
