package table

import (
	"strings"
	"testing"
)

// written notes that a page's content has words in this order.
func written(words []Word) []Word {
	for i := range words {
		words[i].Order = i + 1
	}
	return words
}

// at puts lines one below the other, 12 points apart.
func at(x, y float64, lines ...string) (out []Word) {
	for i, line := range lines {
		at := x
		for w := range strings.FieldsSeq(line) {
			n := 5 * float64(len([]rune(w)))
			out = append(out, Word{Rect: Rect{at, y + 12*float64(i), at + n, y + 12*float64(i) + 11}, Text: w})
			at += n + 2.8
		}
	}
	return out
}

func sheetOf(parts ...[]Word) (out []Word) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return written(out)
}

const long = "These are the words of a text that goes on for many lines without an end to its sentences because nobody wants it to stop"

// What is written cell by cell is a table by its order, whatever its cells hold: long texts in several columns, several paragraphs,
// texts in the middle of their row's height, and numbers as close before a text as a blank is wide.
func TestTheOrderOfTheContentTellsCells(t *testing.T) {
	intro, after := at(50, 60, "A line of text above the table that is as wide as the whole page is"), at(50, 400, "And what follows it")
	for name, c := range map[string]struct {
		words []Word
		want  string
	}{
		"long texts": {sheetOf(intro, set([]float64{120, 150, 150}, 6, []string{"point", "first", "second"}, []string{"one of them", long, long},
			[]string{"another one", long, "short"}), after),
			"point|first|second/one of them|" + long + "|" + long + "/another one|" + long + "|short"},
		"paragraphs": {sheetOf(intro, at(50, 100, "name"), at(150, 100, "value"), at(50, 118, "size"), at(150, 118, "how large it is"),
			at(150, 150, "or how wide"), at(50, 170, "colour"), at(150, 170, "red"), after),
			"name|value/size|how large it is or how wide/colour|red"},
		"in the middle": {sheetOf(intro, at(50, 100, "year"), at(150, 100, "1990"), at(250, 100, "1995"),
			at(50, 118, "people", "who live", "there"), at(150, 130, "12"), at(250, 130, "15"), at(50, 160, "children"), at(150, 160, "3"),
			at(250, 160, "4"), after), "year|1990|1995/people who live there|12|15/children|3|4"},
		"numbers close before": {sheetOf(intro, at(50, 100, "7"), at(63, 100, "count what is there", "and write it down"), at(250, 100, "May"),
			at(50, 130, "8"), at(63, 130, "send the list"), at(250, 130, "June"), at(50, 148, "10"), at(63, 148, "wait for it"),
			at(250, 148, "July"), after), "7|count what is there and write it down|May/8|send the list|June/10|wait for it|July"},
		"a heading over numbers at the right": {sheetOf(intro, at(50, 100, "thing"), at(130, 100, "cost now"), at(220, 100, "place"),
			at(50, 118, "lamp"), at(153, 118, "9.50"), at(220, 118, "shelf one", "or two"), at(50, 142, "rope"), at(153, 142, "1.20"),
			at(220, 142, "yard"), after), "thing|cost now|place/lamp|9.50|shelf one or two/rope|1.20|yard"},
		"cells that stay empty": {sheetOf(intro, at(50, 100, "name"), at(120, 100, "count"), at(200, 100, "part"), at(300, 100, "where"),
			at(50, 118, "lines"), at(120, 118, "74"), at(300, 118, "all"), at(200, 136, "when", "printed"), at(300, 136, "on the cover"), after),
			"name|count|part|where/lines|74||all/||when printed|on the cover"},
		"a gap in the last cell": {sheetOf(intro, at(50, 100, "what"), at(250, 100, "2007"),
			at(50, 118, "the gain", "of the year", "and then", "what is", "left of it"), at(250, 118, "180"), at(250, 166, "500"),
			at(50, 190, "all"), at(250, 190, "680"), after), "what|2007/the gain of the year and then what is left of it|180 500/all|680"},
		"stretched lines": {sheetOf(intro, at(50, 100, "no"), at(100, 100, "what"), at(50, 118, "1"), at(100, 118, "it"), at(126, 118, "reaches"),
			at(177, 118, "over"), at(213, 118, "lines"), at(100, 130, "of its column"), at(50, 148, "2"), at(100, 148, "more"), after),
			"no|what/1|it reaches over lines of its column/2|more"},
	} {
		found, whole := Find(Page{Words: c.words}, Auto)
		if !whole || len(found) != 1 || strings.Join(strings.Fields(said(found[0])), " ") != c.want {
			t.Errorf("%s: %d tables", name, len(found))
			for _, x := range found {
				t.Errorf("%s", said(x))
			}
		}
	}
}

// What the order tells of a table that is written from right to left: its first column is the last one.
func TestATableFromTheRight(t *testing.T) {
	words := sheetOf(at(300, 100, "שם"), at(200, 100, "ערך"), at(300, 118, "גודל"), at(200, 118, "כמה גדול", "זה"),
		at(300, 148, "צבע"), at(200, 148, "12"))
	// A page shows the words of a line from right to left.
	words[3].Rect, words[4].Rect = Rect{223, 118, 238, 129}, Rect{200, 118, 220, 129}
	found, _ := Find(Page{Words: words}, Auto)
	if len(found) != 1 || said(found[0]) != "ערך|שם/כמה גדול\nזה|גודל/12|צבע" {
		t.Errorf("%+v", found)
	}
}

// Letters come as they are shown, from left to right.
func TestWordsFromTheRight(t *testing.T) {
	for shown, read := range map[string]string{"םולש": "שלום", "abc": "abc", "12.50": "12.50", ")3.20(םולש": "שלום(3.20)",
		"abcםולש": "שלוםabc"} {
		if got := Logical(shown); got != read {
			t.Errorf("%s: %s, not %s", shown, got, read)
		}
	}
}

// Running text that is stretched over its lines is no table, however its gaps lie, and neither are gaps by chance.
func TestStretchedTextIsNoTable(t *testing.T) {
	line := func(y, gap float64, words ...string) (out []Word) {
		x := 50.0
		for _, w := range words {
			n := 5 * float64(len(w))
			out = append(out, Word{Rect: Rect{x, y, x + n, y + 11}, Text: w})
			x += n + gap
		}
		return out
	}
	chance := func(y float64, x ...float64) (out []Word) {
		for i, x := range x {
			out = append(out, Word{Rect: Rect{x, y, x + 20 + 7*float64(i%3), y + 11}, Text: "word"})
		}
		return out
	}
	for name, words := range map[string][]Word{
		"stretched": sheetOf(line(100, 14, "Whoever", "reads", "this", "sentence"), line(112, 14, "believes", "in", "long", "measures"),
			line(124, 14, "because", "of", "what", "follows")),
		"by chance": sheetOf(chance(100, 50, 120, 210), chance(112, 50, 133, 224), chance(124, 50, 111, 235)),
	} {
		if found, _ := Find(Page{Words: words}, Auto); len(found) > 0 {
			t.Errorf("%s: %s", name, said(found[0]))
		}
	}
}

func TestWhatIsReadAsItIsWritten(t *testing.T) {
	var text [][]Word
	for i := range 12 {
		text = append(text, at(50, 300+14*float64(i), "A line of text below it all"))
	}
	rows := sheetOf(at(50, 100, "name"), at(300, 100, "Ada"), at(50, 114, "place"), at(300, 114, "London"))
	cells := sheetOf(at(50, 100, "one", "two"), at(300, 100, "three"), at(50, 130, "four"), at(300, 130, "five", "six"))
	head := sheetOf(at(50, 20, "The head"))
	var columns []Word
	for i := range 8 {
		y := 100 + 14*float64(i)
		columns = append(columns, sheetOf(at(50, y, "some words of a column"), at(300, y, "and those beside them"))...)
	}
	filled := sheetOf(at(50, 100, "name"), at(300, 100, "born"), at(50, 130, "place"), at(300, 130, "street", "number"), at(120, 100, "Ada"))
	for name, c := range map[string]struct {
		words []Word
		order bool
	}{
		"cells of several lines":                {cells, true},
		"two rows that are all":                 {rows, false},
		"two rows among much text":              {sheetOf(append([][]Word{rows}, text...)...), true},
		"columns that are written line by line": {sheetOf(columns), false},
		"what is filled in after all":           {filled, false},
		"a head that is written last":           {sheetOf(cells, head), false},
		"what is written from right to left":    {sheetOf(cells, at(50, 200, "שלום")), false},
		"a page whose order is not known": {set([]float64{70, 110}, 0, []string{"plant", "where"},
			[]string{"yarrow", "meadows and ways"}), false},
		"columns of text, one after the other": {sheetOf(set([]float64{250, 250}, 0, []string{long + " " + long, long + " " + long})), false},
		"four rows that are all": {sheetOf(rows, at(50, 128, "work"), at(300, 128, "programs"), at(50, 142, "x"),
			at(300, 142, "y")), true},
	} {
		if got := ReadsInOrder(c.words); got != c.order {
			t.Errorf("%s: %v", name, got)
		}
	}
}
