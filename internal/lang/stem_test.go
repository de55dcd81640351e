package lang

import "testing"

// Forms of one word get the same stem, different words never do.
func TestEnglishStem(t *testing.T) {
	for _, same := range [][]string{
		{"order", "orders", "ordered", "ordering"}, {"invoice", "invoices", "invoiced", "invoicing"},
		{"transcribe", "transcribed", "transcribing"}, {"ship", "ships", "shipped", "shipping"},
		{"category", "categories"}, {"box", "boxes"}, {"bill", "bills", "billed"}, {"database", "databases"}, {"copy", "copied"},
	} {
		for _, w := range same[1:] {
			if EnglishStem(w) != EnglishStem(same[0]) {
				t.Errorf("%s is %s, %s is %s", w, EnglishStem(w), same[0], EnglishStem(same[0]))
			}
		}
	}
	seen := map[string]string{}
	for _, w := range []string{"status", "state", "news", "new", "address", "add", "bus", "business", "string", "stream", "bed", "need",
		"kunden", "rechnung", "2026", "analysis", "pass", "past", "wing", "wine", "port", "post", "note", "bring", "red", "feed", "spring",
		"sprint"} {
		if o := seen[EnglishStem(w)]; o != "" {
			t.Errorf("%s and %s are both %s", w, o, EnglishStem(w))
		}
		seen[EnglishStem(w)] = w
	}
}
