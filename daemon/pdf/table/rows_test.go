package table

import (
	"strings"
	"testing"
)

// placed puts texts on a page: rows from above, each text at its column; a text that begins with > ends where the column does.
func placed(widths []float64, rows ...[]string) (out []Word) {
	for i, row := range rows {
		x := 50.0
		for j, text := range row {
			at := x
			if right, ok := strings.CutPrefix(text, ">"); ok {
				text = right
				at = x + widths[j] - 11 - 5*float64(len(text))
			}
			for w := range strings.FieldsSeq(text) {
				out = append(out, Word{Rect: Rect{at, float64(100 + 14*i), at + 5*float64(len(w)), float64(112 + 14*i)}, Text: w})
				at += 5*float64(len(w)) + 3
			}
			x += widths[j]
		}
	}
	return out
}

// Numbers at the right of their column and a heading at its left are one column, and so is what stands close to the next one.
func TestAColumnIsAlignedAtEitherSide(t *testing.T) {
	words := placed([]float64{90, 90, 90}, []string{"thing", "cost", "place"}, []string{"lamp", ">9.50", "shelf one"},
		[]string{"rope", ">120.00", "yard"}, []string{"kettle", ">31.25", "shelf two"})
	found, whole := Find(Page{Words: words}, Auto)
	const want = "thing|cost|place\nlamp|9.50|shelf one\nrope|120.00|yard\nkettle|31.25|shelf two\n"
	got := ""
	for _, x := range found {
		for _, row := range x.Grid() {
			got += strings.Join(row, "|") + "\n"
		}
	}
	if !whole || got != want {
		t.Errorf("%s", got)
	}
}

func TestWhatIsReadRowByRow(t *testing.T) {
	prose := []string{"some words of a text that goes on", "and of another one that stands there"}
	for name, c := range map[string]struct {
		words []Word
		rows  bool
	}{
		"a table":              {placed([]float64{90, 90}, []string{"lamp", "9.50"}, []string{"rope", "12"}, []string{"can", "3"}), true},
		"lines at either side": {placed([]float64{300, 200}, []string{"here", ""}, []string{"", "there"}, []string{"here", ""}), true},
		"columns of text":      {placed([]float64{250, 250}, prose, prose, prose, prose), false},
		"two short columns": {placed([]float64{250, 250}, []string{"left one", "right one"}, []string{"left two", "right two"}),
			false},
	} {
		if got := ReadsByRows(c.words); got != c.rows {
			t.Errorf("%s: %v", name, got)
		}
	}
}
