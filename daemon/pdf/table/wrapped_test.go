package table

import (
	"strings"
	"testing"
)

// set sets rows into columns of some widths as a word processor does: a word that has no room begins a new line, and so does what
// stands after a line break. Lines are 12 points apart, and rows have more between them.
func set(widths []float64, more float64, rows ...[]string) (out []Word) {
	y := 100.0
	for _, row := range rows {
		x, lines := 50.0, 1
		for j, text := range row {
			at, line := x, 0
			for part := range strings.SplitSeq(text, "\n") {
				if at > x {
					at, line = x, line+1
				}
				for w := range strings.FieldsSeq(part) {
					n := 5 * float64(len(w))
					if at > x && at+n > x+widths[j]-8 {
						at, line = x, line+1
					}
					out = append(out, Word{Rect: Rect{at, y + 12*float64(line), at + n, y + 12*float64(line) + 11}, Text: w})
					at += n + 2.8
				}
			}
			x, lines = x+widths[j], max(lines, line+1)
		}
		y += 12*float64(lines) + more
	}
	return out
}

// A wrapped cell is one cell, and its row one row.
func TestACellIsWrapped(t *testing.T) {
	for name, c := range map[string]struct {
		widths []float64
		more   float64
		rows   [][]string
	}{
		"one cell, its row as near as its lines": {[]float64{70, 110, 60}, 0, [][]string{{"plant", "where it grows", "height"},
			{"yarrow", "dry meadows and the edges of ways", "60 cm"}, {"rush", "wet ground", "90 cm"}, {"sorrel", "meadows", "1 m"}}},
		"the first column too": {[]float64{80, 90, 90}, 0, [][]string{{"who", "what", "when"}, {"Grace Brewster Hopper", "a compiler",
			"1952"}, {"Jean Bartik", "programs", "1946"}, {"Mary Kenneth Keller", "a doctorate", "in June 1965"}, {"Ida Rhodes", "exams", "1950"}}},
		"cells that stay empty": {[]float64{60, 90, 90}, 0, [][]string{{"dish", "with", "without"}, {"soup", "", "salt"},
			{"bread", "butter and a little honey on it", ""}, {"rice", "beans", "meat"}, {"figs", "", "their stalks"}}},
		"lines that end before they must, and rows farther apart": {[]float64{120, 120, 60}, 7, [][]string{{"name", "address", "no"},
			{"Hill", "Elm Row 3\nLeith\nScotland", "1"}, {"Dale", "The Mill\nBath", "2"}, {"Ford", "Quay 9\nCork\nIreland", "3"},
			{"Wood", "Green 1\nYork", "4"}}},
		"one column of running text": {[]float64{80, 260}, 6, [][]string{
			{"heading", "What the text below it is about, in one line or two of them and hardly ever in more"},
			{"a long key of two lines",
				"The key wraps in its narrow column while the text beside it goes on for several lines of its own until it ends"},
			{"part", "Short, but with more words than cells have on average"},
			{"index", "It lists where each of the words stands, in the order of the letters and never by page alone"}}},
		"numbers that fill their columns": {[]float64{40, 40, 40}, 0, [][]string{{"10.20", "11.30", "12.40"}, {"20.10", "21.20", "22.30"},
			{"30.10", "31.20", "32.30"}, {"40.10", "41.20", "42.30"}}},
	} {
		found, whole := Find(Page{Words: set(c.widths, c.more, c.rows...)}, Auto)
		var got, want strings.Builder
		for _, x := range found {
			for _, row := range x.Grid() {
				got.WriteString(strings.Join(strings.Fields(strings.Join(row, " | ")), " ") + "\n")
			}
		}
		for _, row := range c.rows {
			want.WriteString(strings.Join(strings.Fields(strings.Join(row, " | ")), " ") + "\n")
		}
		if !whole || len(found) != 1 || got.String() != want.String() {
			t.Errorf("%s: %d tables\n%s", name, len(found), got.String())
		}
	}
}

// Text with something in its margin is no table, nor is a list with its marks.
func TestRunningTextIsNoTable(t *testing.T) {
	text := "These are the words of a text that goes on and on for many lines without an end to its sentences because nobody wants it to stop"
	columns := set([]float64{250, 250}, 0, []string{text + " " + text, text + " " + text})
	below := columns[len(columns)-1].Y0 + 12
	for name, words := range map[string][]Word{
		"a margin": set([]float64{70, 260}, 0, []string{"notes of the writer about each of the lines beside them", text},
			[]string{"", text}),
		"two columns": set([]float64{250, 250}, 0, []string{text + " " + text, text + " " + text}),
		"two columns above a line without their gap": append(columns, Word{Rect: Rect{50, below, 180, below + 11}, Text: "caption"},
			Word{Rect: Rect{220, below, 400, below + 11}, Text: "heading"}),
		"a list":         set([]float64{20, 260}, 6, []string{"•", text}, []string{"•", text}, []string{"•", text}),
		"a counted list": set([]float64{30, 260}, 6, []string{"(i)", text}, []string{"(ii)", text}, []string{"(iii)", text}),
	} {
		if found, _ := Find(Page{Words: words}, Auto); len(found) > 0 {
			t.Errorf("%s: %+v", name, found[0].Grid())
		}
	}
}

// The line of text below a table is none of its rows, and neither is a word at its left.
func TestWhatFollowsATable(t *testing.T) {
	words := set([]float64{70, 110, 60}, 0, []string{"plant", "where", "height"}, []string{"yarrow", "dry meadows", "60 cm"},
		[]string{"rush", "wet ground", "90 cm"}, []string{"end"})
	found, _ := Find(Page{Words: words}, Auto)
	if len(found) != 1 || found[0].Rows != 3 || found[0].Y1 != 100+2*12+11 {
		t.Errorf("%+v", found)
	}
}
